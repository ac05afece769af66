import { qpTransitions } from '../../spec/constants.ts';
import type { QpAttr, QpState } from '../../spec/verbs.ts';

/** Mask name (without IBV_QP_) of each attribute key. */
const maskNames: Readonly<Record<Exclude<keyof QpAttr, 'qp_state'>, string>> = {
  cur_qp_state: 'CUR_STATE',
  en_sqd_async_notify: 'EN_SQD_ASYNC_NOTIFY',
  qp_access_flags: 'ACCESS_FLAGS',
  pkey_index: 'PKEY_INDEX',
  port_num: 'PORT',
  qkey: 'QKEY',
  ah_attr: 'AV',
  path_mtu: 'PATH_MTU',
  timeout: 'TIMEOUT',
  retry_cnt: 'RETRY_CNT',
  rnr_retry: 'RNR_RETRY',
  rq_psn: 'RQ_PSN',
  max_rd_atomic: 'MAX_QP_RD_ATOMIC',
  alt_ah_attr: 'ALT_PATH',
  alt_pkey_index: 'ALT_PATH',
  alt_port_num: 'ALT_PATH',
  alt_timeout: 'ALT_PATH',
  min_rnr_timer: 'MIN_RNR_TIMER',
  sq_psn: 'SQ_PSN',
  max_dest_rd_atomic: 'MAX_DEST_RD_ATOMIC',
  path_mig_state: 'PATH_MIG_STATE',
  dest_qp_num: 'DEST_QPN',
};

type Attribute = keyof typeof maskNames;
const attributes = Object.keys(maskNames) as Attribute[];
const bitOfName = new Map([...new Set(Object.values(maskNames))].map((name, i) => [name, 1 << i]));
const bits = Object.fromEntries(attributes.map((key) => [key, bitOfName.get(maskNames[key]) ?? 0])) as Record<
  Attribute,
  number
>;

/** Bit sets of attributes. */
interface Masks {
  required: number;
  allowed: number;
}

function maskOf(names: readonly string[]): number {
  return names.reduce((mask, name) => mask | (bitOfName.get(name) ?? 0), 0);
}

/** by the state before and the state after */
const table = new Map<string, Map<string, Masks>>();
for (const { from, to, required, optional } of qpTransitions['RC'] ?? []) {
  const row = table.get(`IBV_QPS_${from}`) ?? new Map<string, Masks>();
  row.set(`IBV_QPS_${to}`, { required: maskOf(required), allowed: maskOf([...required, ...optional]) });
  table.set(`IBV_QPS_${from}`, row);
}
const stateOnly: Masks = { required: 0, allowed: 0 };

/** Whether ibv_modify_qp of an RC QP in state `from` may take these attributes; source: the transition table. */
export function transitionAllowed(from: QpState, attr: QpAttr): boolean {
  if (attr.cur_qp_state !== undefined && attr.cur_qp_state !== from) return false;
  const masks = masksOf(from, attr.qp_state ?? from);
  if (masks === undefined) return false;
  let given = 0;
  for (const key of Object.keys(attr) as (keyof QpAttr)[])
    if (key !== 'qp_state' && attr[key] !== undefined) given |= bits[key];
  return (given & ~masks.allowed) === 0 && (masks.required & ~given) === 0;
}

function masksOf(from: QpState, to: QpState): Masks | undefined {
  if (to === 'IBV_QPS_RESET') return stateOnly;
  if (to === 'IBV_QPS_ERR') return from === 'IBV_QPS_RESET' ? undefined : stateOnly;
  return table.get(from)?.get(to);
}

const ranges: readonly [keyof QpAttr, number][] = [
  ['timeout', 31],
  ['alt_timeout', 31],
  ['alt_pkey_index', 0],
  ['retry_cnt', 7],
  ['rnr_retry', 7],
  ['min_rnr_timer', 31],
  ['rq_psn', 0xffffff],
  ['sq_psn', 0xffffff],
  ['dest_qp_num', 0xffffff],
  ['pkey_index', 0],
];

const pathMtus = [256, 512, 1024, 2048, 4096];

/** Whether all values are in their range; `maxRdAtomic` bounds both READ and ATOMIC depths. */
export function valuesAllowed(attr: QpAttr, maxRdAtomic: number): boolean {
  return (
    ranges.every(([key, max]) => inRange(attr[key], max)) &&
    inRange(attr.max_rd_atomic, maxRdAtomic) &&
    inRange(attr.max_dest_rd_atomic, maxRdAtomic) &&
    (attr.port_num === undefined || attr.port_num === 1) &&
    (attr.alt_port_num === undefined || attr.alt_port_num === 1) &&
    (attr.path_mtu === undefined || pathMtus.includes(attr.path_mtu))
  );
}

function inRange(value: unknown, max: number): boolean {
  return (
    value === undefined ||
    (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max)
  );
}
