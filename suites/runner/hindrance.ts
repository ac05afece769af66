import type { Profile } from '../../adapters/adapter.ts';
import type { SuiteProperty } from '../property.ts';

/** Why a property cannot be tried on a device; `undefined` where it can. */
export function hindrance(
  { requires = [], wire, qps = 0 }: SuiteProperty,
  profile: Profile,
): string | undefined {
  const missing = requires.filter((word) => !profile.capabilities.includes(word));
  if (missing.length > 0) return `the device has no ${missing.join(', ')}`;
  if (qps > profile.limits.maxQps) return `the device has room for ${profile.limits.maxQps} QPs`;
  return wire !== 'none' && profile.wire === 'none'
    ? 'its packets can neither be sent nor seen: the adapter has no wire'
    : undefined;
}
