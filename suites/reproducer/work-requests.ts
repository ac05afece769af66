import type { RegisteredMr } from '../../adapters/adapter.ts';
import type { RecvWr, SendWr, Sge } from '../../spec/verbs.ts';

export interface Region extends RegisteredMr {
  length: number;
}

/** Flags, as C joins them. */
export const join = (flags: readonly string[]): string => flags.join(' | ') || '0';

/** Statements in C that post receives to the queue by one call. */
export function receiveText(
  call: string,
  queue: string,
  wrs: readonly RecvWr[],
  regions: readonly Region[],
): string[] {
  return posting(call, queue, 'ibv_recv_wr', wrs, regions, () => ({ fields: [], lines: [] }));
}

/** Statements in C that post sends by one call. */
export function sendText(wrs: readonly SendWr[], regions: readonly Region[]): string[] {
  return posting('ibv_post_send', 'qp', 'ibv_send_wr', wrs, regions, sendParts);
}

/** What a send says beside its id and its list: in its initialiser, and behind it, where `wr` is its name. */
function sendParts(wr: SendWr, name: string): { fields: string[]; lines: string[] } {
  const { opcode, raw_opcode: raw, send_flags: flags = [] } = wr;
  const atomic = opcode.includes('ATOMIC');
  const way = atomic ? 'wr.atomic' : 'wr.rdma';
  const told: [field: string, value: string | undefined][] = [
    [`${way}.remote_addr`, hexOf(wr.remote_addr)],
    [`${way}.rkey`, hexOf(wr.rkey)],
    ['wr.atomic.compare_add', hexOf(wr.compare_add)],
    ['wr.atomic.swap', hexOf(wr.swap)],
    ['imm_data', wr.imm_data === undefined ? undefined : `htonl(${wr.imm_data})`],
    ['wr.ud.ah', wr.ah === undefined ? undefined : `ah[${wr.ah}]`],
    ['wr.ud.remote_qpn', hexOf(wr.remote_qpn)],
    ['wr.ud.remote_qkey', hexOf(wr.remote_qkey)],
  ];
  return {
    fields: [
      `.opcode = ${raw === undefined ? opcode : `(enum ibv_wr_opcode)${raw}`}`,
      `.send_flags = ${join(flags)}`,
    ],
    lines: told.flatMap(([field, value]) => (value === undefined ? [] : [`\t${name}.${field} = ${value};`])),
  };
}

/** Work requests that are posted by one call, and what comes of it. */
function posting<Wr extends { wr_id: number; sg_list: readonly Sge[] }>(
  call: string,
  queue: string,
  type: string,
  wrs: readonly Wr[],
  regions: readonly Region[],
  parts: (wr: Wr, name: string) => { fields: string[]; lines: string[] },
): string[] {
  const [only] = wrs;
  const listOf = (i: number): string => (wrs.length === 1 ? 'list' : `list${i}`);
  const initialiser = (wr: Wr, i: number): string[] => [
    `.wr_id = ${wr.wr_id}, .sg_list = ${listOf(i)}, .num_sge = ${wr.sg_list.length}`,
    ...parts(wr, '').fields,
    ...(i + 1 < wrs.length ? [`.next = &wr[${i + 1}]`] : []),
  ];
  const lists = wrs.flatMap(({ sg_list: elements }, i) => list(listOf(i), elements, regions));
  if (wrs.length === 1 && only !== undefined)
    return [
      '{',
      ...lists,
      `\tstruct ${type} wr = {`,
      ...initialiser(only, 0).map((field) => `\t\t${field},`),
      '\t}, *bad;',
      '',
      ...parts(only, 'wr').lines,
      `\tcalled("${call}", ${call}(${queue}, &wr, &bad));`,
      '}',
    ];
  return [
    '{',
    ...lists,
    `\tstruct ${type} wr[${wrs.length}] = {`,
    ...wrs.map((wr, i) => `\t\t{ ${initialiser(wr, i).join(', ')} },`),
    '\t}, *bad = NULL;',
    '\tint error;',
    '',
    ...wrs.flatMap((wr, i) => parts(wr, `wr[${i}]`).lines),
    `\terror = ${call}(${queue}, wr, &bad);`,
    `\tcalled_list("${call}", error, bad ? (long)(bad - wr) : -1, ${wrs.length});`,
    '}',
  ];
}

/** A scatter or gather list; keys that are not those of their region are made from it. */
function list(name: string, elements: readonly Sge[], regions: readonly Region[]): string[] {
  if (elements.length === 0) return [`\tstruct ibv_sge *${name} = NULL;`];
  const texts = elements.map(({ addr, length, lkey }) => {
    const at = Number(addr >> 40n) - 1;
    const good = regions[at]?.lkey ?? 0;
    const key = `region[${at}].lkey${lkey === good ? '' : ` ^ 0x${(lkey ^ good).toString(16)}`}`;
    return `\t\t{ (uintptr_t)region[${at}].mem + ${addr & 0xff_ffff_ffffn}, ${length}, ${key} },`;
  });
  return [`\tstruct ibv_sge ${name}[] = {`, ...texts, '\t};'];
}

function hexOf(value: number | bigint | undefined): string | undefined {
  if (value === undefined) return undefined;
  return `0x${value.toString(16)}${typeof value === 'bigint' ? 'ull' : ''}`;
}
