import { describe, expect, it } from 'vitest';
import type { AccessFlag } from '../../../spec/verbs.ts';
import type { VerbsCall } from '../../../oracle/trace.ts';
import { everyRight } from '../../rights.ts';
import { counting, dut, peer, reth } from '../trace/packets.ts';
import { RcTrace } from '../trace/rc.ts';

const denied = 0x62;
const EINVAL = 22;
const region = { addr: 0x10000n, length: 8192, lkey: 0x66, rkey: 0x77 };
const foreign = { addr: 0x20000n, length: 64, lkey: 0x68, rkey: 0x79 };
const moved = { addr: 0x50000n, lkey: 0x86, rkey: 0x97 };
const readable: AccessFlag[] = ['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_REMOTE_READ'];

type Change = Partial<Omit<Extract<VerbsCall, { call: 'rereg_mr' }>, 'call' | 'mr'>>;

/** A QP with a region on its PD, and one on another. */
class ChangeTrace extends RcTrace {
  constructor() {
    super(
      {},
      {
        capabilities: ['rereg-mr', 'rereg-mr-translation', 'memory-windows', 'destroy-calls'],
        regions: [
          { pd: 1, mr: 1, access: [...everyRight, 'IBV_ACCESS_MW_BIND'], ...region },
          { pd: 2, mr: 2, access: everyRight, ...foreign },
        ],
        qps: [{ qp: 1, number: dut.qp, peer: peer.qp }],
      },
    );
  }

  changes(change: Change, refusal?: { errno?: number; kept?: boolean }): this {
    const { addr, lkey, rkey } = region;
    const call: VerbsCall = { call: 'rereg_mr', mr: 1, addr, lkey, rkey, ...change };
    if (refusal === undefined) return this.call(call);
    const { errno = EINVAL, ...kept } = refusal;
    const { t } = this;
    return this.add({ kind: 'call-failed', t, start: t, call: 'rereg_mr', errno, attempted: call, ...kept });
  }

  /** A WRITE of 4 bytes. */
  writes(offset: number, { addr, rkey }: { addr: bigint; rkey: number } = region): this {
    const { reth: head, ...rest } = reth(4, offset, rkey);
    const fields = { ...rest, reth: { ...head, va: addr + BigInt(offset) } };
    return this.to('RDMA_WRITE_ONLY', 0, { ...fields, payload: counting(4) });
  }

  taken(): string[] {
    return this.ack(0, 1).settle().broken();
  }

  refused(): string[] {
    return this.ack(0, 0, denied).event('IBV_EVENT_QP_ACCESS_ERR').settle().broken();
  }
}

/** What is broken where a WRITE is taken, and where it is refused. */
const either = (make: () => ChangeTrace): [string[], string[]] => [make().taken(), make().refused()];
const made = (): ChangeTrace => new ChangeTrace();
const open = [[], ['rc-write-complete-asked']];
const closed = [['rc-remote-access-denied'], []];

describe('a memory region that ibv_rereg_mr changes', () => {
  it('has the rights that it was given last', () => {
    const taken = (): ChangeTrace => made().changes({ access: readable });
    expect(either(() => taken().writes(0))).toEqual(closed);
    expect(either(() => taken().changes({ access: everyRight }).writes(0))).toEqual(open);
  });

  it('is on the PD that it was given last, with the rights of before', () => {
    expect(either(() => made().changes({ pd: 2 }).writes(0))).toEqual(closed);
    expect(either(() => made().changes({ pd: 2 }).changes({ pd: 1 }).writes(0))).toEqual(open);
  });

  it('lies where it was moved to, and there alone', () => {
    const elsewhere = (): ChangeTrace => made().changes({ length: 64, ...moved });
    expect(either(() => elsewhere().writes(60, moved))).toEqual(open);
    expect(either(() => elsewhere().writes(64, moved))).toEqual(closed);
    expect(either(() => elsewhere().writes(0))).toEqual(closed);
  });

  it('may have other keys, and those of before open nothing then', () => {
    const renewed = (): ChangeTrace => made().changes({ access: everyRight, lkey: 0x86, rkey: 0x97 });
    expect(either(() => renewed().writes(0, { ...region, rkey: 0x97 }))).toEqual(open);
    expect(either(() => renewed().writes(0))).toEqual(closed);
  });

  it('holds what it held, or zeros in other memory', () => {
    const bytes = (value: number): Uint8Array => new Uint8Array(4).fill(value);
    const written = (): ChangeTrace =>
      made().call({ call: 'write_memory', mr: 1, offset: 0, bytes: bytes(7) });
    const holds = (trace: ChangeTrace, value: number): string[] =>
      trace
        .add({ kind: 'memory', t: trace.t, mr: 1, offset: 0, bytes: bytes(value) })
        .settle()
        .broken();
    const kept = (): ChangeTrace => written().changes({ access: readable });
    expect([holds(kept(), 7), holds(kept(), 0)]).toEqual([[], ['rc-memory-unnamed']]);
    const gone = (): ChangeTrace => written().changes({ length: 64, ...moved });
    expect([holds(gone(), 0), holds(gone(), 7)]).toEqual([[], ['rc-memory-unnamed']]);
  });

  it('is changed where nothing speaks against it, and not where others could write and software could not', () => {
    const sound: Change[] = [{ access: readable }, { pd: 2 }, { pd: 2, access: readable }];
    for (const change of sound) {
      expect(made().changes(change).broken()).toEqual([]);
      expect(made().changes(change, { kept: true }).broken()).toEqual(['rereg-mr']);
    }
    expect(made().changes({ length: 64 }, {}).broken()).toEqual(['rereg-mr-moved']);
    const unsound = [
      ['IBV_ACCESS_REMOTE_WRITE', 'rereg-remote-write'],
      ['IBV_ACCESS_REMOTE_ATOMIC', 'rereg-remote-atomic'],
    ] as const;
    for (const [right, rule] of unsound) {
      expect(
        made()
          .changes({ access: [right] })
          .broken(),
      ).toEqual([rule]);
      expect(
        made()
          .changes({ access: [right] }, { errno: 95 })
          .broken(),
      ).toEqual([]);
    }
  });

  it('is as before where an input error is reported, and is in doubt behind another', () => {
    const access: AccessFlag[] = ['IBV_ACCESS_REMOTE_WRITE'];
    expect(either(() => made().changes({ access }, { kept: true }).writes(0))).toEqual(open);
    const doubtful = (): ChangeTrace => made().changes({ access }, {});
    expect(either(() => doubtful().writes(0))).toEqual([[], []]);
    expect(doubtful().changes({ access: readable }, {}).broken()).toEqual([]);
    expect(doubtful().call({ call: 'dereg_mr', mr: 1 }, EINVAL).broken()).toEqual(['dereg-mr']);
  });

  it('may be refused or not where nothing is asked for, nobody knows the PD, or a window is bound', () => {
    const windowed = (): ChangeTrace =>
      made()
        .call({ call: 'alloc_mw', pd: 1, mw: 9, rkey: 0x9100 })
        .call({
          call: 'post_send',
          qp: 1,
          wr: {
            wr_id: 1,
            opcode: 'IBV_WR_BIND_MW',
            sg_list: [],
            send_flags: ['IBV_SEND_SIGNALED'],
            bind_mw: { mw: 9, rkey: 0x9101, mr: 1, addr: region.addr, length: 64, access: [] },
          },
        })
        .done(1, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_BIND_MW' })
        .settle();
    const open: [() => ChangeTrace, Change][] = [
      [made, {}],
      [made, { length: 0 }],
      [made, { pd: 3 }],
      [windowed, { access: readable }],
    ];
    for (const [trace, change] of open) {
      expect(trace().changes(change).broken()).toEqual([]);
      expect(trace().changes(change, { kept: true }).broken()).toEqual([]);
    }
    // what becomes of the window, no source says
    expect(either(() => windowed().changes({ access: readable }).writes(0))).toEqual([[], []]);
  });

  it('may be found or not by requests that are on their way', () => {
    const racing = (): ChangeTrace => made().writes(0).changes({ access: readable });
    expect(either(racing)).toEqual([[], []]);
  });
});
