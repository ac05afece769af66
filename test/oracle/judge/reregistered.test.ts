import { describe, expect, it } from 'vitest';
import { EndToEndTrace, original } from '../end-to-end/trace.ts';
import { qp } from '../ooo/trace.ts';
import { bytes, reth } from '../trace/packets.ts';
import type { Trace } from '../trace/trace.ts';
import { uc } from '../unreliable/setup.ts';

/** The region moves to memory of zeros while requests for it are under way, so that their bytes may be here or there. */
function moved<T extends Trace>(trace: T, mr: number, addr: bigint, length: number): T {
  return trace.call({ call: 'rereg_mr', mr, length, addr, lkey: mr, rkey: mr });
}

const some = { payload: bytes(8), ...reth(8) };

describe('a region that ibv_rereg_mr moves while a request for it is under way', () => {
  it('holds of a UC WRITE what nobody can say', () => {
    const write = (): Trace => uc({ doubts: [] }).to('RDMA_WRITE_ONLY', 0, some);
    const end = (trace: Trace, seen: Uint8Array): string[] => trace.settle().memory(0, seen).broken();
    expect(end(write(), bytes(8, 0))).not.toEqual([]);
    expect(end(moved(write(), 1, 0x1000n, 2048), bytes(8, 0))).toEqual([]);
    expect(end(moved(write(), 1, 0x1000n, 2048), bytes(8))).toEqual([]);
  });

  it('holds of an out-of-order WRITE what nobody can say', () => {
    const write = (): Trace => qp({ doubts: [] }).to('RDMA_WRITE_ONLY', 0, { ...some, ackReq: true });
    const end = (trace: Trace): string[] => trace.settle().broken();
    expect(end(write())).toEqual(['ooo-ack-asked']);
    expect(end(moved(write(), 1, 0x1000n, 2048))).toEqual([]);
  });

  it('holds of a WRITE between two QPs what nobody can say', () => {
    const write = (): EndToEndTrace => new EndToEndTrace('UC').post(1, { opcode: 'IBV_WR_RDMA_WRITE' });
    const end = (trace: EndToEndTrace): string[] =>
      trace.completes(1, 1).settle().memory(0, original(30), 30).broken();
    expect(end(write())).not.toEqual([]);
    expect(end(moved(write(), 30, 0x30000n, 64))).toEqual([]);
  });
});
