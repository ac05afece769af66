import type { VerbsCall } from '../oracle/trace.ts';
import { addressOfGid, isGid, unusedGid } from '../wire/gid.ts';
import type { QpAttr, SendWr, Sge, WindowBinding } from '../spec/verbs.ts';
import type { Cast, ListUse } from './ladder-cast.ts';

/** A call with what a reader has to know of it; nothing for those of the set-up that say nothing about the exchange. */
export function callText(call: VerbsCall, cast: Cast, whole: boolean): string | undefined {
  switch (call.call) {
    case 'post_recv':
      return `ibv_post_recv${cast.handled(call.qp)} wr_id ${call.wr.wr_id}, ${listText(call.wr.sg_list, cast, { qp: call.qp, writes: true })}`;
    case 'post_srq_recv':
      return `ibv_post_srq_recv wr_id ${call.wr.wr_id}, ${listText(call.wr.sg_list, cast, { srq: call.srq, writes: true })}`;
    case 'post_send':
      return `${nameOf(call.wr)}${cast.handled(call.qp)} wr_id ${call.wr.wr_id} ${sendText(call.wr, cast, call.qp)}`;
    case 'modify_qp': {
      const { qp_state: state, ...attr } = call.attr;
      const values = valuesText(attr);
      const parts = [state, values].filter((part) => part !== undefined && part !== '').join(', ');
      return `ibv_modify_qp${cast.handled(call.qp)} ${parts}`;
    }
    case 'query_qp': {
      const { qp_state: state = '', ...attr } = call.attr;
      return `ibv_query_qp${cast.handled(call.qp)} ${state}${whole ? `, ${valuesText(attr)}` : ''}`;
    }
    case 'dereg_mr':
      return `ibv_dereg_mr MR ${call.mr}`;
    case 'rereg_mr':
      return `ibv_rereg_mr MR ${call.mr}, ${reregisteredText(call)}`;
    case 'alloc_mw':
      return `ibv_alloc_mw ${call.type === undefined ? '' : 'type 1, '}MW ${call.mw}, rkey 0x${call.rkey.toString(16)}`;
    case 'dealloc_mw':
      return `ibv_dealloc_mw MW ${call.mw}`;
    case 'query_device':
      return `ibv_query_device, local_ca_ack_delay ${call.attr.local_ca_ack_delay}`;
    case 'reg_mr':
      return `ibv_reg_mr MR ${call.mr}, ${bytesText(call.length)} at 0x${call.addr.toString(16)}, rkey 0x${call.rkey.toString(16)}, ${flagsText(call.access)}`;
    case 'req_notify_cq':
      return `ibv_req_notify_cq CQ ${call.cq}${call.solicited_only ? ', solicited only' : ''}`;
    case 'resize_cq':
      return `ibv_resize_cq CQ ${call.cq}, ${resizedText(call)}`;
    case 'modify_srq':
      return `ibv_modify_srq ${plainText(call.attr)}`;
    case 'query_srq':
      return `ibv_query_srq ${plainText(call.attr)}`;
    case 'query_port':
      return `ibv_query_port ${call.attr.state}`;
    case 'query_gid':
      return `ibv_query_gid ${call.gids
        .filter((gid) => gid !== unusedGid)
        .map(addressOfGid)
        .join(', ')}`;
    case 'query_pkey':
      return `ibv_query_pkey entry ${call.index}: 0x${call.pkey.toString(16)}`;
    case 'create_ah':
      return `ibv_create_ah AH ${call.ah} ${wayTo(call.attr)}`;
    case 'write_memory':
    case 'create_cq':
    case 'create_srq':
    case 'create_qp':
      return undefined;
    case 'destroy_qp':
      return `ibv_destroy_qp${cast.handled(call.qp)}`;
    case 'destroy_cq':
      return `ibv_destroy_cq CQ ${call.cq}`;
    case 'destroy_srq':
      return `ibv_destroy_srq SRQ ${call.srq}`;
    case 'dealloc_pd':
      return `ibv_dealloc_pd PD ${call.pd}`;
  }
}

function resizedText({ cqe, asked }: Extract<VerbsCall, { call: 'resize_cq' }>): string {
  return cqe === asked ? `${asked} entries` : `${asked} entries asked for, ${cqe} made`;
}

/** A memory region that software asks for, and has not been given. */
export function registrationText({ length, access }: Extract<VerbsCall, { call: 'reg_mr' }>): string {
  return `ibv_reg_mr ${bytesText(length)}, ${flagsText(access)}`;
}

/** A number of bytes in words. */
export const bytesText = (bytes: number): string => `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;

const lengthOf = (list: readonly Sge[]): number => list.reduce((n, { length }) => n + length, 0);

/** Bytes of a scatter or gather list, in how many elements, and what is wrong with them. */
function listText(list: readonly Sge[], cast: Cast, use: ListUse): string {
  const bytes = bytesText(lengthOf(list));
  const parts = list.length > 1 ? ` in ${list.length} elements` : '';
  return `${bytes}${parts}${list.map((element) => cast.fault(element, use)).join('')}`;
}

/** The call by which a work request is posted. */
function nameOf({ bind_mw: binding }: SendWr): string {
  return binding?.type === undefined ? 'ibv_post_send' : 'ibv_bind_mw';
}

function sendText(wr: SendWr, cast: Cast, qp: number): string {
  const { opcode, raw_opcode: raw, sg_list: list, send_flags: flags = [], rkey, remote_addr: to } = wr;
  const { bind_mw: binding, invalidate_rkey: ended } = wr;
  const shown = flags
    .filter((flag) => flag !== 'IBV_SEND_SIGNALED')
    .map((flag) => flag.replace('IBV_SEND_', ''));
  const quiet = flags.includes('IBV_SEND_SIGNALED') ? [] : ['not signaled'];
  const inline = flags.includes('IBV_SEND_INLINE');
  const bytes = inline
    ? bytesText(lengthOf(list))
    : listText(list, cast, { qp, writes: /READ|ATOMIC/.test(opcode) });
  return [
    `${opcode}${raw === undefined ? '' : ` (opcode ${raw} in its place)`}`,
    binding === undefined ? bytes : bindingText(binding),
    ...(opcode === 'IBV_WR_LOCAL_INV' ? [`rkey 0x${(ended ?? 0).toString(16)}`] : []),
    ...(rkey === undefined ? [] : [`to 0x${(to ?? 0n).toString(16)} rkey 0x${rkey.toString(16)}`]),
    ...shown,
    ...quiet,
  ].join(', ');
}

function bindingText({ mw, rkey, mr, addr, length, access }: WindowBinding): string {
  const place = `${bytesText(length)} at 0x${addr.toString(16)} of MR ${mr}`;
  return `MW ${mw} to ${place}, rkey 0x${rkey.toString(16)}, ${flagsText(access)}`;
}

/** Where packets go: the address as they show it. */
const wayTo = ({ dgid }: { dgid: string }): string => `to ${isGid(dgid) ? addressOfGid(dgid) : dgid}`;

/** Numbers that packets show in hexadecimal are shown so here: each with its digits. */
const hexDigits: Readonly<Record<string, number>> = { dest_qp_num: 6, qkey: 8 };

function numberText(key: string, value: unknown): string {
  const digits = hexDigits[key];
  return digits === undefined || typeof value !== 'number'
    ? String(value)
    : `0x${value.toString(16).padStart(digits, '0')}`;
}

/** Attributes with their values. */
function valuesText(attr: QpAttr): string {
  return Object.entries(attr)
    .map(([key, value]) =>
      Array.isArray(value)
        ? `${key} ${flagsText(value)}`
        : typeof value === 'object'
          ? `${key} ${wayTo(value)}`
          : `${key} ${numberText(key, value)}`,
    )
    .join(', ');
}

function reregisteredText({
  pd,
  access,
  length,
  addr,
  rkey,
}: Extract<VerbsCall, { call: 'rereg_mr' }>): string {
  return [
    ...(pd === undefined ? [] : [`PD ${pd}`]),
    ...(access === undefined ? [] : [flagsText(access)]),
    ...(length === undefined ? [] : [`${bytesText(length)} at 0x${addr.toString(16)}`]),
    `rkey 0x${rkey.toString(16)}`,
  ].join(', ');
}

function plainText(attr: object): string {
  return Object.entries(attr)
    .map(([key, value]) => `${key} ${value}`)
    .join(', ');
}

function flagsText(flags: readonly string[]): string {
  return flags.map((flag) => flag.replace('IBV_ACCESS_', '')).join('|') || 'none';
}
