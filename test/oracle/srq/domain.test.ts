import { describe, expect, it } from 'vitest';
import type { Sge, WcStatus } from '../../../spec/verbs.ts';
import { answer, bytes, region } from '../trace/packets.ts';
import { srqHandle } from '../trace/setup.ts';
import { Trace } from '../trace/trace.ts';

const own = { addr: 0x30000n, length: 256, lkey: 0x6b, rkey: 0x7c };
const protection = 'IBV_WC_LOC_PROT_ERR';

/** A QP on PD 3, with a region there, and an SRQ on PD 1, where region 1 lies. */
class ApartTrace extends Trace {
  constructor(service: 'RC' | 'UC' | 'UD') {
    super(service, { srq: true, state: 'RTS', size: { pd: 3, srq: srqHandle }, pace: { call: 1 } });
    this.call({ call: 'reg_mr', pd: 3, mr: 8, access: ['IBV_ACCESS_LOCAL_WRITE'], ...own });
  }

  /** A message of 8 bytes comes, which takes the receive WQE of this element. */
  message(element: Sge): this {
    const wr = { wr_id: 1, sg_list: [element] };
    this.call({ call: 'post_srq_recv', srq: srqHandle, wr });
    return this.to('SEND_ONLY', 0, { payload: bytes(8), ackReq: true });
  }

  taken(): string[] {
    if (this.service === 'RC') this.from('ACKNOWLEDGE', 0, answer(1));
    return this.received(1, this.service === 'UD' ? 48 : 8)
      .settle()
      .broken();
  }

  refused(): string[] {
    if (this.service === 'RC') this.from('ACKNOWLEDGE', 0, answer(0, 0x63));
    const status: WcStatus = protection;
    return this.done(1, status).event('IBV_EVENT_QP_LAST_WQE_REACHED').settle().broken();
  }
}

describe.each(['RC', 'UC', 'UD'] as const)('a %s QP on another PD than its SRQ', (service) => {
  const faulty =
    service === 'RC' ? 'rc-receive-buffer-faulty' : `${service.toLowerCase()}-fault-local-memory-shared`;
  const trace = (): ApartTrace => new ApartTrace(service);

  it('receives into memory of the PD of the SRQ', () => {
    const element = { addr: region.addr, length: 64, lkey: region.lkey };
    expect(trace().message(element).taken()).toEqual([]);
    expect(trace().message(element).refused()).not.toEqual([]);
  });

  it('does not receive into memory of its own PD', () => {
    const element = { addr: own.addr, length: 64, lkey: own.lkey };
    expect(trace().message(element).taken()).toContain(faulty);
  });
});
