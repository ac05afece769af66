import { describe, expect, it } from 'vitest';
import type { WcStatus } from '../../../spec/verbs.ts';
import { answer, bytes, region, reth } from '../trace/packets.ts';
import { VerbsTrace } from '../verbs/trace.ts';

const invalid = 0x61;
const access = 0x62;
const operational = 0x63;
const asked = { max_send_wr: 4, max_recv_wr: 4, max_send_sge: 2, max_recv_sge: 2, max_inline_data: 16 };

/** A message takes a receive WQE of three elements; its queue has room for two, and says so if `told`. */
function taken(by: 'SEND' | 'WRITE' | 'SEND of two packets', { told = true, elements = 3 } = {}): VerbsTrace {
  const sge = { addr: region.addr + 4096n, length: 256, lkey: region.lkey };
  const trace = new VerbsTrace({
    service: 'RC',
    capabilities: ['room-reports'],
    judged: /./,
    size: { ...asked, ...(told && { asked }) },
  });
  trace.call({
    call: 'post_recv',
    qp: 1,
    wr: { wr_id: 1, sg_list: Array.from({ length: elements }, () => sge) },
  });
  const last = { payload: bytes(8), ackReq: true };
  if (by === 'SEND') return trace.to('SEND_ONLY', 0, last);
  if (by === 'WRITE')
    return trace.to('RDMA_WRITE_ONLY_WITH_IMMEDIATE', 0, last, { ...reth(8), immediate: 7 });
  return trace.to('SEND_FIRST', 0, { payload: bytes(256) });
}

/** It is answered so, and its WQE completes so. */
const ends = (trace: VerbsTrace, syndrome: number, status?: WcStatus, at = 0): VerbsTrace => {
  trace.from('ACKNOWLEDGE', at, answer(0, syndrome));
  return status === undefined ? trace : trace.done(1, status);
};
const broken = (trace: VerbsTrace): string[] => trace.settle().broken();

describe('a receive WQE with more elements than its queue has room for', () => {
  it('is at fault in itself where a SEND takes it', () => {
    expect(broken(ends(taken('SEND'), operational, 'IBV_WC_LOC_QP_OP_ERR'))).toEqual([]);
    for (const syndrome of [invalid, access])
      expect(broken(ends(taken('SEND'), syndrome, 'IBV_WC_LOC_QP_OP_ERR'))).toEqual([
        'rc-receive-too-many-elements',
      ]);
    for (const status of ['IBV_WC_LOC_LEN_ERR', 'IBV_WC_LOC_PROT_ERR', undefined] as const)
      expect(broken(ends(taken('SEND'), operational, status))).toEqual(['rc-report-too-many-elements']);
    expect(broken(taken('SEND'))).toEqual(['rc-receive-too-many-elements']);
  });

  it('may be noticed behind the first packet', () => {
    const last = { payload: bytes(8), ackReq: true };
    const first = ends(taken('SEND of two packets'), operational, 'IBV_WC_LOC_QP_OP_ERR');
    expect(broken(first)).toEqual([]);
    const later = taken('SEND of two packets').to('SEND_LAST', 1, last);
    expect(broken(ends(later, operational, 'IBV_WC_LOC_QP_OP_ERR', 1))).toEqual([]);
    const never = taken('SEND of two packets').to('SEND_LAST', 1, last);
    never.from('ACKNOWLEDGE', 1, answer(1)).received(1, 264);
    expect(broken(never)).toEqual(['rc-receive-too-many-elements', 'completion-beyond-room']);
  });

  it('is reported by itself or by an event where a WRITE with immediate takes it', () => {
    const refused = (status: WcStatus, event = false): string[] => {
      const trace = ends(taken('WRITE'), operational, status);
      return broken(event ? trace.event('IBV_EVENT_QP_REQ_ERR') : trace);
    };
    expect(refused('IBV_WC_LOC_QP_OP_ERR')).toEqual([]);
    expect(refused('IBV_WC_WR_FLUSH_ERR', true)).toEqual([]);
    expect(refused('IBV_WC_LOC_QP_OP_ERR', true)).toEqual(['rc-report-too-many-elements-immediate']);
    expect(broken(ends(taken('WRITE'), access, 'IBV_WC_LOC_ACCESS_ERR'))).toEqual([
      'rc-receive-too-many-elements',
    ]);
  });

  it('is none where there is room for its elements, or nobody knows', () => {
    const two = (): VerbsTrace => taken('SEND', { elements: 2 });
    expect(broken(two().from('ACKNOWLEDGE', 0, answer(1)).received(1, 8))).toEqual([]);
    expect(broken(ends(two(), operational, 'IBV_WC_LOC_QP_OP_ERR'))).toEqual(['rc-send-complete-asked']);
    expect(broken(ends(taken('SEND', { told: false }), invalid, 'IBV_WC_LOC_QP_OP_ERR'))).toEqual([]);
  });
});

describe('an element of a receive WQE that ends a byte beyond its region', () => {
  const begun = (): VerbsTrace => {
    const sge = { addr: region.addr + BigInt(region.length - 263), length: 264, lkey: region.lkey };
    return new VerbsTrace({ service: 'RC', judged: /./ })
      .call({ call: 'post_recv', qp: 1, wr: { wr_id: 1, sg_list: [sge] } })
      .to('SEND_FIRST', 0, { payload: bytes(256) });
  };

  it('is found at the latest with the last packet', () => {
    expect(broken(begun())).toEqual([]);
    const last = (): VerbsTrace =>
      begun()
        .settle()
        .to('SEND_LAST', 1, { payload: bytes(8), ackReq: true });
    expect(broken(ends(last(), operational, 'IBV_WC_LOC_PROT_ERR', 1))).toEqual([]);
    expect(broken(last().from('ACKNOWLEDGE', 1, answer(1)))).toContain('rc-receive-buffer-faulty');
  });
});
