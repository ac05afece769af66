import { everyRight } from '../../rights.ts';
import type { EventType, QpAttr, SendWr, Wc, WcStatus } from '../../../spec/verbs.ts';
import { Trace } from '../trace/trace.ts';

const handles = [10, 20, 30, 40];
const addressOf = (mr: number): bigint => BigInt(mr * 0x1000);
const numberOf = (qp: number): number => 16 + qp;

/**
 * A trace without packets: requester QP 1 and responder QP 2 of one device. Region 10 belongs to the requester's lists, 20 to
 * the responder's receives, 30 is what requests aim at; 64 bytes each. Region 40 is longer
 * than a packet.
 */
export class EndToEndTrace extends Trace {
  constructor(service: 'RC' | 'UC', attr: QpAttr = {}) {
    super(service, {
      header: { sight: { packets: 'none', verbs: true }, timing: { responseTime: 1000, jitter: 0 } },
      judged: /^end-to-end\//,
      attr: { timeout: 1, retry_cnt: 1, rnr_retry: 1, max_rd_atomic: 1, ...attr },
      size: { max_recv_wr: 4, max_send_wr: 4 },
      regions: handles.map((mr) => {
        const keys = { lkey: mr, rkey: mr };
        return { pd: 1, mr, addr: addressOf(mr), length: mr === 40 ? 320 : 64, access: everyRight, ...keys };
      }),
      qps: [1, 2].map((qp) => ({ qp, number: numberOf(qp), peer: numberOf(3 - qp) })),
    });
    for (const mr of handles) this.call({ call: 'write_memory', mr, offset: 0, bytes: original(mr) });
  }

  receive(wr_id: number, length = 32, lkey = 20): this {
    const sg_list = [{ addr: addressOf(20), length, lkey }];
    return this.call({ call: 'post_recv', qp: 2, wr: { wr_id, sg_list } });
  }

  post(wr_id: number, wr: Partial<SendWr> & Pick<SendWr, 'opcode'>): this {
    const sg_list = [{ addr: addressOf(10), length: 32, lkey: 10 }];
    return this.send({ wr_id, sg_list, remote_addr: addressOf(30), rkey: 30, ...wr });
  }

  /** A SEND of the responder, to the requester. */
  postBack(wr_id: number): this {
    const sg_list = [{ addr: addressOf(20), length: 8, lkey: 20 }];
    return this.call({
      call: 'post_send',
      qp: 2,
      wr: { wr_id, opcode: 'IBV_WR_SEND', sg_list, send_flags: ['IBV_SEND_SIGNALED'] },
    });
  }

  completes(qp: 1 | 2, wr_id: number, status: WcStatus = 'IBV_WC_SUCCESS', more: Partial<Wc> = {}): this {
    return this.done(wr_id, status, { qp_num: numberOf(qp), ...more });
  }

  raises(qp: 1 | 2, event_type: EventType): this {
    return this.event(event_type, { qp_num: numberOf(qp) });
  }
}

/** Content of a region as the constructor wrote it. */
export function original(mr: number): Uint8Array {
  return Uint8Array.from({ length: 64 }, (_, i) => (mr === 20 ? 0 : (i + mr) & 0xff));
}
