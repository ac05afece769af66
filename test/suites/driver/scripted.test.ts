import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Adapter } from '../../../adapters/adapter.ts';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { damagedParts } from '../../../suites/arbitraries/faults.ts';
import { settle } from '../../../suites/arbitraries/packets.ts';
import { fillBytes } from '../../../suites/driver/setup/fill.ts';
import { rcRequester, type Scenario, type Step, type WrPlan } from '../../../suites/index.ts';
import { post, requesterScenario, respond, wrPsn } from '../../../suites/rc-requester/parts.ts';
import { drive, packets, statuses } from '../drive.ts';
import { profile } from '../profile.ts';

const chosen = { ip: 4, mtu: 256, startPsn: 0xfffffe, retryCnt: 3, rnrRetry: 2 } as const;
const scenario = (steps: Step[], more: Partial<Parameters<typeof requesterScenario>[2]> = {}): Scenario =>
  requesterScenario(profile, chosen, { steps, timeout: 10, ...more });

const wr = (opcode: WrPlan['opcode'], length: number): WrPlan => ({
  opcode,
  length,
  region: 0,
  offset: 0,
  signaled: true,
});
const send = wr('IBV_WR_SEND', 600);
const read = wr('IBV_WR_RDMA_READ', 600);
const atomic = wr('IBV_WR_ATOMIC_FETCH_AND_ADD', 8);
const await1: Step = { do: 'await', packets: 1, us: 1000 };
const ack: Step = respond({ kind: 'ack' }, { from: 'newest', offset: 0 });

describe('a scripted peer', () => {
  it('answers where it is told to, by work request, by what was sent, or by what is not acknowledged', async () => {
    const nak = (psn: Parameters<typeof respond>[1]): Step => respond({ kind: 'nak', code: 0 }, psn);
    const { events } = await drive(
      scenario([
        post(send),
        post(read),
        post(atomic),
        settle,
        nak(wrPsn(1, 1)),
        nak({ from: 'wr-end', wr: 1, offset: 0 }),
        nak({ from: 'newest', offset: 1 }),
        nak({ from: 'start', offset: -1 }),
        respond({ kind: 'ack' }, wrPsn(0, 1)),
        nak({ from: 'oldest', offset: 0 }),
        // never sent, so that it acknowledges nothing
        respond({ kind: 'ack' }, { from: 'newest', offset: 5 }),
        nak({ from: 'oldest', offset: 0 }),
      ]),
    );
    expect(packets(events, 'to-dut').map((e) => e.packet.psn)).toEqual([
      2, 3, 5, 0xfffffd, 0xffffff, 3, 9, 3,
    ]);
  });

  it('gives what its regions hold, and the MSN of a responder that has done the work', async () => {
    const { events } = await drive(
      scenario([
        post(send),
        post(read),
        post(atomic),
        settle,
        respond({ kind: 'ack' }, { from: 'wr-end', wr: 0, offset: 0 }),
        ...[0, 1, 2].map((i) => respond({ kind: 'read' }, wrPsn(1, i))),
        respond({ kind: 'atomic', value: '77' }, wrPsn(2)),
        settle,
      ]),
    );
    expect(statuses(events)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS']);
    const answers = packets(events, 'to-dut').map(({ packet }) => packet);
    expect(answers.map((p) => p.info?.operation)).toEqual([
      'ACKNOWLEDGE',
      'RDMA_READ_RESPONSE_FIRST',
      'RDMA_READ_RESPONSE_MIDDLE',
      'RDMA_READ_RESPONSE_LAST',
      'ATOMIC_ACKNOWLEDGE',
    ]);
    expect(answers.map((p) => p.aeth?.msn)).toEqual([1, 1, undefined, 2, 3]);
    const memory = events.find((e) => e.kind === 'memory');
    const bytes = memory?.kind === 'memory' ? memory.bytes : new Uint8Array();
    expect(bytes.subarray(600, 1200)).toEqual(fillBytes(1, 1024).subarray(0, 600));
    expect(bytes.subarray(1200)).toEqual(Uint8Array.of(77, 0, 0, 0, 0, 0, 0, 0));
  });

  it('goes on with a READ as the newest request for it began', async () => {
    const { events } = await drive(
      scenario([
        post(read),
        await1,
        respond({ kind: 'read' }, wrPsn(0)),
        { do: 'await', packets: 1, us: 1e6 },
        respond({ kind: 'read' }, wrPsn(0, 1)),
        respond({ kind: 'read' }, wrPsn(0, 2)),
      ]),
    );
    const [, again] = packets(events, 'from-dut');
    expect(again?.packet.reth?.dmaLen).toBe(344);
    expect(packets(events, 'to-dut').map((e) => e.packet.info?.operation.slice(19))).toEqual([
      'FIRST',
      'FIRST',
      'LAST',
    ]);
    expect(statuses(events)).toEqual(['SUCCESS']);
  });

  it('says whatever else it is told to say', async () => {
    const { events } = await drive(
      scenario([
        post(send),
        await1,
        respond({ kind: 'syndrome', value: 0xff }, { from: 'start', offset: -1 }),
        respond({ kind: 'opcode', value: 0x10 }, { from: 'start', offset: -1 }),
        respond({ kind: 'read', position: 'LAST', bytes: 2 }, { from: 'start', offset: -1 }),
        respond({ kind: 'rnr', timer: 31 }, { from: 'start', offset: -1 }),
      ]),
    );
    const answers = packets(events, 'to-dut').map(({ packet }) => packet);
    expect(answers.map((p) => p.aeth?.syndrome)).toEqual([0xff, 0x1f, 0x1f, 0x3f]);
    expect(answers.map((p) => p.opcode)).toEqual([0x11, 0x10, 0x0f, 0x11]);
    expect(answers[2]?.payload).toHaveLength(10);
  });

  it.each(damagedParts.flatMap((part) => [[part, 4] as const, [part, 6] as const]))(
    'sends frames whose %s is wrong over IPv%s, which are no packets',
    async (part, ip) => {
      const broken = respond({ kind: 'ack' }, { from: 'newest', offset: 0 }, { kind: 'frame', part });
      const { events } = await drive({ ...scenario([post(send), settle, broken, settle, ack]), ip });
      expect(packets(events, 'to-dut')).toHaveLength(1);
      expect(statuses(events)).toEqual(['SUCCESS']);
    },
  );
});

describe('waiting', () => {
  it('ends with the packet waited for, and does not count what was waited for before', async () => {
    const { events } = await drive(
      scenario([
        post(send),
        { do: 'await', packets: 2, us: 1000 },
        { do: 'await', packets: 1, us: 1000 },
        // first time-out: T is 4.2 ms
        { do: 'await', packets: 3, us: 1e6 },
        ack,
      ]),
    );
    const [answer] = packets(events, 'to-dut');
    expect(packets(events, 'from-dut')).toHaveLength(6);
    expect(answer?.t).toBeGreaterThanOrEqual(4_194_304);
    expect(answer?.t).toBeLessThan(5 * 4_194_304);
    expect(statuses(events)).toEqual(['SUCCESS']);
  });

  it('gives up after its time', async () => {
    const { events } = await drive(
      scenario([post(send), { do: 'await', packets: 4, us: 100 }, ack], { timeout: 0 }),
    );
    expect(packets(events, 'to-dut')[0]?.t).toBe(100_000);
  });

  it('leaves timers of the device out of what is due', async () => {
    const { events } = await drive(scenario([post(send), settle]));
    expect(packets(events, 'from-dut')).toHaveLength(3);
    expect(events.at(-1)?.t).toBeLessThan(4_194_304);
  });

  it('for the end of all work ends with the last completion', async () => {
    const { events } = await drive(scenario([post(send), { do: 'finish', us: 1e9 }]));
    expect(statuses(events)).toEqual(['RETRY_EXC_ERR']);
    expect(packets(events, 'from-dut')).toHaveLength(4 * 3);
    expect(events.at(-1)?.t).toBeLessThan(17 * 4_194_304);
  });
});

/** The reference NIC, with post_send returning only after its packets have been seen. */
function slowToReturn(): Adapter {
  const inner = referenceAdapter();
  return {
    ...inner,
    open: async (options) => {
      const bench = await inner.open(options);
      const { verbs, clock } = bench;
      return {
        ...bench,
        verbs: {
          ...verbs,
          post_send: async (qp, wr) => {
            await verbs.post_send(qp, wr);
            await clock.sleep(5000);
          },
        },
      };
    },
  };
}

describe('the trace', () => {
  it('has a post where it was made, before the packets that come of it', async () => {
    const { events } = await drive(scenario([post(send), ack]), slowToReturn());
    const at = events.findIndex((e) => e.kind === 'call' && e.call === 'post_send');
    expect(events.slice(at, at + 2).map((e) => e.kind)).toEqual(['call', 'packet']);
    const call = events[at];
    expect(call?.kind === 'call' && call.t === call.start).toBe(true);
    const times = events.map((e) => e.t);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('has a post that was refused where it returned, and its PSNs go to the next', async () => {
    const { events } = await drive(
      scenario([post({ ...atomic, length: 4 }), post(send), settle, respond({ kind: 'ack' }, wrPsn(0))]),
    );
    expect(events.find((e) => e.kind === 'call-failed')).toMatchObject({ call: 'post_send' });
    expect(packets(events, 'to-dut')[0]?.packet.psn).toBe(0xfffffe);
  });

  it('says how well times can be told', async () => {
    const { header } = await drive(scenario([post(send)]));
    expect(header.timing).toEqual({ responseTime: 20_000, jitter: 0 });
    expect(header.limits?.minTimeout).toBe(1);
  });
});

const property = (id: string) => {
  const found = rcRequester.find((p) => p.id === `rc-requester/${id}`);
  if (found === undefined) throw new Error(`no property ${id}`);
  return found;
};

describe('a DUT as requester', () => {
  it.each([
    'answered',
    'partial-acks',
    'long-messages',
    'timeout-while-posting',
    'stray-responses',
    'response-defects',
    'response-ignored-fields',
    'rnr-wait',
    'timeout-recovery',
    'timeout-undisturbed',
    'timeout-progress',
    'timeout-lone-request',
    'timeout-zero',
    'read-retry',
    'read-window',
    'fence',
    'live-peer',
    'live-peer-faults',
  ])('brings all its work to a good end in %s', async (id) => {
    await fc.assert(
      fc.asyncProperty(property(id).arbitrary(profile), async (plan) => {
        const { events } = await drive(plan);
        const signaled = plan.steps.filter((s) => s.do === 'post_send' && s.wr.signaled);
        expect(statuses(events)).toEqual(signaled.map(() => 'SUCCESS'));
        expect(events.filter((e) => e.kind === 'gap')).toEqual([]);
      }),
      { numRuns: 40, seed: 1 },
    );
  });

  it.each(rcRequester.map((p) => p.id))('comes to rest in %s', async (id) => {
    const found = rcRequester.find((p) => p.id === id);
    if (found === undefined) throw new Error('unreachable');
    await fc.assert(
      fc.asyncProperty(found.arbitrary(profile), async (plan) => {
        const { events } = await drive(plan);
        expect(events.filter((e) => e.kind === 'gap')).toEqual([]);
        // a QP that is gone is asked nothing
        const gone = plan.steps.some((step) => step.do === 'destroy');
        const last = events.findLast(({ kind }) => kind !== 'memory');
        expect(last).toMatchObject(gone ? { kind: 'settled' } : { kind: 'call', call: 'query_qp' });
      }),
      { numRuns: 25, seed: 2 },
    );
  });

  it('gives up towards a silent peer after retry_cnt + 1 transmissions', async () => {
    await fc.assert(
      fc.asyncProperty(property('timeout-exhaustion').arbitrary(profile), async (plan) => {
        const { events } = await drive(plan);
        const failed = statuses(events).filter((s) => s === 'RETRY_EXC_ERR');
        expect(failed).toHaveLength(1);
        const oldest = packets(events, 'from-dut').at(-1)?.packet;
        const sent = packets(events, 'from-dut').filter((e) => e.packet.psn === oldest?.psn);
        expect(sent).toHaveLength(plan.requester.retryCnt + 1);
      }),
      { numRuns: 40, seed: 3 },
    );
  });
});
