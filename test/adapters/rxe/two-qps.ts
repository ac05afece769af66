import type { Bench } from '../../../adapters/adapter.ts';
import type { QpType, Wc } from '../../../spec/verbs.ts';
import { gidOfAddress } from '../../../wire/index.ts';

/** What a message from one QP of a device to another led to. */
export interface Delivery {
  sent: Wc[];
  received: Wc[];
  text: string;
}

const text = 'from one QP to the other';

/** Sends one message from a QP of a device to another by the device's own address, within `limitMs`. */
export async function sendToOneself(
  { verbs, dut }: Bench,
  qp_type: Extract<QpType, 'IBV_QPT_RC' | 'IBV_QPT_UC'>,
  version: 4 | 6,
  limitMs = 20_000,
): Promise<Delivery> {
  const pd = await verbs.alloc_pd();
  const send_cq = await verbs.create_cq({ cqe: 8 });
  const recv_cq = await verbs.create_cq({ cqe: 8 });
  const mr = await verbs.reg_mr({ pd, length: 4096, access: ['IBV_ACCESS_LOCAL_WRITE'] });
  const make = (): Promise<{ qp: number; qp_num: number }> =>
    verbs.create_qp({
      pd,
      qp_type,
      send_cq,
      recv_cq,
      cap: { max_send_wr: 4, max_recv_wr: 4, max_send_sge: 1, max_recv_sge: 1 },
    });
  const [from, to] = [await make(), await make()];
  const dgid = gidOfAddress((version === 4 ? dut.ipv4 : dut.ipv6) ?? '');
  const sgid_index = (version === 4 ? dut.gidIndex.ipv4 : dut.gidIndex.ipv6) ?? -1;
  const connect = async (qp: number, dest_qp_num: number): Promise<void> => {
    const rc = qp_type === 'IBV_QPT_RC';
    const ah_attr = { dgid, sgid_index };
    await verbs.modify_qp(qp, {
      qp_state: 'IBV_QPS_INIT',
      pkey_index: 0,
      port_num: 1,
      qp_access_flags: [],
    });
    await verbs.modify_qp(qp, {
      qp_state: 'IBV_QPS_RTR',
      ah_attr,
      path_mtu: 1024,
      dest_qp_num,
      rq_psn: 9,
      ...(rc && { max_dest_rd_atomic: 1, min_rnr_timer: 12 }),
    });
    await verbs.modify_qp(qp, {
      qp_state: 'IBV_QPS_RTS',
      sq_psn: 9,
      ...(rc && { timeout: 18, retry_cnt: 7, rnr_retry: 7, max_rd_atomic: 1 }),
    });
  };
  await connect(from.qp, to.qp_num);
  await connect(to.qp, from.qp_num);
  await verbs.write_memory(mr.mr, 0, Buffer.from(text));
  const sge = (offset: number, length: number): { addr: bigint; length: number; lkey: number } => ({
    addr: mr.addr + BigInt(offset),
    length,
    lkey: mr.lkey,
  });
  await verbs.post_recv(to.qp, { wr_id: 1, sg_list: [sge(2048, 100)] });
  await verbs.post_send(from.qp, {
    wr_id: 2,
    opcode: 'IBV_WR_SEND',
    sg_list: [sge(0, text.length)],
    send_flags: ['IBV_SEND_SIGNALED'],
  });
  const sent: Wc[] = [];
  const received: Wc[] = [];
  for (const end = performance.now() + limitMs; performance.now() < end;) {
    sent.push(...(await verbs.poll_cq(send_cq, 4)));
    received.push(...(await verbs.poll_cq(recv_cq, 4)));
    if (sent.length > 0 && received.length > 0) break;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const found = Buffer.from(await verbs.read_memory(mr.mr, 2048, text.length)).toString();
  await verbs.destroy_qp(from.qp);
  await verbs.destroy_qp(to.qp);
  for (const cq of [send_cq, recv_cq]) await verbs.destroy_cq(cq);
  await verbs.dereg_mr(mr.mr);
  await verbs.dealloc_pd(pd);
  return { sent, received, text: found };
}

/** A delivery as it must be. */
export const delivered = {
  sent: [{ wr_id: 2, status: 'IBV_WC_SUCCESS', opcode: 'IBV_WC_SEND' }],
  received: [{ wr_id: 1, status: 'IBV_WC_SUCCESS', opcode: 'IBV_WC_RECV', byte_len: text.length }],
  text,
};
