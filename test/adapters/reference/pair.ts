import { expect } from 'vitest';
import type { AccessFlag, AsyncEvent, PathMtu, QpAttr, Wc } from '../../../spec/verbs.ts';
import type { Endpoint, RegisteredMr, Verbs } from '../../../adapters/adapter.ts';
import {
  gidOfAddress,
  ReferenceNic,
  type MutantId,
  type ReferenceConfig,
} from '../../../adapters/reference/index.ts';
import { VirtualClock } from '../../../adapters/virtual-clock.ts';
import { decode, type Packet } from '../../../wire/index.ts';
import { everyRight } from '../../rights.ts';

export const ends: readonly [Endpoint, Endpoint] = [
  { mac: '02:00:00:00:00:01', ipv4: '10.0.0.1', ipv6: 'fd00::1', gidIndex: { ipv4: 0, ipv6: 1 } },
  { mac: '02:00:00:00:00:02', ipv4: '10.0.0.2', ipv6: 'fd00::2', gidIndex: { ipv4: 0, ipv6: 1 } },
];

export interface Side {
  nic: ReferenceNic;
  verbs: Verbs;
  events: AsyncEvent[];
  pd: number;
  cq: number;
  qp: number;
  num: number;
  mr: RegisteredMr;
}

export interface SideOptions {
  mtu?: PathMtu;
  version?: 4 | 6;
  qp?: QpAttr;
  access?: AccessFlag[];
  memory?: number;
  srq?: { max_wr: number; srq_limit: number };
  config?: Partial<ReferenceConfig>;
  mutant?: MutantId;
  /** the QP places packets out of order */
  ooo?: true;
}

/** One device with a QP in INIT and one region. */
export async function makeSide(
  clock: VirtualClock,
  index: 0 | 1,
  send: (frame: Uint8Array) => void,
  options: SideOptions = {},
): Promise<Side & { srq: number | undefined }> {
  const nic = new ReferenceNic({
    clock,
    endpoint: ends[index],
    send,
    ...(options.config === undefined ? {} : { config: options.config }),
    ...(options.mutant === undefined ? {} : { mutant: options.mutant }),
  });
  const { verbs } = nic;
  const events: AsyncEvent[] = [];
  verbs.onAsyncEvent((event) => events.push(event));
  const pd = await verbs.alloc_pd();
  const cq = await verbs.create_cq({ cqe: 4096 });
  const mr = await verbs.reg_mr({
    pd,
    length: options.memory ?? 65536,
    access: options.access ?? everyRight,
  });
  const srq =
    options.srq === undefined ? undefined : await verbs.create_srq({ pd, max_sge: 4, ...options.srq });
  const { qp, qp_num } = await verbs.create_qp({
    pd,
    qp_type: 'IBV_QPT_RC',
    send_cq: cq,
    recv_cq: cq,
    cap: { max_send_wr: 256, max_recv_wr: 256, max_send_sge: 4, max_recv_sge: 4, max_inline_data: 64 },
    ...(srq === undefined ? {} : { srq }),
    ...(options.ooo === true && { ooo: true }),
  });
  await verbs.modify_qp(qp, {
    qp_state: 'IBV_QPS_INIT',
    pkey_index: 0,
    port_num: 1,
    qp_access_flags: everyRight,
  });
  return { nic, verbs, events, pd, cq, qp, num: qp_num, mr, srq };
}

/** INIT to RTR, and on to RTS. */
export async function connect(
  side: Side,
  remote: { num: number; ip: string },
  rqPsn: number,
  sqPsn: number,
  options: SideOptions = {},
  upTo: 'RTR' | 'RTS' = 'RTS',
): Promise<void> {
  const { qp = {} } = options;
  await side.verbs.modify_qp(side.qp, {
    qp_state: 'IBV_QPS_RTR',
    path_mtu: options.mtu ?? 256,
    dest_qp_num: remote.num,
    rq_psn: rqPsn,
    max_dest_rd_atomic: qp.max_dest_rd_atomic ?? 4,
    min_rnr_timer: qp.min_rnr_timer ?? 1,
    ah_attr: { dgid: gidOfAddress(remote.ip), sgid_index: options.version === 6 ? 1 : 0 },
  });
  if (upTo === 'RTR') return;
  await side.verbs.modify_qp(side.qp, {
    qp_state: 'IBV_QPS_RTS',
    timeout: qp.timeout ?? 8,
    retry_cnt: qp.retry_cnt ?? 7,
    rnr_retry: qp.rnr_retry ?? 7,
    sq_psn: sqPsn,
    max_rd_atomic: qp.max_rd_atomic ?? 4,
  });
}

export function packetOf(frame: Uint8Array): Packet {
  const decoded = decode(frame);
  if (decoded.kind !== 'packet') throw new Error(`no packet: ${decoded.reason}`);
  expect(decoded.packet.icrcOk).toBe(true);
  return decoded.packet;
}

export async function poll(side: Side): Promise<Wc[]> {
  return side.verbs.poll_cq(side.cq, 4096);
}
