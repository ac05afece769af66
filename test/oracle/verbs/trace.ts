import type { TraceHeader } from '../../../oracle/trace.ts';
import type { SendWr } from '../../../spec/verbs.ts';
import { region } from '../trace/packets.ts';
import { everyRegion, srqHandle, type Plan } from '../trace/setup.ts';
import { Trace } from '../trace/trace.ts';

/** region 3, of another PD */
export const foreign = { addr: 0x30000n, length: 64, lkey: 0x69, rkey: 0x7a };

export interface Setup extends Plan {
  service?: 'RC' | 'UC' | 'UD';
  /** work requests that each queue holds */
  room?: number;
  packets?: TraceHeader['sight']['packets'];
}

/** Calls, and what they bring about, each at a time of its own; the caller numbers the work requests. */
export class VerbsTrace extends Trace {
  constructor({ service = 'UD', room = 4, packets = 'at-device', capabilities = [], ...plan }: Setup = {}) {
    super(service, {
      header: { sight: { packets, verbs: true } },
      capabilities: ['apm', 'port-events', 'gid-events', 'srq-errors', ...capabilities],
      judged: /^(?:verbs|srq|cq|cq-event|objects|port)\//,
      pace: { call: 1 },
      regions: [...everyRegion, { pd: 2, mr: 3, access: ['IBV_ACCESS_LOCAL_WRITE'], ...foreign }],
      size: { max_send_wr: room, max_recv_wr: room, max_send_sge: 2, max_recv_sge: 2, max_inline_data: 16 },
      ...plan,
    });
  }

  posts(wr_id: number, more: Partial<SendWr> = {}, errno?: number): this {
    return this.send({ wr_id, length: 8, ...more }, errno);
  }

  receives(wr_id: number, errno?: number): this {
    return this.call(
      { call: 'post_recv', qp: 1, wr: { wr_id, sg_list: [{ ...region, length: 64 }] } },
      errno,
    );
  }

  shares(wr_id: number, errno?: number): this {
    const wr = { wr_id, sg_list: [{ ...region, length: 64 }] };
    return this.call({ call: 'post_srq_recv', srq: srqHandle, wr }, errno);
  }

  flush(...wrIds: number[]): this {
    for (const wrId of wrIds) this.done(wrId, 'IBV_WC_WR_FLUSH_ERR');
    return this;
  }
}
