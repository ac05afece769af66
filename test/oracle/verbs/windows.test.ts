import { describe, expect, it } from 'vitest';
import type { AccessFlag, WindowBinding } from '../../../spec/verbs.ts';
import { everyRight } from '../../rights.ts';
import { counting, dut, peer, reth } from '../trace/packets.ts';
import { RcTrace } from '../trace/rc.ts';

const EBUSY = 16;
const EINVAL = 22;
const denied = 0x62;
const first = 0x9100;
const bound = 0x9101;
const region = { addr: 0x10000n, length: 8192, lkey: 0x66, rkey: 0x77 };
const without = { addr: 0x20000n, length: 64, lkey: 0x68, rkey: 0x79 };
const readOnly = { addr: 0x30000n, length: 64, lkey: 0x6a, rkey: 0x7b };
const second = { qp: 2, number: 0x33, peer: peer.qp };

/** A QP with a window, and regions that may be bound to, may not, or may be read only. */
class WindowTrace extends RcTrace {
  constructor(type?: 'IBV_MW_TYPE_1') {
    super(
      {},
      {
        capabilities: ['memory-windows', 'destroy-calls'],
        regions: [
          { pd: 1, mr: 1, access: [...everyRight, 'IBV_ACCESS_MW_BIND'], ...region },
          { pd: 1, mr: 2, access: everyRight, ...without },
          { pd: 1, mr: 3, access: ['IBV_ACCESS_REMOTE_READ', 'IBV_ACCESS_MW_BIND'], ...readOnly },
        ],
        qps: [{ qp: 1, number: dut.qp, peer: peer.qp }, second],
      },
    );
    this.call({ call: 'alloc_mw', pd: 1, mw: 9, rkey: first, ...(type && { type }) });
  }

  /** 64 bytes from byte 128 of region 1 on, with work request 1. */
  bind(change: Partial<WindowBinding> = {}, errno?: number, qp = 1): this {
    const access: AccessFlag[] = ['IBV_ACCESS_REMOTE_WRITE'];
    const bind_mw = { mw: 9, rkey: bound, mr: 1, addr: region.addr + 128n, length: 64, access, ...change };
    const wr = { wr_id: 1, opcode: 'IBV_WR_BIND_MW', sg_list: [], bind_mw } as const;
    return this.call(
      { call: 'post_send', qp, wr: { ...wr, sg_list: [], send_flags: ['IBV_SEND_SIGNALED'] } },
      errno,
    );
  }

  binds(change: Partial<WindowBinding> = {}): this {
    return this.bind(change).done(1, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_BIND_MW' }).settle();
  }

  /** IBV_WR_LOCAL_INV, with work request 2. */
  ends(rkey = bound): this {
    const wr = { wr_id: 2, opcode: 'IBV_WR_LOCAL_INV', invalidate_rkey: rkey } as const;
    const send_flags = ['IBV_SEND_SIGNALED' as const];
    return this.call({ call: 'post_send', qp: 1, wr: { ...wr, sg_list: [], send_flags } });
  }

  /** The same, which asks for no completion. */
  endsQuietly(rkey = bound): this {
    const wr = { wr_id: 2, opcode: 'IBV_WR_LOCAL_INV', invalidate_rkey: rkey } as const;
    return this.call({ call: 'post_send', qp: 1, wr: { ...wr, sg_list: [], send_flags: [] } });
  }

  /** A WRITE of 4 bytes by the key of the window. */
  writes(offset: number, rkey = bound): this {
    return this.to('RDMA_WRITE_ONLY', 0, { ...reth(4, offset, rkey), payload: counting(4) });
  }

  taken(): string[] {
    return this.ack(0, 1).settle().broken();
  }

  refused(): string[] {
    return this.ack(0, 0, denied).event('IBV_EVENT_QP_ACCESS_ERR').settle().broken();
  }
}

/** What is broken where a WRITE is taken, and where it is refused. */
const either = (make: () => WindowTrace): [string[], string[]] => [make().taken(), make().refused()];
const window = (): WindowTrace => new WindowTrace();

describe('a memory window', () => {
  it('opens its range', () => {
    for (const offset of [128, 188])
      expect(either(() => window().binds().writes(offset))).toEqual([[], ['rc-write-complete-asked']]);
    for (const offset of [124, 126, 189, 192])
      expect(either(() => window().binds().writes(offset))).toEqual([['rc-window-access-denied'], []]);
  });

  it('grants the rights that it was bound with, whatever those of its region are', () => {
    const reads = (): WindowTrace => window().binds({ access: ['IBV_ACCESS_REMOTE_READ'] });
    expect(either(() => reads().writes(128))).toEqual([['rc-window-access-denied'], []]);
    expect(
      reads()
        .to('RDMA_READ_REQUEST', 0, reth(4, 128, bound))
        .refused(),
    ).toEqual(['rc-read-executed']);
  });

  it('opens nothing before it is bound, under its first key, and behind ibv_dealloc_mw', () => {
    const nothing = [['rc-window-access-denied'], []];
    expect(either(() => window().writes(128, first))).toEqual(nothing);
    expect(either(() => window().binds().writes(128, first))).toEqual(nothing);
    const gone = (): WindowTrace => window().binds().call({ call: 'dealloc_mw', mw: 9 });
    expect(either(() => gone().writes(128))).toEqual(nothing);
  });

  it('may be open or not until its binding has completed', () => {
    const early = (): WindowTrace => window().bind().writes(128);
    expect(early().taken()).toEqual([]);
    const refused = early().ack(0, 0, denied).event('IBV_EVENT_QP_ACCESS_ERR').done(1, 'IBV_WC_WR_FLUSH_ERR');
    expect(refused.settle().broken()).toEqual([]);
  });

  it('may be open or not where its end was posted before its binding completed, and asks for no completion', () => {
    const followed = (): WindowTrace => window().bind().endsQuietly();
    const both = (): WindowTrace =>
      followed().done(1, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_BIND_MW' }).settle();
    expect(either(() => both().writes(128))).toEqual([[], []]);
  });

  describe('that another QP has bound', () => {
    /** A WRITE to the first QP, of bytes that the window opens. */
    const other = (type?: 'IBV_MW_TYPE_1'): WindowTrace => {
      const trace = new WindowTrace(type).bind(type && { type }, undefined, second.qp);
      const wc = {
        wr_id: 1,
        status: 'IBV_WC_SUCCESS',
        opcode: 'IBV_WC_BIND_MW',
        qp_num: second.number,
      } as const;
      return trace.add({ kind: 'completion', t: trace.t, cq: 1, wc }).settle();
    };

    it('opens nothing, if it is of type 2', () => {
      expect(either(() => other().writes(128))).toEqual([['rc-window-of-other-qp'], []]);
      const unsure = (): WindowTrace =>
        other().call({ call: 'modify_qp', qp: second.qp, attr: { qp_state: 'IBV_QPS_RESET' } });
      expect(either(() => unsure().writes(128))).toEqual([[], []]);
    });

    it('may be open or not, if it is of type 1', () => {
      expect(either(() => other('IBV_MW_TYPE_1').writes(128))).toEqual([[], []]);
    });
  });

  it('is not known to be bound any more behind RESET', () => {
    const trace = (): WindowTrace => window().binds().enter('RESET').restart(100).writes(128);
    expect(either(trace)).toEqual([[], []]);
  });

  it('opens nothing behind IBV_WR_LOCAL_INV, and one or the other until that has completed', () => {
    const ends = (): WindowTrace => window().binds().ends();
    expect(either(() => ends().done(2).settle().writes(128))).toEqual([['rc-window-access-denied'], []]);
    expect(ends().writes(128).taken()).toEqual([]);
    expect(ends().done(2, 'IBV_WC_LOC_QP_OP_ERR').settle().broken()).toEqual(['send-sound']);
    expect(ends().done(2, 'IBV_WC_MW_BIND_ERR').settle().broken()).toEqual(['send-sound']);
    // what is not bound may not be ended
    expect(window().ends(first).done(2, 'IBV_WC_LOC_QP_OP_ERR').settle().broken()).toEqual([]);
    expect(ends().ends().done(2).done(2, 'IBV_WC_MW_BIND_ERR').settle().broken()).toEqual([]);
    expect(
      either(() =>
        window()
          .ends(region.rkey)
          .done(2)
          .settle()
          .to('RDMA_WRITE_ONLY', 0, { ...reth(4), payload: counting(4) }),
      ),
    ).toEqual([[], []]);
  });

  it('keeps its region from being deregistered', () => {
    const mr = { call: 'dereg_mr', mr: 1 } as const;
    expect(window().call(mr).broken()).toEqual([]);
    expect(window().call(mr, EBUSY).broken()).toEqual(['dereg-mr']);
    expect(window().binds().call(mr).broken()).toEqual(['dereg-mr-bound']);
    expect(window().binds().call(mr, EBUSY).broken()).toEqual([]);
    for (const errno of [undefined, EBUSY]) expect(window().bind().call(mr, errno).broken()).toEqual([]);
    expect(window().binds().ends().done(2).settle().call(mr, EBUSY).broken()).toEqual(['dereg-mr']);
    expect(window().binds().call({ call: 'dealloc_mw', mw: 9 }).call(mr, EBUSY).broken()).toEqual([
      'dereg-mr',
    ]);
  });

  it('may hold on to the QP by which it was bound', () => {
    const destroy = { call: 'destroy_qp', qp: 1 } as const;
    expect(window().binds().call(destroy, EBUSY).broken()).toEqual([]);
    expect(window().binds().call({ call: 'dealloc_mw', mw: 9 }).call(destroy, EBUSY).broken()).toEqual([
      'destroy-qp',
    ]);
  });

  it('goes when software asks for it', () => {
    expect(window().binds().call({ call: 'dealloc_mw', mw: 9 }, EBUSY).broken()).toEqual(['dealloc-mw']);
    expect(window().call({ call: 'dealloc_mw', mw: 9 }, EBUSY).broken()).toEqual(['dealloc-mw']);
    expect(window().call({ call: 'dealloc_mw', mw: 7 }, EINVAL).broken()).toEqual([]);
  });
});

describe('the binding of a memory window', () => {
  const completes = (change: Partial<WindowBinding>, status = 'IBV_WC_SUCCESS'): string[] =>
    window()
      .bind(change)
      .done(1, status as 'IBV_WC_SUCCESS')
      .settle()
      .broken();
  const faults = {
    'bind-without-right': { mr: 2, addr: without.addr },
    'bind-write-alone': { mr: 3, addr: readOnly.addr },
    'bind-out-of-bounds': { addr: region.addr + 8132n },
  };

  it('fails for what is wrong with it, and for nothing else', () => {
    for (const [rule, change] of Object.entries(faults)) {
      expect(completes(change)).toEqual([rule]);
      expect(completes(change, 'IBV_WC_LOC_QP_OP_ERR')).toEqual([rule]);
      expect(completes(change, 'IBV_WC_MW_BIND_ERR')).toEqual([]);
      expect(window().bind(change, EINVAL).settle().broken()).toEqual([]);
    }
    expect(completes({ addr: region.addr + 8128n })).toEqual([]);
    expect(completes({ mr: 3, addr: readOnly.addr, access: ['IBV_ACCESS_REMOTE_READ'] })).toEqual([]);
    expect(completes({}, 'IBV_WC_MW_BIND_ERR')).toEqual(['send-sound']);
    expect(window().bind({}, EINVAL).broken()).toEqual(['post-send-accepted']);
  });

  it('may fail for other reasons', () => {
    const others: Partial<WindowBinding>[] = [
      { length: 0 },
      { rkey: first },
      { rkey: 0x9201 },
      { mr: 5 },
      { ...faults['bind-without-right'], length: 128 },
    ];
    for (const change of others) {
      expect(completes(change, 'IBV_WC_MW_BIND_ERR')).toEqual([]);
      expect(window().bind(change, EINVAL).settle().broken()).toEqual([]);
    }
    const again = window().binds().bind({ rkey: 0x9102 });
    expect(again.done(1, 'IBV_WC_MW_BIND_ERR').settle().broken()).toEqual([]);
  });
});

describe('a memory window of type 1', () => {
  const type = 'IBV_MW_TYPE_1';
  const again = 0x9102;
  const nothing = [['rc-window-access-denied'], []];
  const typed = (): WindowTrace => new WindowTrace(type);
  const unbind = { type, rkey: again, length: 0, access: [] } satisfies Partial<WindowBinding>;

  it('opens its range by the key that ibv_bind_mw gave', () => {
    const open = (): WindowTrace => typed().binds({ type });
    expect(either(() => open().writes(128))).toEqual([[], ['rc-write-complete-asked']]);
    expect(either(() => open().writes(192))).toEqual(nothing);
    expect(either(() => open().writes(128, first))).toEqual(nothing);
  });

  it('opens nothing under either key when it is bound to no bytes', () => {
    for (const key of [bound, again])
      expect(either(() => typed().binds({ type }).binds(unbind).writes(128, key))).toEqual(nothing);
    const under = (): WindowTrace => typed().binds({ type }).bind(unbind).writes(128);
    expect(under().taken()).toEqual([]);
    const refused = under().ack(0, 0, denied).event('IBV_EVENT_QP_ACCESS_ERR').done(1, 'IBV_WC_WR_FLUSH_ERR');
    expect(refused.settle().broken()).toEqual([]);
  });

  it('can be unbound, and its region be deregistered then', () => {
    const unbinding = (): WindowTrace => typed().binds({ type }).bind(unbind);
    expect(unbinding().done(1, 'IBV_WC_MW_BIND_ERR').settle().broken()).toEqual(['send-sound']);
    const refused = typed()
      .binds({ type })
      .bind({ ...unbind, rkey: 0 }, EINVAL);
    expect(refused.broken()).toEqual(['post-send-accepted']);
    const gone = typed().binds({ type }).binds(unbind).call({ call: 'dereg_mr', mr: 1 }, EBUSY);
    expect(gone.broken()).toEqual(['dereg-mr']);
  });

  it('may not be bound by a work request, taken away, bound anew as it is, or unbound before it is bound', () => {
    const fails = (trace: WindowTrace, id: number): void => {
      expect(trace.done(id, 'IBV_WC_MW_BIND_ERR').settle().broken()).toEqual([]);
    };
    fails(typed().bind(), 1);
    fails(typed().binds({ type }).ends(), 2);
    fails(typed().binds({ type }).bind({ type, rkey: again }), 1);
    fails(typed().bind(unbind), 1);
    expect(either(() => typed().binds({ type }).ends().done(2).settle().writes(128))).toEqual(nothing);
  });
});
