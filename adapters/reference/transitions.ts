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
  min_rnr_timer: 'MIN_RNR_TIMER',
  sq_psn: 'SQ_PSN',
  max_dest_rd_atomic: 'MAX_DEST_RD_ATOMIC',
  path_mig_state: 'PATH_MIG_STATE',
  dest_qp_num: 'DEST_QPN',
};

interface Masks {
  required: ReadonlySet<string>;
  allowed: ReadonlySet<string>;
}

const table = new Map<string, Masks>(
  (qpTransitions['RC'] ?? []).map((t) => [
    `${t.from}>${t.to}`,
    { required: new Set(t.required), allowed: new Set([...t.required, ...t.optional]) },
  ]),
);
const stateOnly: Masks = { required: new Set(), allowed: new Set() };

/** Whether ibv_modify_qp of an RC QP in state `from` may take these attributes; source: the transition table. */
export function transitionAllowed(from: QpState, attr: QpAttr): boolean {
  const to = attr.qp_state ?? from;
  const masks = masksOf(short(attr.cur_qp_state ?? from), short(to));
  if (masks === undefined) return false;
  if (attr.cur_qp_state !== undefined && attr.cur_qp_state !== from) return false;
  const given = new Set<string>();
  for (const key of Object.keys(maskNames) as (keyof typeof maskNames)[]) {
    if (attr[key] === undefined) continue;
    const name = maskNames[key];
    if (!masks.allowed.has(name)) return false;
    given.add(name);
  }
  for (const name of masks.required) if (!given.has(name)) return false;
  return true;
}

function masksOf(from: string, to: string): Masks | undefined {
  if (to === 'RESET') return stateOnly;
  if (to === 'ERR') return from === 'RESET' ? undefined : stateOnly;
  return table.get(`${from}>${to}`);
}

function short(state: QpState): string {
  return state.slice('IBV_QPS_'.length);
}

const ranges: readonly [keyof QpAttr, number][] = [
  ['timeout', 31],
  ['retry_cnt', 7],
  ['rnr_retry', 7],
  ['min_rnr_timer', 31],
  ['rq_psn', 0xffffff],
  ['sq_psn', 0xffffff],
  ['dest_qp_num', 0xffffff],
  ['pkey_index', 0],
];

/** Whether all values are in their range; `maxRdAtomic` bounds both READ and ATOMIC depths. */
export function valuesAllowed(attr: QpAttr, maxRdAtomic: number): boolean {
  const inRange = (value: unknown, max: number): boolean =>
    value === undefined ||
    (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max);
  return (
    ranges.every(([key, max]) => inRange(attr[key], max)) &&
    inRange(attr.max_rd_atomic, maxRdAtomic) &&
    inRange(attr.max_dest_rd_atomic, maxRdAtomic) &&
    (attr.port_num === undefined || attr.port_num === 1) &&
    (attr.path_mtu === undefined || [256, 512, 1024, 2048, 4096].includes(attr.path_mtu))
  );
}
