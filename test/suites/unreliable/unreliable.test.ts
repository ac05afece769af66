import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guardBytes, VerbsError, type Adapter, type Bench } from '../../../adapters/adapter.ts';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import type { TraceEvent } from '../../../oracle/index.ts';
import { datagramPacket } from '../../../suites/arbitraries/datagram.ts';
import { at, inject, packet, recv, settle } from '../../../suites/arbitraries/packets.ts';
import { unreliableScenario, type UnreliableParts } from '../../../suites/arbitraries/unreliable.ts';
import { fillBytes } from '../../../suites/driver/setup/fill.ts';
import {
  BenchSession,
  runConformance,
  type LocalFault,
  type Role,
  type Scenario,
  type Step,
  type SuiteProperty,
  type WrPlan,
} from '../../../suites/index.ts';
import { sequence } from '../../../suites/unreliable/uc-parts.ts';
import { drive, packets, statuses } from '../drive.ts';

const chosen = { ip: 4, mtu: 256, startPsn: 0xffffff, srq: false } as const;
const uc = (dut: Role, parts: UnreliableParts): Scenario => unreliableScenario('UC', dut, chosen, parts);
const ud = (dut: Role, parts: UnreliableParts): Scenario => unreliableScenario('UD', dut, chosen, parts);
const datagram = { bytes: 8, immediate: undefined, solicited: false, psnOffset: 0, ackReq: false } as const;
const send: WrPlan = { opcode: 'IBV_WR_SEND', length: 8, region: 0, offset: 0, signaled: true };
const post = (wr: WrPlan, role: Role = 'requester'): Step => ({ do: 'post_send', wr, at: role });

/** The calls of one name, those that failed included. */
function calls(events: readonly TraceEvent[], name: string): TraceEvent[] {
  return events.filter((e) => (e.kind === 'call' || e.kind === 'call-failed') && e.call === name);
}

function wcs(events: readonly TraceEvent[]): { wr_id: number; byte_len: number | undefined }[] {
  return events.flatMap((e) =>
    e.kind === 'completion' ? [{ wr_id: e.wc.wr_id, byte_len: e.wc.byte_len }] : [],
  );
}

describe('an unreliable connection', () => {
  it('is set up with the attributes that it has', async () => {
    const { events } = await drive(uc('responder', { steps: [] }));
    const [init, rtr, rts] = calls(events, 'modify_qp').map((e) => Object.keys('attr' in e ? e.attr : {}));
    expect(init).toEqual(['qp_state', 'pkey_index', 'port_num', 'qp_access_flags']);
    expect(rtr).toEqual(['qp_state', 'path_mtu', 'dest_qp_num', 'rq_psn', 'ah_attr']);
    expect(rts).toEqual(['qp_state', 'sq_psn']);
  });

  it('takes crafted packets, and goes on with the first packet of a message after a gap', async () => {
    const full = { mtus: 1, bytes: 0 };
    const some = { mtus: 0, bytes: 4 };
    const message = [
      { packet: packet('SEND_FIRST', { payload: full }) },
      { packet: packet('SEND_MIDDLE', { payload: full }), lost: true },
      { packet: packet('SEND_LAST', { payload: some }) },
    ];
    const { events } = await drive(
      uc('responder', {
        steps: [
          recv(600),
          ...sequence([...message, { packet: packet('SEND_ONLY', { payload: some }) }]),
          inject(packet('SEND_ONLY', { payload: some })),
        ],
      }),
    );
    expect(packets(events, 'to-dut').map((e) => e.packet.psn)).toEqual([0xffffff, 1, 2, 3]);
    expect(packets(events, 'from-dut')).toEqual([]);
    expect(wcs(events)).toEqual([{ wr_id: 1, byte_len: 4 }]);
  });

  it('has a live peer in either role', async () => {
    const steps = [recv(600), post({ ...send, length: 600 }), settle];
    const asResponder = await drive(uc('responder', { steps }));
    expect(packets(asResponder.events, 'to-dut').map((e) => e.packet.psn)).toEqual([0xffffff, 0, 1]);
    expect(wcs(asResponder.events)).toEqual([{ wr_id: 1, byte_len: 600 }]);
    expect(asResponder.peerCompletions.map((wc) => wc.status)).toEqual(['IBV_WC_SUCCESS']);
    const asRequester = await drive(uc('requester', { steps }));
    expect(packets(asRequester.events, 'from-dut').map((e) => e.packet.psn)).toEqual([0xffffff, 0, 1]);
    expect(statuses(asRequester.events)).toEqual(['SUCCESS']);
  });

  it('goes back to RTS from SQE, and receives all the while', async () => {
    const { events } = await drive(
      uc('requester', {
        scripted: true,
        steps: [
          { ...recv(8), at: 'requester' },
          post({ ...send, localFault: 'lkey' }),
          settle,
          inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } })),
          settle,
          { do: 'modify_qp', at: 'requester', state: 'IBV_QPS_RTS', omit: ['sq_psn'] },
          post(send),
        ],
      }),
    );
    expect(packets(events, 'to-dut').map((e) => e.packet.psn)).toEqual([0x2000]);
    expect(statuses(events)).toEqual(['LOC_PROT_ERR', 'SUCCESS', 'SUCCESS']);
    expect(packets(events, 'from-dut')).toHaveLength(1);
  });
});

describe('datagrams', () => {
  it('are crafted with the Q_Key of the QP or another, at any PSN', async () => {
    const { events } = await drive(
      ud('responder', {
        responder: { qkey: 7 },
        steps: [
          recv(48),
          inject(datagramPacket({ ...datagram, psnOffset: -5 }, 256, { qkey: 8 })),
          inject(datagramPacket({ ...datagram, psnOffset: 9 }, 256)),
        ],
      }),
    );
    const sent = packets(events, 'to-dut').map((e) => e.packet);
    expect(sent.map((p) => [p.opcode, p.deth?.qkey])).toEqual([
      [0x64, 8],
      [0x64, 7],
    ]);
    expect(wcs(events)).toEqual([{ wr_id: 1, byte_len: 48 }]);
    const wc = events.find((e) => e.kind === 'completion')?.wc;
    expect(wc?.src_qp).toBe(sent[0]?.deth?.srcQp);
  });

  it('are posted with address handles: to the peer, to nobody, by the other IP version', async () => {
    const { events } = await drive(
      ud('requester', {
        responder: { qkey: 9 },
        steps: [
          recv(48),
          post(send),
          post({ ...send, nobody: true }),
          post({ ...send, path: 'other-ip', qkey: 0x80000000 }),
          settle,
        ],
      }),
    );
    expect(calls(events, 'create_ah')).toHaveLength(2);
    const sent = packets(events, 'from-dut').map((e) => e.packet);
    expect(sent.map((p) => p.ipVersion)).toEqual([4, 4, 6]);
    expect(sent.map((p) => p.deth?.qkey)).toEqual([9, 9, 0x11111111]);
    expect(sent[1]?.destQp).not.toBe(sent[0]?.destQp);
    expect(sent[2]?.destQp).toBe(sent[0]?.destQp);
  });

  it('to a QP that nobody has go to the scenario that they come from', async () => {
    const bench = await referenceAdapter().open({});
    const session = new BenchSession(bench);
    const nobody = ud('requester', { scripted: true, steps: [post({ ...send, nobody: true }), settle] });
    const runs = await Promise.all([session.run(nobody), session.run(nobody), session.run(nobody)]);
    expect(runs.map(({ events }) => packets(events, 'from-dut').length)).toEqual([1, 1, 1]);
    session.close();
  });
});

describe('work requests', () => {
  it('are spread over regions of their own, in order', async () => {
    const { events } = await drive(
      uc('responder', {
        steps: [
          { do: 'post_recv', length: 10, sges: 3 },
          inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 10 } })),
        ],
      }),
    );
    const posted = calls(events, 'post_recv')[0];
    const list = posted !== undefined && 'wr' in posted ? posted.wr.sg_list : [];
    expect(list.map((sge) => sge.length)).toEqual([4, 3, 3]);
    expect(new Set(list.map((sge) => sge.lkey)).size).toBe(3);
    const read = events.flatMap((e) => (e.kind === 'memory' && e.offset === 0 ? [e.bytes] : []));
    expect(Buffer.concat(read.slice(-3))).toEqual(Buffer.from(fillBytes(0x40, 10)));
  });

  it.each<LocalFault>(['lkey', 'bounds', 'rights', 'foreign-pd', 'deregistered'])(
    'fail by what is wrong with the memory they name: %s',
    async (localFault) => {
      const { events } = await drive(
        ud('responder', {
          steps: [
            { do: 'post_recv', length: 48, sges: 2, localFault },
            inject(datagramPacket(datagram, 256)),
          ],
        }),
      );
      expect(statuses(events)).toEqual(['LOC_PROT_ERR']);
    },
  );

  it('find queues as small as the plan wants them', async () => {
    const { events } = await drive(
      uc('requester', {
        scripted: true,
        requester: { maxSendWr: 2, maxSge: 2, maxRecvWr: 1 },
        cqe: 3,
        steps: [
          post({ ...send, length: 30, sges: 3 }),
          { ...recv(8), at: 'requester' },
          { ...recv(8), at: 'requester' },
        ],
      }),
    );
    expect(calls(events, 'create_qp')[0]).toMatchObject({ max_send_wr: 2, max_recv_wr: 1, max_send_sge: 2 });
    expect(calls(events, 'create_cq')[0]).toMatchObject({ cqe: 3 });
    expect(calls(events, 'post_recv').map((e) => e.kind)).toEqual(['call', 'call-failed']);
  });

  it('leave the guard bytes on either side of every region alone, which are read back', async () => {
    const { events } = await drive(
      uc('responder', { steps: [recv(8), inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } }))] }),
    );
    const read = events.flatMap((e) => (e.kind === 'memory' ? [[e.offset, e.bytes.length]] : []));
    const around = (length: number): number[][] => [
      [0, length],
      [-guardBytes, guardBytes],
      [length, guardBytes],
    ];
    expect(read).toEqual([...around(768), ...around(8)]);
  });
});

describe('what a device has besides QPs', () => {
  it('is asked, changed and taken down as the steps say', async () => {
    const { events } = await drive({
      ...uc('responder', {
        responder: { maxRecvWr: 4 },
        steps: [
          recv(8),
          recv(8),
          { do: 'modify_srq', limit: 2 },
          { do: 'query_srq' },
          inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } })),
          { do: 'query_port' },
          { do: 'link', up: false },
          { do: 'query_port' },
          { do: 'link', up: true },
          settle,
        ],
      }),
      srq: true,
    });
    expect(calls(events, 'create_srq')[0]).toMatchObject({ max_wr: 4, max_sge: 1 });
    expect(calls(events, 'query_srq')[0]).toMatchObject({ attr: { srq_limit: 2 } });
    expect(
      calls(events, 'query_port').map((e) => ('attr' in e && 'state' in e.attr ? e.attr.state : '')),
    ).toEqual(['IBV_PORT_ACTIVE', 'IBV_PORT_DOWN']);
    expect(events.flatMap((e) => (e.kind === 'link' ? [e.up] : []))).toEqual([false, true]);
    expect(events.flatMap((e) => (e.kind === 'async' ? [e.event.event_type] : []))).toContain(
      'IBV_EVENT_SRQ_LIMIT_REACHED',
    );
  });

  it('gives nothing more of a CQ that cannot be polled, and the run goes on', async () => {
    const adapter = referenceAdapter();
    const failing: Adapter = {
      ...adapter,
      open: async (options): Promise<Bench> => {
        const bench = await adapter.open(options);
        const poll_cq = (): Promise<never> => Promise.reject(new VerbsError('poll_cq', 5));
        return { ...bench, verbs: { ...bench.verbs, poll_cq } };
      },
    };
    const { events } = await drive(uc('responder', { steps: [settle, settle] }), failing);
    expect(calls(events, 'poll_cq')).toMatchObject([{ kind: 'call-failed', errno: 5 }]);
    expect(events.at(-1)).toMatchObject({ call: 'query_qp' });
  });
});

describe('both ends on one device', () => {
  const both: Scenario = {
    ...uc('requester', { steps: [recv(600), post({ ...send, length: 600 }), settle] }),
    peer: 'same-device',
  };
  const unwired = (): Adapter => {
    const adapter = referenceAdapter();
    return {
      ...adapter,
      open: async (options): Promise<Bench> => {
        const { wire, ...bench } = await adapter.open(options);
        // what the device sends to itself comes back within it
        wire?.onFrame((frame) => {
          wire.send(frame);
        });
        return bench;
      },
    };
  };

  it.each([
    ['with a wire', referenceAdapter()],
    ['without', unwired()],
  ])('are both in the trace, and no packet is: %s', async (_title, adapter) => {
    const { header, events } = await drive(both, adapter);
    expect(header.sight).toEqual({ packets: 'none', verbs: true });
    expect(events.filter((e) => e.kind === 'packet')).toEqual([]);
    expect(calls(events, 'create_qp')).toHaveLength(2);
    expect(calls(events, 'query_qp')).toHaveLength(2);
    expect(statuses(events)).toEqual(['SUCCESS', 'SUCCESS']);
    const seen = new Set(events.flatMap((e) => (e.kind === 'completion' ? [e.wc.qp_num] : [])));
    expect(seen.size).toBe(2);
  });

  it('is all that an adapter without a wire can run', async () => {
    const wired = uc('responder', { steps: [] });
    await expect(drive(wired, unwired())).rejects.toThrow(/the scenario needs the wire/);
  });
});

describe('a run without a wire', () => {
  it('tries the properties that need none, and says why it does not try the others', async () => {
    const adapter = referenceAdapter();
    const blind: Adapter = {
      ...adapter,
      describe: async () => ({ ...(await adapter.describe()), wire: 'none' }),
    };
    const property = (id: string, more: Partial<SuiteProperty>): SuiteProperty => ({
      id,
      suite: 'wire',
      says: 'Nothing in particular.',
      arbitrary: () => fc.constant({ ...uc('requester', { steps: [] }), peer: 'same-device' as const }),
      ...more,
    });
    const { properties, cases } = await runConformance({
      adapter: blind,
      runs: 4,
      properties: [
        property('seen', {}),
        property('unseen', { wire: 'none' }),
        property('absent', { wire: 'none', requires: ['xrc'] }),
      ],
    });
    expect(cases).toBe(4);
    expect(properties.map((p) => [p.id, p.verdict, p.why])).toEqual([
      ['seen', 'unsupported', 'its packets can neither be sent nor seen: the adapter has no wire'],
      ['unseen', 'pass', undefined],
      ['absent', 'unsupported', 'the device has no xrc'],
    ]);
  });
});

describe('aiming at an unreliable responder', () => {
  it('begins anew with each first packet, and not with others', async () => {
    const only = packet('SEND_ONLY', { payload: { mtus: 0, bytes: 4 } });
    const { events } = await drive(
      uc('responder', {
        steps: [
          inject(at(only, 100)),
          inject(only),
          inject(at(packet('SEND_LAST', { payload: { mtus: 0, bytes: 4 } }), 50)),
          inject(only),
        ],
      }),
    );
    expect(packets(events, 'to-dut').map((e) => e.packet.psn)).toEqual([99, 100, 151, 101]);
  });
});
