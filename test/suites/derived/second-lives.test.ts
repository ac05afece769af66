import { describe, expect, it } from 'vitest';
import { requesterScenario } from '../../../suites/rc-requester/parts.ts';
import { responderScenario } from '../../../suites/arbitraries/base.ts';
import { inject, packet, settle } from '../../../suites/arbitraries/packets.ts';
import type { Step } from '../../../suites/index.ts';
import { generateChunk } from '../../../suites/index.ts';
import { behind, leftBy } from '../../../suites/derived/moved.ts';
import { drive, packets } from '../drive.ts';
import { profile } from '../profile.ts';
import { broken, propertyNamed } from './parts.ts';

const base = { ip: 4, mtu: 256, startPsn: 7, srq: false, minRnrTimer: 12, maxDestRdAtomic: 4 } as const;
const write = inject(
  packet('RDMA_WRITE_ONLY', {
    payload: { mtus: 1, bytes: 0 },
    target: { region: 0, offset: 0, length: 512 },
  }),
);
const to = (at: 'responder' | 'requester', more: Partial<Extract<Step, { do: 'modify_qp' }>>): Step => ({
  do: 'modify_qp',
  at,
  ...more,
});

describe('attributes that the steps follow', () => {
  it('give crafted requests the PSN and the path MTU of the life that the QP is in', async () => {
    const anew = (followed: boolean): Step[] => [
      to('responder', { state: 'IBV_QPS_RESET' }),
      to('responder', { state: 'IBV_QPS_INIT' }),
      to('responder', {
        state: 'IBV_QPS_RTR',
        attr: { path_mtu: 512, rq_psn: 900 },
        ...(followed && { followed: true }),
      }),
    ];
    const steps = [write, settle, ...anew(true), write, write, settle, ...anew(false), write];
    const { events } = await drive(responderScenario(profile, base, { steps }));
    const sent = packets(events, 'to-dut').map(({ packet: { psn, payload } }) => [psn, payload.length]);
    expect(sent).toEqual([
      [7, 256],
      [900, 512],
      [901, 512],
      [7, 256],
    ]);
  });

  it('give crafted responses the PSNs of the life that the QP is in', async () => {
    const wr = { opcode: 'IBV_WR_SEND', length: 8, region: 0, offset: 0, signaled: true } as const;
    const answered: Step[] = [
      { do: 'post_send', wr },
      { do: 'await', packets: 1, us: 1000 },
      {
        do: 'respond',
        packet: { reply: { kind: 'ack' }, psn: { from: 'wr-end', wr: 0, offset: 0 } },
      },
      settle,
    ];
    const steps = [
      ...answered,
      to('requester', { state: 'IBV_QPS_RESET' }),
      to('requester', { state: 'IBV_QPS_INIT' }),
      to('requester', { state: 'IBV_QPS_RTR' }),
      to('requester', { state: 'IBV_QPS_RTS', attr: { sq_psn: 900 }, followed: true }),
      ...answered,
    ];
    const chosen = { ...base, retryCnt: 1, rnrRetry: 1 };
    const { events } = await drive(requesterScenario(profile, chosen, { steps }));
    expect(packets(events, 'to-dut').map((e) => e.packet.psn)).toEqual([7, 900]);
  });
});

describe('second lives', () => {
  const ids = ['rc-responder', 'rc-requester', 'uc', 'ooo'].map((machine) => `${machine}/second-lives`);

  it.each(ids)('of %s differ in path MTU and first PSN from the first ones', (id) => {
    const able = { ...profile, capabilities: [...profile.capabilities, 'ooo' as const] };
    const all = generateChunk(propertyNamed(id), able, 5, 0, id.startsWith('ooo') ? 200 : 40).map(
      ({ scenario }) => scenario,
    );
    const lives = all.filter(({ steps }) => steps.some((step) => step.do === 'modify_qp' && step.followed));
    expect(lives.length).toBeGreaterThan(12);
    const otherwise = lives.filter(({ mtu, steps }) =>
      steps.some((step) => step.do === 'modify_qp' && (step.attr?.path_mtu ?? mtu) !== mtu),
    );
    expect(otherwise.length).toBeGreaterThan(2);
  });

  it('name their own regions, windows and work requests', () => {
    const first = responderScenario(profile, base, { steps: [{ do: 'alloc_mw' }, write] });
    const by = leftBy(first);
    expect(by).toEqual({ regions: 1, windows: 1, sends: 0 });
    expect(behind(write, by)).toMatchObject({ packet: { target: { region: 1 } } });
    expect(behind({ do: 'dealloc_mw', window: 2 }, by)).toEqual({ do: 'dealloc_mw', window: 3 });
    expect(behind({ do: 'write_buffer', wr: 1, fill: 3 }, { ...by, sends: 4 })).toMatchObject({ wr: 5 });
  });

  it('show what survives RESET', async () => {
    expect(await broken('message-survives-reset', 'rc-responder/second-lives', 120)).not.toEqual([]);
    expect(await broken('retries-survive-reset', 'rc-requester/second-lives', 200)).not.toEqual([]);
  });
});
