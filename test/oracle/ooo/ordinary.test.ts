import { describe, expect, it } from 'vitest';
import { bytes, mtu } from '../trace/packets.ts';
import { qp, type OooTrace } from './trace.ts';

const full = { payload: bytes(mtu, 1) };
const tail = { payload: bytes(8, 2) };
const rc = (): OooTrace => qp({ ordinary: true });

describe('an RC QP that places nothing out of order, on a wire that reorders', () => {
  it('completes nothing while a packet of the message or of an earlier one is missing', () => {
    const early = (): OooTrace => rc().recv(1024).to('SEND_LAST', 1, tail);
    expect(early().received(1, 264).broken()).toEqual(['ooo-completion-premature']);
    const again = early().to('SEND_FIRST', 0, full).to('SEND_LAST', 1, tail).received(1, 264);
    expect(again.broken()).toEqual([]);
    expect(again.judge().exercised.get('ooo-completion-premature')).toBe(1);
    expect(again.judge().exercised.get('ooo-completion-owed')).toBeUndefined();
  });

  it('completes in the order of posting', () => {
    const two = (): OooTrace =>
      rc().recv(64, 1024).recv(64, 2048).to('SEND_ONLY', 0, tail).to('SEND_ONLY', 1, tail);
    expect(two().received(1, 8).received(2, 8).broken()).toEqual([]);
    expect(two().received(2, 8).broken()).toEqual(['ooo-completion-order']);
  });

  it('answers no READ whose turn has not come', () => {
    const read = { reth: { va: 0x10000n, rkey: 0x77, dmaLen: 8 } };
    const response = { aeth: { syndrome: 0x1f, msn: 1 }, payload: bytes(8, 0) };
    const early = rc().to('RDMA_READ_REQUEST', 1, read).from('RDMA_READ_RESPONSE_ONLY', 1, response);
    expect(early.broken()).toEqual(['ooo-answer-waiting']);
    const next = rc().to('RDMA_READ_REQUEST', 0, read).from('RDMA_READ_RESPONSE_ONLY', 0, response);
    expect(next.broken()).toEqual([]);
  });

  it('is not judged by packets that carry a READ of half the PSNs', () => {
    const read = { reth: { va: 0x10000n, rkey: 0x77, dmaLen: 0x80000000 } };
    const trace = rc().recv(64).to('RDMA_READ_REQUEST', 0, read).received(1, 8);
    expect(trace.broken()).toEqual([]);
  });
});
