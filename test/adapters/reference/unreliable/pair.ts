import type { QpAttr, QpType, SendWr, Wc } from '../../../../spec/verbs.ts';
import type { RegisteredMr, Verbs } from '../../../../adapters/adapter.ts';
import {
  gidOfAddress,
  ReferenceNic,
  type MutantId,
  type ReferenceConfig,
} from '../../../../adapters/reference/index.ts';
import { VirtualClock } from '../../../../adapters/virtual-clock.ts';
import type { AsyncEvent } from '../../../../spec/verbs.ts';
import { encode, type PacketFields } from '../../../../wire/index.ts';
import { everyRight } from '../../../rights.ts';
import { ends } from '../pair.ts';

export const mtu = 256;
export const qkey = 0x1234;
/** number of a QP at the other end of the wire that nobody plays */
export const peerQp = 0x77;

/** One device with a QP of an unreliable service in RTS, whose frames are kept and never answered. */
export interface Lone {
  readonly clock: VirtualClock;
  readonly nic: ReferenceNic;
  readonly verbs: Verbs;
  readonly frames: Uint8Array[];
  readonly events: AsyncEvent[];
  readonly pd: number;
  readonly cq: number;
  readonly srq: number | undefined;
  readonly mr: RegisteredMr;
  readonly qp: number;
  readonly num: number;
  readonly ah: number;
  /** everything that completed since the last call, after 100 us */
  settle(): Promise<Wc[]>;
  /** a packet from the peer to the QP */
  deliver(fields: Omit<PacketFields, 'destQp'> & { destQp?: number }): void;
  send(wr: Partial<SendWr>): Promise<void>;
  recv(wrId: number, length: number, lkey?: number): Promise<void>;
  state(): Promise<QpAttr['qp_state']>;
}

export interface LoneOptions {
  config?: Partial<ReferenceConfig>;
  mutant?: MutantId;
  srq?: { max_wr: number; srq_limit?: number };
  upTo?: 'INIT' | 'RTR' | 'RTS';
  cqe?: number;
  maxSendWr?: number;
}

export async function lone(
  type: Exclude<QpType, 'IBV_QPT_XRC_SEND' | 'IBV_QPT_XRC_RECV'>,
  options: LoneOptions = {},
): Promise<Lone> {
  const clock = new VirtualClock();
  const frames: Uint8Array[] = [];
  const events: AsyncEvent[] = [];
  const nic = new ReferenceNic({
    clock,
    endpoint: ends[0],
    neighbours: [ends[1]],
    send: (frame) => frames.push(frame),
    ...(options.config !== undefined && { config: options.config }),
    ...(options.mutant !== undefined && { mutant: options.mutant }),
  });
  const { verbs } = nic;
  verbs.onAsyncEvent((event) => events.push(event));
  const pd = await verbs.alloc_pd();
  const cq = await verbs.create_cq({ cqe: options.cqe ?? 64 });
  const mr = await verbs.reg_mr({ pd, length: 8192, access: everyRight });
  const srq =
    options.srq === undefined ? undefined : await verbs.create_srq({ pd, max_sge: 2, ...options.srq });
  const { qp, qp_num: num } = await verbs.create_qp({
    pd,
    qp_type: type,
    send_cq: cq,
    recv_cq: cq,
    cap: {
      max_send_wr: options.maxSendWr ?? 16,
      max_recv_wr: 16,
      max_send_sge: 2,
      max_recv_sge: 2,
      max_inline_data: 64,
    },
    ...(srq !== undefined && { srq }),
  });
  const datagram = type === 'IBV_QPT_UD';
  const path = { dgid: gidOfAddress(ends[1].ipv4 ?? ''), sgid_index: 0 };
  await verbs.modify_qp(qp, {
    qp_state: 'IBV_QPS_INIT',
    pkey_index: 0,
    port_num: 1,
    ...(datagram ? { qkey } : { qp_access_flags: everyRight }),
  });
  const upTo = options.upTo ?? 'RTS';
  if (upTo !== 'INIT') {
    await verbs.modify_qp(qp, {
      qp_state: 'IBV_QPS_RTR',
      ...(!datagram && { path_mtu: mtu, dest_qp_num: peerQp, rq_psn: 100, ah_attr: path }),
      ...(type === 'IBV_QPT_RC' && { max_dest_rd_atomic: 1, min_rnr_timer: 1 }),
    });
  }
  if (upTo === 'RTS') {
    await verbs.modify_qp(qp, {
      qp_state: 'IBV_QPS_RTS',
      sq_psn: 0xfffffe,
      ...(type === 'IBV_QPT_RC' && { timeout: 8, retry_cnt: 1, rnr_retry: 1, max_rd_atomic: 1 }),
    });
  }
  const { create_ah } = verbs;
  if (create_ah === undefined) throw new Error('no address handles');
  const ah = await create_ah({ pd, attr: path });
  const post = srq === undefined ? undefined : verbs.post_srq_recv.bind(verbs, srq);
  return {
    clock,
    nic,
    verbs,
    frames,
    events,
    pd,
    cq,
    srq,
    mr,
    qp,
    num,
    ah,
    async settle() {
      clock.advance(100_000);
      return verbs.poll_cq(cq, 64);
    },
    deliver(fields) {
      nic.receive(encode({ srcIp: '10.0.0.2', dstIp: '10.0.0.1', destQp: num, ...fields }));
    },
    async send(wr) {
      const base: SendWr = {
        wr_id: 1,
        opcode: 'IBV_WR_SEND',
        sg_list: [],
        send_flags: ['IBV_SEND_SIGNALED'],
        ...(datagram && { ah, remote_qpn: peerQp, remote_qkey: qkey }),
      };
      await verbs.post_send(qp, { ...base, ...wr });
    },
    async recv(wrId, length, lkey = mr.lkey) {
      const wr = { wr_id: wrId, sg_list: [{ addr: mr.addr, length, lkey }] };
      await (post === undefined ? verbs.post_recv(qp, wr) : post(wr));
    },
    async state() {
      return (await verbs.query_qp(qp)).qp_state;
    },
  };
}

/** `n` bytes that differ from their neighbours. */
export function pattern(n: number, seed = 1): Uint8Array {
  return Uint8Array.from({ length: n }, (_, i) => (i * 7 + seed * 13 + 1) & 0xff);
}
