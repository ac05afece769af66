import type { Bench, RegisteredMr } from '../../../adapters/adapter.ts';
import { opcodeByName } from '../../../spec/constants.ts';
import type { QpAttr, Wc } from '../../../spec/verbs.ts';
import { decode, encode, gidOfAddress } from '../../../wire/index.ts';
import type { Packet, PacketFields } from '../../../wire/index.ts';
import { everyRight } from '../../rights.ts';

/** Waits for a condition, at most `limitMs`; undefined if it does not come. */
export async function until<T>(
  probe: () => T | undefined | Promise<T | undefined>,
  limitMs = 5000,
): Promise<T | undefined> {
  for (const end = performance.now() + limitMs; performance.now() < end;) {
    const value = await probe();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return undefined;
}

const peerQp = 0x123456;

/** Attributes of the three transitions of an RC QP to our peer. */
export function connectAttrs(bench: Bench, version: 4 | 6, more: QpAttr = {}): QpAttr[] {
  const index = version === 4 ? bench.peer.gidIndex.ipv4 : bench.peer.gidIndex.ipv6;
  const dgid = gidOfAddress((version === 4 ? bench.peer.ipv4 : bench.peer.ipv6) ?? '');
  return [
    { qp_state: 'IBV_QPS_INIT', pkey_index: 0, port_num: 1, qp_access_flags: everyRight.slice(1) },
    {
      qp_state: 'IBV_QPS_RTR',
      ah_attr: { dgid, sgid_index: index ?? -1 },
      path_mtu: more.path_mtu ?? 1024,
      dest_qp_num: peerQp,
      rq_psn: 100,
      max_dest_rd_atomic: 4,
      min_rnr_timer: 12,
    },
    {
      qp_state: 'IBV_QPS_RTS',
      sq_psn: 7000,
      timeout: more.timeout ?? 18,
      retry_cnt: more.retry_cnt ?? 7,
      rnr_retry: 7,
      max_rd_atomic: 4,
    },
  ];
}

/** A connected RC QP with memory, and the peer that we play on the wire. */
export interface Link {
  pd: number;
  cq: number;
  qp: number;
  qp_num: number;
  mr: RegisteredMr;
  send(name: string, psn: number, fields?: Partial<PacketFields>): void;
  /** the next packet from this QP to us, in order */
  receive(limitMs?: number): Promise<Packet | undefined>;
  completion(): Promise<Wc | undefined>;
  close(): Promise<void>;
}

/** Shares a bench's one frame listener among links, by the QP number that frames are for. */
export class Links {
  readonly #bench: Bench;
  readonly #packets: Packet[] = [];

  constructor(bench: Bench) {
    this.#bench = bench;
    bench.wire?.onFrame((frame) => {
      const decoded = decode(frame);
      if (decoded.kind === 'packet') this.#packets.push(decoded.packet);
    });
  }

  /** frames that nobody has received yet are forgotten */
  async open(options: { version?: 4 | 6; srq?: number; pd?: number; attr?: QpAttr } = {}): Promise<Link> {
    const { verbs, dut, peer, wire } = this.#bench;
    const version = options.version ?? 4;
    this.#packets.length = 0;
    const pd = options.pd ?? (await verbs.alloc_pd());
    const cq = await verbs.create_cq({ cqe: 64 });
    const mr = await verbs.reg_mr({ pd, length: 16384, access: everyRight });
    const { qp, qp_num } = await verbs.create_qp({
      pd,
      qp_type: 'IBV_QPT_RC',
      send_cq: cq,
      recv_cq: cq,
      ...(options.srq !== undefined && { srq: options.srq }),
      cap: { max_send_wr: 16, max_recv_wr: 16, max_send_sge: 2, max_recv_sge: 2 },
    });
    for (const attr of connectAttrs(this.#bench, version, options.attr)) await verbs.modify_qp(qp, attr);
    const from = version === 4 ? peer.ipv4 : peer.ipv6;
    const to = version === 4 ? dut.ipv4 : dut.ipv6;
    return {
      pd,
      cq,
      qp,
      qp_num,
      mr,
      send: (name, psn, fields = {}) =>
        wire?.send(
          encode({
            srcMac: peer.mac,
            dstMac: dut.mac,
            srcIp: from ?? '',
            dstIp: to ?? '',
            opcode: opcodeByName(name),
            destQp: qp_num,
            psn,
            ackReq: true,
            ...fields,
          }),
        ),
      receive: (limitMs) => until(() => this.#packets.shift(), limitMs),
      completion: () => until(async () => (await verbs.poll_cq(cq, 1))[0]),
      close: async () => {
        await verbs.destroy_qp(qp);
        await verbs.destroy_cq(cq);
        await verbs.dereg_mr(mr.mr);
        if (options.pd === undefined) await verbs.dealloc_pd(pd);
      },
    };
  }
}
