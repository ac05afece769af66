import { VerbsError, type RegisteredMr, type Verbs } from '../../adapters/adapter.ts';
import type { AccessFlag, AhAttr, QpAttr, QpType, RecvWr, SendWr, Sge } from '../../spec/verbs.ts';
import { addressText, attributeText } from './attributes.ts';

interface Region extends RegisteredMr {
  length: number;
}

const absent = (call: string): Promise<never> => Promise.reject(new VerbsError(call, 38));
const join = (flags: readonly string[]): string => flags.join(' | ') || '0';

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

  async post_recv(_qp: number, wr: RecvWr): Promise<void> {
    this.#receive('ibv_post_recv', 'qp', wr);
  }

  async post_srq_recv(_srq: number, wr: RecvWr): Promise<void> {
    this.#receive('ibv_post_srq_recv', 'srq', wr);
  }

  async post_send(_qp: number, wr: SendWr): Promise<void> {
    const { opcode, raw_opcode: raw, send_flags: flags = [] } = wr;
    const atomic = opcode.includes('ATOMIC');
    const way = atomic ? 'wr.wr.atomic' : 'wr.wr.rdma';
    const told: [field: string, value: string | undefined][] = [
      [`${way}.remote_addr`, hexOf(wr.remote_addr)],
      [`${way}.rkey`, hexOf(wr.rkey)],
      ['wr.wr.atomic.compare_add', hexOf(wr.compare_add)],
      ['wr.wr.atomic.swap', hexOf(wr.swap)],
      ['wr.imm_data', wr.imm_data === undefined ? undefined : `htonl(${wr.imm_data})`],
      ['wr.wr.ud.ah', wr.ah === undefined ? undefined : `ah[${wr.ah}]`],
      ['wr.wr.ud.remote_qpn', hexOf(wr.remote_qpn)],
      ['wr.wr.ud.remote_qkey', hexOf(wr.remote_qkey)],
    ];
    this.lines.push(
      '{',
      ...this.#list(wr.sg_list),
      `\tstruct ibv_send_wr wr = { .wr_id = ${wr.wr_id}, .sg_list = list, .num_sge = ${wr.sg_list.length},`,
      `\t\t.opcode = ${raw === undefined ? opcode : `(enum ibv_wr_opcode)${raw}`}, .send_flags = ${join(flags)} }, *bad;`,
      '',
      ...told.flatMap(([field, value]) => (value === undefined ? [] : [`\t${field} = ${value};`])),
      '\tcalled("ibv_post_send", ibv_post_send(qp, &wr, &bad));',
      '}',
    );
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

  #receive(call: string, queue: string, wr: RecvWr): void {
    this.lines.push(
      '{',
      ...this.#list(wr.sg_list),
      `\tstruct ibv_recv_wr wr = { .wr_id = ${wr.wr_id}, .sg_list = list, .num_sge = ${wr.sg_list.length} }, *bad;`,
      '',
      `\tcalled("${call}", ${call}(${queue}, &wr, &bad));`,
      '}',
    );
  }

  /** A scatter or gather list; keys that are not those of their region are made from it. */
  #list(list: readonly Sge[]): string[] {
    if (list.length === 0) return ['\tstruct ibv_sge *list = NULL;'];
    const elements = list.map(({ addr, length, lkey }) => {
      const at = Number(addr >> 40n) - 1;
      const good = this.regions[at]?.lkey ?? 0;
      const key = `region[${at}].lkey${lkey === good ? '' : ` ^ 0x${(lkey ^ good).toString(16)}`}`;
      return `\t\t{ (uintptr_t)region[${at}].mem + ${addr & 0xff_ffff_ffffn}, ${length}, ${key} },`;
    });
    return ['\tstruct ibv_sge list[] = {', ...elements, '\t};'];
  }
}

function hexOf(value: number | bigint | undefined): string | undefined {
  if (value === undefined) return undefined;
  return `0x${value.toString(16)}${typeof value === 'bigint' ? 'ull' : ''}`;
}
