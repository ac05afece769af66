import type { QpAttr } from '../../../spec/verbs.ts';
import type { MutantId } from '../mutant.ts';

type ByFault<T> = Readonly<Partial<Record<MutantId, T>>>;
/** The one named fault of a mutant; absent on a sound device. */
export type Fault = MutantId | undefined;

const path = ['AV', 'PATH_MTU', 'DEST_QPN', 'PKEY_INDEX', 'PORT', 'ACCESS_FLAGS'] as const;

/** Names of the transition table that a faulty device does not require. */
const notRequired: ByFault<readonly string[]> = {
  'rtr-without-min-rnr-timer': ['MIN_RNR_TIMER'],
  'rtr-without-max-dest-rd-atomic': ['MAX_DEST_RD_ATOMIC'],
  'rts-without-timeout': ['TIMEOUT'],
  'rts-without-retry-cnt': ['RETRY_CNT'],
  'rts-without-rnr-retry': ['RNR_RETRY'],
  'rts-without-max-rd-atomic': ['MAX_QP_RD_ATOMIC'],
  'first-psn-not-required': ['RQ_PSN', 'SQ_PSN'],
  'path-not-required': path,
};

/** Those that it takes anywhere. */
const everywhere: ByFault<readonly string[]> = {
  'requester-attributes-anywhere': ['TIMEOUT', 'RETRY_CNT', 'RNR_RETRY', 'SQ_PSN', 'MAX_QP_RD_ATOMIC'],
  'responder-attributes-anywhere': ['RQ_PSN', 'MAX_DEST_RD_ATOMIC'],
  'min-rnr-timer-anywhere': ['MIN_RNR_TIMER'],
  'path-attributes-anywhere': path,
};

export function withoutRequirement(fault: Fault): readonly string[] {
  return (fault && notRequired[fault]) ?? [];
}

export function takenAnywhere(fault: Fault): readonly string[] {
  return (fault && everywhere[fault]) ?? [];
}

/** Parameters whose width or limit a faulty device does not look at. */
const unchecked: ByFault<keyof QpAttr> = {
  'timeout-range-unchecked': 'timeout',
  'retry-cnt-range-unchecked': 'retry_cnt',
  'rnr-retry-range-unchecked': 'rnr_retry',
  'min-rnr-timer-range-unchecked': 'min_rnr_timer',
  'max-dest-rd-atomic-unlimited': 'max_dest_rd_atomic',
  'max-rd-atomic-unlimited': 'max_rd_atomic',
};

export function rangeUnchecked(fault: Fault): keyof QpAttr | undefined {
  return fault && unchecked[fault];
}

type From = QpAttr['qp_state'];

const alsoRefused: ByFault<(attr: QpAttr, from: From) => boolean> = {
  'sqe-final': (attr, from) => from === 'IBV_QPS_SQE' && attr.qp_state === 'IBV_QPS_RTS',
  'drain-missing': (attr) => attr.qp_state === 'IBV_QPS_SQD',
  'rights-fixed-in-init': (attr, from) =>
    attr.qp_access_flags !== undefined && from !== 'IBV_QPS_RESET' && from !== 'IBV_QPS_INIT',
  'min-rnr-timer-once': (attr, from) => attr.min_rnr_timer !== undefined && from !== 'IBV_QPS_INIT',
  'retry-parameters-once': ({ timeout, retry_cnt, rnr_retry, max_rd_atomic }, from) =>
    from === 'IBV_QPS_SQD' && [timeout, retry_cnt, rnr_retry, max_rd_atomic].some((v) => v !== undefined),
  'timeout-31-refused': ({ timeout }) => timeout === 31,
  'retry-cnt-0-refused': ({ retry_cnt }) => retry_cnt === 0,
  'rnr-retry-7-refused': ({ rnr_retry }) => rnr_retry === 7,
  'min-rnr-timer-0-refused': ({ min_rnr_timer }) => min_rnr_timer === 0,
};

/** Whether a faulty device refuses what a sound one takes. */
export function refusedByFault(fault: Fault, attr: QpAttr, from: From): boolean {
  return (fault && alsoRefused[fault])?.(attr, from) ?? false;
}

/** What software was told of a QP's attributes, where that is not what rules; by the attributes that do. */
const promised = new WeakMap<QpAttr, QpAttr>();

const keptWrongly: ByFault<(attr: QpAttr, before: QpAttr) => QpAttr> = {
  'min-rnr-timer-set-once': (attr, before) =>
    attr.min_rnr_timer === undefined || before.min_rnr_timer === undefined
      ? attr
      : { ...attr, min_rnr_timer: before.min_rnr_timer },
  'max-dest-rd-atomic-set-once': (attr, before) =>
    attr.max_dest_rd_atomic === undefined || before.max_dest_rd_atomic === undefined
      ? attr
      : { ...attr, max_dest_rd_atomic: before.max_dest_rd_atomic },
  'retry-parameters-not-renewed': (attr, before) => {
    const { timeout, retry_cnt, rnr_retry } = before;
    if (timeout === undefined || retry_cnt === undefined || rnr_retry === undefined) return attr;
    const first = { timeout, retry_cnt, rnr_retry };
    const given = Object.keys(first).filter((key) => Object.hasOwn(attr, key)) as (keyof typeof first)[];
    const pick = (from: QpAttr): QpAttr => Object.fromEntries(given.map((key) => [key, from[key]]));
    promised.set(before, { ...promised.get(before), ...pick(attr) });
    return { ...attr, ...pick(before) };
  },
  'min-rnr-timer-off-by-one': (attr) =>
    attr.min_rnr_timer === undefined ? attr : { ...attr, min_rnr_timer: (attr.min_rnr_timer + 31) & 31 },
  'retry-cnt-0-as-default': (attr) => (attr.retry_cnt === 0 ? { ...attr, retry_cnt: 7 } : attr),
  'max-dest-rd-atomic-rounded-down': (attr) => {
    const { max_dest_rd_atomic: depth = 0 } = attr;
    return depth === 0 ? attr : { ...attr, max_dest_rd_atomic: 2 ** (31 - Math.clz32(depth)) };
  },
};

/** What a faulty device makes of attributes that it has taken; `before`: those that the QP had. */
export function spoiled(fault: Fault, attr: QpAttr, before: QpAttr): QpAttr {
  return (fault && keptWrongly[fault])?.(attr, before) ?? attr;
}

const toldWrongly: ByFault<(attr: QpAttr, kept: QpAttr) => QpAttr> = {
  'retry-parameters-not-renewed': (attr, kept) => ({ ...attr, ...promised.get(kept) }),
  'query-timeout-shifted': (attr) =>
    attr.timeout === undefined ? attr : { ...attr, timeout: attr.timeout + 10 },
  'query-rnr-retry-of-retry-cnt': (attr) =>
    attr.retry_cnt === undefined ? attr : { ...attr, rnr_retry: attr.retry_cnt },
  'query-without-peer': (attr) => ({ ...attr, dest_qp_num: 0 }),
};

/** What a faulty device tells of attributes; `kept`: those that rule. */
export function misreported(fault: Fault, attr: QpAttr, kept: QpAttr): QpAttr {
  return (fault && toldWrongly[fault])?.(attr, kept) ?? attr;
}
