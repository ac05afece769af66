import type { WindowBinding } from '../../../spec/verbs.ts';
import { everyRight } from '../../rights.ts';
import { counting, dut, peer, region, reth, type Fields } from './packets.ts';
import type { Plan } from './setup.ts';
import type { Trace } from './trace.ts';

/** keys of the window before and after it is bound */
export const first = 0x9100;
export const bound = 0x9101;
/** what it is bound to: 64 bytes of region 1 from here on */
export const from = 128;
const other = { qp: 2, number: 0x33, peer: 0x44 };

/** A region that windows may be bound to, and a second QP. */
export const windowPlan: Plan = {
  capabilities: ['memory-windows'],
  regions: [{ pd: 1, mr: 1, access: [...everyRight, 'IBV_ACCESS_MW_BIND'], ...region }],
  qps: [{ qp: 1, number: dut.qp, peer: peer.qp }, other],
};

/** A window, and work request 1 of a QP that binds it. */
export function binding<T extends Trace>(trace: T, change: Partial<WindowBinding> = {}, qp = 1): T {
  const addr = region.addr + BigInt(from);
  const access: WindowBinding['access'] = ['IBV_ACCESS_REMOTE_WRITE'];
  const bind_mw = { mw: 9, rkey: bound, mr: 1, addr, length: 64, access, ...change };
  const wr = { wr_id: 1, opcode: 'IBV_WR_BIND_MW', sg_list: [], bind_mw } as const;
  trace.call({ call: 'alloc_mw', pd: 1, mw: 9, rkey: first });
  return trace.call({
    call: 'post_send',
    qp,
    wr: { ...wr, sg_list: [], send_flags: ['IBV_SEND_SIGNALED'] },
  });
}

/** The same, which has completed. */
export function binds<T extends Trace>(trace: T, change: Partial<WindowBinding> = {}, qp = 1): T {
  const qp_num = qp === 1 ? dut.qp : other.number;
  binding(trace, change, qp).done(1, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_BIND_MW', qp_num });
  return trace.settle();
}

/** A WRITE of 8 bytes to this offset of region 1, by a key. */
export function writes<T extends Trace>(trace: T, offset: number, key = bound, more: Fields = {}): T {
  return trace.to('RDMA_WRITE_ONLY', 0, reth(8, offset, key), { payload: counting(8, 1) }, more);
}

export const untouched = new Uint8Array(8);
export const written = counting(8, 1);
