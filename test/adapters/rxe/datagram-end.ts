import type { Endpoint, RegisteredMr, Verbs } from '../../../adapters/adapter.ts';
import { gidOfAddress } from '../../../adapters/reference/index.ts';
import type { SendWr, Sge, Wc } from '../../../spec/verbs.ts';
import { until } from './link.ts';

/** Q_Key of every end. */
export const qkey = 0x11111111;

/** GID of an address that must be there. */
export const gidOf = (address: string | undefined): string => gidOfAddress(address ?? '');

/** A UD QP in RTS with a CQ and 4 KiB of memory of its own. */
export class DatagramEnd {
  readonly #verbs: Verbs;
  readonly pd: number;
  readonly cq: number;
  readonly qp: number;
  readonly qp_num: number;
  readonly mr: RegisteredMr;
  readonly #handles: number[] = [];

  private constructor(
    verbs: Verbs,
    parts: { pd: number; cq: number; qp: number; qp_num: number; mr: RegisteredMr },
  ) {
    this.#verbs = verbs;
    ({ pd: this.pd, cq: this.cq, qp: this.qp, qp_num: this.qp_num, mr: this.mr } = parts);
  }

  static async open(verbs: Verbs, options: { cqe?: number } = {}): Promise<DatagramEnd> {
    const pd = await verbs.alloc_pd();
    const cq = await verbs.create_cq({ cqe: options.cqe ?? 64 });
    const mr = await verbs.reg_mr({ pd, length: 4096, access: ['IBV_ACCESS_LOCAL_WRITE'] });
    const { qp, qp_num } = await verbs.create_qp({
      pd,
      qp_type: 'IBV_QPT_UD',
      send_cq: cq,
      recv_cq: cq,
      cap: { max_send_wr: 16, max_recv_wr: 16, max_send_sge: 2, max_recv_sge: 2, max_inline_data: 64 },
    });
    await verbs.modify_qp(qp, { qp_state: 'IBV_QPS_INIT', pkey_index: 0, port_num: 1, qkey });
    await verbs.modify_qp(qp, { qp_state: 'IBV_QPS_RTR' });
    await verbs.modify_qp(qp, { qp_state: 'IBV_QPS_RTS', sq_psn: 700 });
    return new DatagramEnd(verbs, { pd, cq, qp, qp_num, mr });
  }

  /** Address handle to an address, which goes with this end. */
  async handleFor(address: string | undefined, own: Endpoint, version: 4 | 6): Promise<number> {
    const sgid_index = (version === 4 ? own.gidIndex.ipv4 : own.gidIndex.ipv6) ?? -1;
    const ah = await this.#verbs.create_ah?.({ pd: this.pd, attr: { dgid: gidOf(address), sgid_index } });
    if (ah === undefined) throw new Error('there is no create_ah');
    this.#handles.push(ah);
    return ah;
  }

  sge(offset: number, length: number): Sge {
    return { addr: this.mr.addr + BigInt(offset), length, lkey: this.mr.lkey };
  }

  async write(text: string): Promise<void> {
    await this.#verbs.write_memory(this.mr.mr, 0, Buffer.from(text));
  }

  async read(offset: number, length: number): Promise<Buffer> {
    return Buffer.from(await this.#verbs.read_memory(this.mr.mr, offset, length));
  }

  post(sg_list: Sge[]): Promise<void> {
    return this.#verbs.post_recv(this.qp, { wr_id: 1, sg_list });
  }

  send(wr: Partial<SendWr>): Promise<void> {
    const send_flags: SendWr['send_flags'] = ['IBV_SEND_SIGNALED'];
    return this.#verbs.post_send(this.qp, {
      wr_id: 2,
      opcode: 'IBV_WR_SEND',
      sg_list: [],
      send_flags,
      ...wr,
    });
  }

  completion(): Promise<Wc | undefined> {
    return until(async () => (await this.#verbs.poll_cq(this.cq, 1))[0]);
  }

  async close(): Promise<void> {
    await this.#verbs.destroy_qp(this.qp);
    for (const ah of this.#handles) await this.#verbs.destroy_ah?.(ah).catch(() => undefined); // a test may have been faster
    await this.#verbs.destroy_cq(this.cq);
    await this.#verbs.dereg_mr(this.mr.mr);
    await this.#verbs.dealloc_pd(this.pd);
  }
}
