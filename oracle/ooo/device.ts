import type { OutOfOrderProfile } from '../../spec/out-of-order.ts';
import type { PortQueue } from '../device/port-queue.ts';
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
  /** nanoseconds by which a packet may leave later than others */
  readonly jitter: number;
  /** where what leaves may have waited */
  readonly port: PortQueue;
}

/** What a device says of itself, as expressions have it: the bounds of IRN only where it recovers like IRN. */
export function declaredInputs(
  profile: OutOfOrderProfile | undefined,
  capabilities: readonly string[] | undefined,
): OooInputs['profile'] {
  const recovery = capabilities?.includes('irn') === false ? 'own' : 'irn';
  const { window = -1, fence, cap = -1, rto } = profile ?? {};
  const bounds = recovery === 'irn' ? { cap, ...(rto ?? unbounded) } : { cap: -1, ...unbounded };
  return { recovery, window, fence, ...bounds };
}

const unbounded = { low: -1, high: -1, few: -1 };
