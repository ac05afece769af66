import { VerbsError, type Verbs } from '../../adapters/adapter.ts';
import type { AccessFlag, AhAttr, QpAttr, QpType, RecvWr, SendWr } from '../../spec/verbs.ts';
import { addressText, attributeText } from './attributes.ts';
import { join, receiveText, sendText, type Region } from './work-requests.ts';

const absent = (call: string): Promise<never> => Promise.reject(new VerbsError(call, 38));

/** Verbs that carry nothing out: each call becomes a statement in C. Objects are numbered by their order. */
export class CObjects implements Verbs {
  lines: string[] = [];
  readonly regions: Region[] = [];
  #pds = 0;
  #cqs = 0;
  #handles = 0;

  /** The statements since it was asked last. */
  taken(): string[] {
    const { lines } = this;
    this.lines = [];
    return lines;
  }

  async alloc_pd(): Promise<number> {
    const pd = this.#pds++;
    this.lines.push(`pd[${pd}] = ibv_alloc_pd(ctx);`);
    return pd;
  }

  async reg_mr({
    pd,
    length,
    access,
  }: {
    pd: number;
    length: number;
    access: AccessFlag[];
  }): Promise<Region> {
    const mr = this.regions.length;
    this.lines.push(`reg(${mr}, pd[${pd}], ${length}, ${join(access)});`);
    const key = (mr + 1) << 16;
    const region = { mr, addr: BigInt(mr + 1) << 40n, lkey: key, rkey: key | 0x8000, length };
    this.regions.push(region);
    return region;
  }

  async dereg_mr(mr: number): Promise<void> {
    this.lines.push(`called("ibv_dereg_mr", ibv_dereg_mr(region[${mr}].mr));`, `region[${mr}].mr = NULL;`);
  }

  async write_memory(mr: number, offset: number, bytes: Uint8Array): Promise<void> {
    if (bytes.length > 0) this.lines.push(`fill(${mr}, ${offset}, ${bytes.length}, ${bytes[0] ?? 0});`);
  }

  async create_cq({ cqe }: { cqe: number }): Promise<number> {
    this.lines.push(`cq[cqs++] = ibv_create_cq(ctx, ${cqe}, NULL, NULL, 0);`);
    return this.#cqs++;
  }

  async create_srq({
    pd,
    max_wr,
    max_sge,
  }: {
    pd: number;
    max_wr: number;
    max_sge: number;
  }): Promise<number> {
    this.lines.push(
      `srq = ibv_create_srq(pd[${pd}], &(struct ibv_srq_init_attr){ .attr = { ${max_wr}, ${max_sge}, 0 } });`,
    );
    return 0;
  }

  async create_qp(made: Parameters<Verbs['create_qp']>[0]): Promise<{ qp: number; qp_num: number }> {
    const { pd, send_cq, recv_cq, srq, cap } = made;
    const type: QpType = made.qp_type;
    const room = [cap.max_send_wr, cap.max_recv_wr, cap.max_send_sge, cap.max_recv_sge, cap.max_inline_data];
    this.lines.push(
      `qp = ibv_create_qp(pd[${pd}], &(struct ibv_qp_init_attr){ .qp_type = ${type}, .send_cq = cq[${send_cq}],`,
      `\t.recv_cq = cq[${recv_cq}],${srq === undefined ? '' : ' .srq = srq,'} .cap = { ${room.map((n) => n ?? 0).join(', ')} } });`,
      'if (!qp)',
      '\tdie("ibv_create_qp");',
    );
    return { qp: 0, qp_num: 0 };
  }

  async modify_qp(_qp: number, attr: QpAttr): Promise<void> {
    const { fields, mask } = attributeText(attr);
    this.lines.push(
      `called("ibv_modify_qp", ibv_modify_qp(qp, &(struct ibv_qp_attr){`,
      ...fields.map((field) => `\t${field},`),
      `}, ${join(mask)}));`,
    );
  }

  create_ah = async ({ pd, attr }: { pd: number; attr: AhAttr }): Promise<number> => {
    const handle = this.#handles++;
    this.lines.push(
      `ah[${handle}] = ibv_create_ah(pd[${pd}], &(struct ibv_ah_attr)${addressText(attr)});`,
      `if (!ah[${handle}])`,
      '\tdie("ibv_create_ah");',
    );
    return handle;
  };

  async post_recv(_qp: number, wr: RecvWr, next: readonly RecvWr[] = []): Promise<void> {
    this.lines.push(...receiveText('ibv_post_recv', 'qp', [wr, ...next], this.regions));
  }

  async post_srq_recv(_srq: number, wr: RecvWr, next: readonly RecvWr[] = []): Promise<void> {
    this.lines.push(...receiveText('ibv_post_srq_recv', 'srq', [wr, ...next], this.regions));
  }

  async post_send(_qp: number, wr: SendWr, next: readonly SendWr[] = []): Promise<void> {
    this.lines.push(...sendText([wr, ...next], this.regions));
  }

  async modify_srq(_srq: number, attr: { max_wr?: number; srq_limit?: number }): Promise<void> {
    const mask = [
      ...(attr.max_wr === undefined ? [] : ['IBV_SRQ_MAX_WR']),
      ...(attr.srq_limit === undefined ? [] : ['IBV_SRQ_LIMIT']),
    ];
    this.lines.push(
      `called("ibv_modify_srq", ibv_modify_srq(srq, &(struct ibv_srq_attr){ .max_wr = ${attr.max_wr ?? 0}, .srq_limit = ${attr.srq_limit ?? 0} }, ${join(mask)}));`,
    );
  }

  query_qp = (): Promise<never> => absent('query_qp');
  read_memory = (): Promise<never> => absent('read_memory');
  poll_cq = (): Promise<never> => absent('poll_cq');
  req_notify_cq = (): Promise<never> => absent('req_notify_cq');
  destroy_qp = (): Promise<never> => absent('destroy_qp');
  destroy_cq = (): Promise<never> => absent('destroy_cq');
  destroy_srq = (): Promise<never> => absent('destroy_srq');
  dealloc_pd = (): Promise<never> => absent('dealloc_pd');
  onCqEvent(): void {
    return undefined;
  }
  onAsyncEvent(): void {
    return undefined;
  }
}
