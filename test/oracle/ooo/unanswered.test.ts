import { describe, expect, it } from 'vitest';
import { answer, bytes, reth } from '../trace/packets.ts';
import { qp, type OooTrace } from './trace.ts';

describe('the MSN of an Acknowledge', () => {
  it('may leave out a READ until it is answered, and what is behind it', () => {
    const asked = (): OooTrace =>
      qp()
        .to('RDMA_WRITE_ONLY', 0, { payload: bytes(8, 1), ...reth(8, 64) })
        .to('RDMA_READ_REQUEST', 1, { read: 0 }, reth(8))
        .to('RDMA_WRITE_ONLY', 2, { payload: bytes(8, 1), ...reth(8, 64), ackReq: true });
    const answered = (trace: OooTrace): OooTrace =>
      trace.from('RDMA_READ_RESPONSE_ONLY', 1, answer(2), { read: 0 }, { payload: bytes(8, 0) });
    for (const msn of [1, 2, 3])
      expect(
        answered(asked().ack(2, msn, 2))
          .settle()
          .broken(),
      ).toEqual([]);
    expect(asked().ack(2, 0, 2).broken()).toEqual(['ooo-response-msn']);
    expect(answered(asked()).ack(2, 3, 2).settle().broken()).toEqual([]);
    expect(answered(asked()).ack(2, 2, 2).broken()).toEqual(['ooo-response-msn']);
  });
});
