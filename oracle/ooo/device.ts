import type { OutOfOrderProfile } from '../../spec/out-of-order.ts';
import type { Qp } from '../device/qp.ts';
import type { PlacedMemory } from './memory.ts';
import type { OooRules } from './registers.ts';
import type { OooInputs } from './variables.ts';

/** What the out-of-order QPs of a device have in common. */
export interface OooDevice {
  readonly placements: PlacedMemory;
  readonly profile: OutOfOrderProfile | undefined;
  /** the same for expressions */
  readonly declared: OooInputs['profile'];
  readonly rules: OooRules;
  /** nanoseconds after which a response has been looked at */
  readonly grace: number;
}

/** What a device says of itself, as expressions have it. */
export function declaredInputs(profile: OutOfOrderProfile | undefined): OooInputs['profile'] {
  if (profile === undefined) return { window: -1, fence: undefined, cap: -1, low: -1, high: -1, few: -1 };
  const { window, fence, cap, rto } = profile;
  return { window, fence, cap, ...rto };
}

/** Attributes of a QP that expressions ask for. */
export function attributesOf(qp: Qp): OooInputs['attr'] {
  return {
    timeout: qp.timeout,
    retry_cnt: qp.retryCnt,
    rnr_retry: qp.rnrRetry,
    max_rd_atomic: qp.maxRdAtomic,
    max_dest_rd_atomic: qp.maxDestRdAtomic ?? 0,
    path_mtu: qp.pmtu,
  };
}
