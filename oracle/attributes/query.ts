import type { QpAttr } from '../../spec/verbs.ts';
import { largest } from './values.ts';

/** Attributes whose queried value is held against the one that was set, with their value of the fact `attribute`. */
export const compared = {
  timeout: 'timeout',
  retry_cnt: 'retry-cnt',
  rnr_retry: 'rnr-retry',
  min_rnr_timer: 'min-rnr-timer',
  max_rd_atomic: 'max-rd-atomic',
  max_dest_rd_atomic: 'max-dest-rd-atomic',
  path_mtu: 'other',
  dest_qp_num: 'other',
} as const satisfies Partial<Record<keyof QpAttr, string>>;
export type Compared = keyof typeof compared;
export const comparedKeys = Object.keys(compared) as Compared[];

/** What an outcome demands of a queried value, in words; `undefined` where the value satisfies it. */
export function wantedValue(
  demand: string,
  key: Compared,
  set: number,
  value: number | undefined,
): string | undefined {
  switch (demand) {
    case 'as-set':
      return value === set ? undefined : `${set}`;
    case 'not-below':
      return value !== undefined && value >= set ? undefined : `${set} or more`;
    case 'in-range': {
      const most = mostOf(key);
      return value !== undefined && value <= most ? undefined : `of 0..${most}`;
    }
    default:
      return undefined;
  }
}

function mostOf(key: Compared): number {
  switch (key) {
    case 'timeout':
    case 'retry_cnt':
    case 'rnr_retry':
    case 'min_rnr_timer':
      return largest[key];
    case 'max_rd_atomic':
    case 'max_dest_rd_atomic':
    case 'path_mtu':
    case 'dest_qp_num':
      return Number.MAX_SAFE_INTEGER;
  }
}
