import { describe, expect, it } from 'vitest';
import type { WcStatus } from '../../../spec/verbs.ts';
import { everyRight } from '../../rights.ts';
import { counting, dut, peer, reth } from '../trace/packets.ts';
import { RcTrace } from '../trace/rc.ts';

const EBUSY = 16;
const denied = 0x62;
const first = 0x9100;
const bound = 0x9101;
const region = { addr: 0x10000n, length: 8192, lkey: 0x66, rkey: 0x77 };

/** A QP with a memory window that is bound to a part of its region, and receive WQEs 20 and 21. */
class InvalidationTrace extends RcTrace {
  constructor(binds = true) {
    super(
      {},
      {
        capabilities: ['memory-windows', 'send-with-invalidate', 'destroy-calls'],
        regions: [{ pd: 1, mr: 1, access: [...everyRight, 'IBV_ACCESS_MW_BIND'], ...region }],
        qps: [{ qp: 1, number: dut.qp, peer: peer.qp }],
      },
    );
    this.call({ call: 'alloc_mw', pd: 1, mw: 9, rkey: first });
    if (binds) this.binds(bound);
    for (const wr_id of [20, 21])
      this.call({
        call: 'post_recv',
        qp: 1,
        wr: { wr_id, sg_list: [{ addr: region.addr + 4096n, length: 64, lkey: region.lkey }] },
      });
  }

  binds(rkey: number): this {
    const bind_mw = {
      mw: 9,
      rkey,
      mr: 1,
      addr: region.addr,
      length: 64,
      access: ['IBV_ACCESS_REMOTE_WRITE' as const],
    };
    const wr = { wr_id: 1, opcode: 'IBV_WR_BIND_MW', bind_mw } as const;
    return this.call({
      call: 'post_send',
      qp: 1,
      wr: { ...wr, sg_list: [], send_flags: ['IBV_SEND_SIGNALED'] },
    })
      .done(1, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_BIND_MW' })
      .settle();
  }

  invalidates(rkey: number, at = 0): this {
    return this.to('SEND_ONLY_WITH_INVALIDATE', at, { invalidateRkey: rkey, payload: counting(4) });
  }

  brings(told?: number, wr_id = 20): this {
    const wc = { wr_id, status: 'IBV_WC_SUCCESS', opcode: 'IBV_WC_RECV', byte_len: 4 } as const;
    return this.wc({ ...wc, ...(told !== undefined && { invalidated_rkey: told }) });
  }

  wc(wc: { wr_id: number; status: WcStatus; opcode?: 'IBV_WC_RECV'; byte_len?: number }): this {
    return this.add({ kind: 'completion', t: this.t, cq: 1, wc: { ...wc, qp_num: dut.qp } });
  }

  /** It is taken. */
  done1(rkey: number, told: number | undefined = rkey): this {
    return this.invalidates(rkey).ack(0, 1).brings(told).settle();
  }

  /** It is refused, and nothing is sent. */
  refused(status: WcStatus = 'IBV_WC_MW_BIND_ERR'): string[] {
    return this.wc({ wr_id: 20, status }).wc({ wr_id: 21, status: 'IBV_WC_WR_FLUSH_ERR' }).settle().broken();
  }

  writes(at: number, rkey: number): this {
    return this.to('RDMA_WRITE_ONLY', at, { ...reth(4, 0, rkey), payload: counting(4) });
  }
}

const window = (): InvalidationTrace => new InvalidationTrace();

describe('a SEND with invalidate', () => {
  it('takes away the key of a window that is bound, at once and for good', () => {
    expect(window().done1(bound).broken()).toEqual([]);
    expect(window().done1(bound).writes(1, bound).ack(1, 2).settle().broken()).toEqual([
      'rc-window-access-denied',
    ]);
    const refused = window().done1(bound).writes(1, bound).ack(1, 1, denied).event('IBV_EVENT_QP_ACCESS_ERR');
    expect(refused.wc({ wr_id: 21, status: 'IBV_WC_WR_FLUSH_ERR' }).settle().broken()).toEqual([]);
    // what came before it finds the window as it was, whenever it is looked at
    const before = window().writes(0, bound).invalidates(bound, 1).ack(0, 1).ack(1, 2).brings(bound);
    expect(before.settle().broken()).toEqual([]);
  });

  it('leaves the key as it is where it comes twice, or out of turn', () => {
    const early = window().invalidates(bound, 1).ack(0, 0, 0x60).settle();
    expect(early.writes(0, bound).ack(0, 1).settle().broken()).toEqual([]);
    const again = window()
      .done1(bound)
      .binds(bound + 1)
      .invalidates(bound)
      .ack(0, 1)
      .settle();
    expect(
      again
        .writes(1, bound + 1)
        .ack(1, 2)
        .settle()
        .broken(),
    ).toEqual([]);
  });

  it('lets the region go, and the window be bound anew', () => {
    expect(window().done1(bound).call({ call: 'dereg_mr', mr: 1 }, EBUSY).broken()).toEqual(['dereg-mr']);
    const anew = window()
      .done1(bound)
      .binds(bound + 1)
      .binds(bound);
    expect(anew.writes(1, bound).ack(1, 2).settle().broken()).toEqual([]);
  });

  it('is reported with the key', () => {
    expect(window().done1(bound).broken()).toEqual([]);
    expect(window().invalidates(bound).ack(0, 1).brings().settle().broken()).toEqual([
      'rc-receive-invalidated',
    ]);
    expect(window().done1(bound, first).broken()).toEqual(['rc-receive-invalidated']);
    const plain = window()
      .to('SEND_ONLY', 0, { payload: counting(4) })
      .ack(0, 1);
    expect(plain.brings(bound).settle().broken()).toEqual(['rc-receive-invalidated']);
  });

  it('may end a QP that still owes an acknowledgement it has put off', () => {
    const owing = (): InvalidationTrace => window().to('SEND_ONLY', 0, { payload: counting(4) });
    const wc = { wr_id: 20, status: 'IBV_WC_SUCCESS', opcode: 'IBV_WC_RECV', byte_len: 4 } as const;
    const ended = (trace: InvalidationTrace): string[] =>
      trace.wc(wc).wc({ wr_id: 21, status: 'IBV_WC_MW_BIND_ERR' }).settle().broken();
    expect(ended(owing().invalidates(0, 1))).toEqual([]);
    expect(ended(owing().invalidates(0, 1).ack(0, 1))).toEqual([]);
    expect(ended(owing().invalidates(0, 1).ack(1, 2))).not.toEqual([]);
    expect(owing().wc(wc).settle().broken()).toEqual(['rc-send-complete-asked']);
  });

  it('is refused without an answer where nothing has the key', () => {
    for (const make of [() => window().invalidates(0), () => window().invalidates(bound + 7)]) {
      expect(make().refused()).toEqual([]);
      expect(make().refused('IBV_WC_LOC_QP_OP_ERR')).toEqual([]);
      expect(make().refused('IBV_WC_REM_INV_REQ_ERR')).toContain('rc-report-invalidation');
      expect(make().ack(0, 0, denied).refused()).toEqual(['rc-invalidation-refused']);
      expect(make().ack(0, 1).brings(0).settle().broken()).toContain('rc-invalidation-refused');
    }
    const gone = window().call({ call: 'dealloc_mw', mw: 9 }).invalidates(bound);
    expect(gone.refused()).toEqual([]);
  });

  it('may be refused or not where a window is not bound, or the key is that of a region', () => {
    for (const make of [
      () => new InvalidationTrace(false).invalidates(first),
      () => window().invalidates(region.rkey),
    ]) {
      expect(make().refused()).toEqual([]);
    }
    expect(new InvalidationTrace(false).done1(first).broken()).toEqual([]);
    expect(window().done1(region.rkey).broken()).toEqual([]);
  });
});
