import { describe, expect, it } from 'vitest';
import type { WcStatus } from '../../../spec/verbs.ts';
import { counting, dut } from '../trace/packets.ts';
import { RcTrace } from '../trace/rc.ts';
import { srqHandle } from '../trace/setup.ts';

const EINVAL = 22;

/** A QP on an SRQ that has receive WQE 20, and what is posted to the QP itself: 30. */
class OwnQueueTrace extends RcTrace {
  constructor(errno?: number) {
    super(
      {},
      {
        capabilities: ['srq'],
        regions: [
          {
            pd: 1,
            mr: 1,
            access: ['IBV_ACCESS_LOCAL_WRITE'],
            addr: 0x10000n,
            length: 8192,
            lkey: 0x66,
            rkey: 0x77,
          },
        ],
        srq: true,
      },
    );
    const sg_list = [{ addr: 0x10000n, length: 64, lkey: 0x66 }];
    this.call({ call: 'post_srq_recv', srq: srqHandle, wr: { wr_id: 20, sg_list } });
    this.call({ call: 'post_recv', qp: 1, wr: { wr_id: 30, sg_list } }, errno);
    this.to('SEND_ONLY', 0, { payload: counting(4) }).ack(0, 1);
  }

  by(wr_id: number, status: WcStatus = 'IBV_WC_SUCCESS'): this {
    const received = { opcode: 'IBV_WC_RECV', byte_len: 4 } as const;
    const wc = { wr_id, status, qp_num: dut.qp, ...(status === 'IBV_WC_SUCCESS' && received) };
    return this.add({ kind: 'completion', t: this.t, cq: 1, wc });
  }
}

describe('the own receive queue of a QP on an SRQ', () => {
  it('may be refused what is posted to it, or not', () => {
    for (const errno of [undefined, EINVAL])
      expect(new OwnQueueTrace(errno).by(20).settle().broken()).toEqual([]);
  });

  it('gives its work requests to no message', () => {
    expect(new OwnQueueTrace().by(30).settle().broken()).toContain('completion-of-unused');
  });

  it('may be flushed', () => {
    const failed = new OwnQueueTrace().by(20).enter('ERR').by(30, 'IBV_WC_WR_FLUSH_ERR');
    expect(failed.settle().broken()).not.toContain('completion-of-unused');
  });
});
