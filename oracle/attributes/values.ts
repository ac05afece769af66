import type { QpAttr } from '../../spec/verbs.ts';

/** What the trace tells of the device's limits; `undefined`: nothing. */
export interface QpLimits {
  /** max_qp_rd_atom */
  destination: number | undefined;
  /** max_qp_init_rd_atom */
  initiator: number | undefined;
  /** smallest effective timeout code but 0 */
  minTimeout: number;
  /** the device has ATOMICs; `undefined`: not known */
  atomics: boolean | undefined;
}

const largestPsn = 0xffffff;
/** Largest value of the attributes that are counters or codes of a few bits. */
export const largest = { timeout: 31, retry_cnt: 7, rnr_retry: 7, min_rnr_timer: 31 } as const;

/** Facts of the table qp-modify-values. */
export function valueFacts(attr: QpAttr, limits: QpLimits): Readonly<Record<string, string>> {
  return {
    timeoutValue: bounded(attr.timeout, largest.timeout),
    retryCntValue: bounded(attr.retry_cnt, largest.retry_cnt),
    rnrRetryValue: bounded(attr.rnr_retry, largest.rnr_retry),
    minRnrTimerValue: bounded(attr.min_rnr_timer, largest.min_rnr_timer),
    maxRdAtomicValue: depth(attr.max_rd_atomic, limits.initiator),
    maxDestRdAtomicValue: depth(attr.max_dest_rd_atomic, limits.destination),
    otherValue: sound(attr, limits) ? 'sound' : 'beyond',
  };
}

function bounded(value: number | undefined, most: number): string {
  if (value === undefined) return 'absent';
  if (value === 0) return 'zero';
  return value < most ? 'inside' : value === most ? 'largest' : 'beyond';
}

function depth(value: number | undefined, most: number | undefined): string {
  if (value === undefined) return 'absent';
  // every device that has READs takes one
  if (most === undefined) return value <= 1 ? 'usable' : 'unknown';
  return value <= most ? 'usable' : 'beyond';
}

/** Port 1 and the first P_Key are all that a scenario can count on. */
function sound(attr: QpAttr, { atomics }: QpLimits): boolean {
  const numbers = [attr.rq_psn, attr.sq_psn, attr.dest_qp_num];
  const rights = attr.qp_access_flags ?? [];
  return (
    numbers.every((number) => (number ?? 0) <= largestPsn) &&
    (attr.pkey_index ?? 0) === 0 &&
    (attr.port_num ?? 1) === 1 &&
    (atomics === true || !rights.includes('IBV_ACCESS_REMOTE_ATOMIC'))
  );
}
