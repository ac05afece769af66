import type { RegisteredMr } from '../../adapters/adapter.ts';
import type { RecvWr, SendWr, Sge } from '../../spec/verbs.ts';

export interface Region extends RegisteredMr {
  length: number;
}

/** Flags, as C joins them. */
export const join = (flags: readonly string[]): string => flags.join(' | ') || '0';

/** Statements in C that post a receive to the queue by the call. */
export function receiveText(call: string, queue: string, wr: RecvWr, regions: readonly Region[]): string[] {
  return [
    '{',
    ...list(wr.sg_list, regions),
    `\tstruct ibv_recv_wr wr = { .wr_id = ${wr.wr_id}, .sg_list = list, .num_sge = ${wr.sg_list.length} }, *bad;`,
    '',
    `\tcalled("${call}", ${call}(${queue}, &wr, &bad));`,
    '}',
  ];
}

/** Statements in C that post a send. */
export function sendText(wr: SendWr, regions: readonly Region[]): string[] {
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
  return [
    '{',
    ...list(wr.sg_list, regions),
    `\tstruct ibv_send_wr wr = { .wr_id = ${wr.wr_id}, .sg_list = list, .num_sge = ${wr.sg_list.length},`,
    `\t\t.opcode = ${raw === undefined ? opcode : `(enum ibv_wr_opcode)${raw}`}, .send_flags = ${join(flags)} }, *bad;`,
    '',
    ...told.flatMap(([field, value]) => (value === undefined ? [] : [`\t${field} = ${value};`])),
    '\tcalled("ibv_post_send", ibv_post_send(qp, &wr, &bad));',
    '}',
  ];
}

/** A scatter or gather list; keys that are not those of their region are made from it. */
function list(elements: readonly Sge[], regions: readonly Region[]): string[] {
  if (elements.length === 0) return ['\tstruct ibv_sge *list = NULL;'];
  const texts = elements.map(({ addr, length, lkey }) => {
    const at = Number(addr >> 40n) - 1;
    const good = regions[at]?.lkey ?? 0;
    const key = `region[${at}].lkey${lkey === good ? '' : ` ^ 0x${(lkey ^ good).toString(16)}`}`;
    return `\t\t{ (uintptr_t)region[${at}].mem + ${addr & 0xff_ffff_ffffn}, ${length}, ${key} },`;
  });
  return ['\tstruct ibv_sge list[] = {', ...texts, '\t};'];
}

function hexOf(value: number | bigint | undefined): string | undefined {
  if (value === undefined) return undefined;
  return `0x${value.toString(16)}${typeof value === 'bigint' ? 'ull' : ''}`;
}
