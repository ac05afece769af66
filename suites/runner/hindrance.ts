import fc from 'fast-check';
import type { Capability, Profile } from '../../adapters/adapter.ts';
import { membersOf } from '../beside.ts';
import type { SuiteProperty } from '../property.ts';

/** Why a property cannot be tried on a device; `undefined` where it can. */
export function hindrance(property: SuiteProperty, profile: Profile): string | undefined {
  const { requires = [], wire, qps = 0 } = property;
  const missing = requires.filter((word) => !profile.capabilities.includes(word));
  if (missing.length === 0 && !profile.capabilities.includes('rc') && isOfRc(property, profile))
    missing.push('rc');
  if (missing.length > 0) return `the device has no ${missing.join(', ')}`;
  if (qps > profile.limits.maxQps) return `the device has room for ${profile.limits.maxQps} QPs`;
  return wire !== 'none' && profile.wire === 'none'
    ? 'its packets can neither be sent nor seen: the adapter has no wire'
    : undefined;
}

const services: readonly Capability[] = ['rc', 'uc', 'ud'];

/**
 * Whether the scenarios of a property that names no service are of RC, even on this device, which has none. Some take the services
 * that the device has; others have RC alone, or find nothing to choose from.
 */
function isOfRc(property: SuiteProperty, profile: Profile): boolean {
  if (property.requires?.some((word) => services.includes(word)) === true) return false;
  try {
    const scenarios = fc.sample(property.arbitrary(profile), { numRuns: 2, seed: 1 });
    return scenarios.flatMap(membersOf).some(({ service = 'RC' }) => service === 'RC');
  } catch {
    return true;
  }
}
