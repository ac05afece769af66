import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { AttributeKey } from '../../spec/qp-attributes.ts';
import { fullAccess } from '../arbitraries/base.ts';
import type { AttrPlan } from '../scenario.ts';

/** The parameters that retransmission depends on. */
export const retransmission = [
  'timeout',
  'retry_cnt',
  'rnr_retry',
  'min_rnr_timer',
  'max_rd_atomic',
  'max_dest_rd_atomic',
] as const satisfies readonly AttributeKey[];
export type Parameter = (typeof retransmission)[number];

/** 0..7, the bounds most often. */
const counter = (): fc.Arbitrary<number> => fc.oneof(fc.constantFrom(0, 7), fc.nat(7));
/** 0..31, the bounds most often. */
const code = (): fc.Arbitrary<number> => fc.oneof(fc.constantFrom(0, 31), fc.nat(31));
const largestDepth = 255;

/** Depths up to the device's limit. */
function depth(profile: Profile): fc.Arbitrary<number> {
  const most = Math.min(largestDepth, profile.limits.maxDestRdAtomic);
  return fc.oneof(fc.constantFrom(0, 1, most), fc.nat(most));
}

/** Values that a parameter may have. */
export function inRange(key: Parameter, profile: Profile): fc.Arbitrary<number> {
  switch (key) {
    case 'timeout':
    case 'min_rnr_timer':
      return code();
    case 'retry_cnt':
    case 'rnr_retry':
      return counter();
    case 'max_rd_atomic':
    case 'max_dest_rd_atomic':
      return depth(profile);
  }
}

/** Values beyond the range of a parameter, as far as its field in the verbs holds them. */
export function outOfRange(key: Parameter, profile: Profile): fc.Arbitrary<number> {
  switch (key) {
    case 'timeout':
    case 'min_rnr_timer':
      return fc.oneof(fc.constantFrom(32, 33, 63, 64, 255), fc.integer({ min: 32, max: 255 }));
    case 'retry_cnt':
    case 'rnr_retry':
      return fc.oneof(fc.constantFrom(8, 9, 15, 16, 255), fc.integer({ min: 8, max: 255 }));
    case 'max_rd_atomic':
    case 'max_dest_rd_atomic': {
      const limit = Math.min(largestDepth - 1, profile.limits.maxDestRdAtomic);
      return fc.oneof(fc.constantFrom(limit + 1, largestDepth), fc.integer({ min: limit + 1, max: 255 }));
    }
  }
}

/** One attribute with a value that it may have; none for those of path migration. */
export function attribute(key: AttributeKey, profile: Profile): fc.Arbitrary<AttrPlan> {
  switch (key) {
    case 'timeout':
    case 'retry_cnt':
    case 'rnr_retry':
    case 'min_rnr_timer':
    case 'max_rd_atomic':
    case 'max_dest_rd_atomic':
      return inRange(key, profile).map((value) => ({ [key]: value }));
    case 'qp_access_flags':
      return fc.subarray(fullAccess(profile)).map((flags) => ({ qp_access_flags: flags }));
    case 'pkey_index':
      return fc.constant({ pkey_index: 0 });
    case 'port_num':
      return fc.constant({ port_num: 1 });
    case 'qkey':
      return fc.constant({ qkey: 0x11 });
    case 'ah_attr':
      return fc.constant({ ah_attr: 'peer' });
    case 'path_mtu':
      return fc.constantFrom(...profile.pathMtus).map((mtu) => ({ path_mtu: mtu }));
    case 'rq_psn':
    case 'sq_psn':
      return fc.nat(0xffffff).map((psn) => ({ [key]: psn }));
    case 'dest_qp_num':
      return fc.constant({ dest_qp_num: 0x123456 });
    case 'en_sqd_async_notify':
      return fc.boolean().map((notify) => ({ en_sqd_async_notify: notify }));
    case 'path_mig_state':
    case 'alt_ah_attr':
    case 'alt_pkey_index':
    case 'alt_port_num':
    case 'alt_timeout':
      return fc.constant({});
  }
}

/** Attributes of path migration are tried by properties of their own. */
export function isMigration(key: AttributeKey): boolean {
  return key.startsWith('alt_') || key === 'path_mig_state';
}

/** Some of the attributes, each with a value that it may have. */
export function attributes(
  keys: readonly AttributeKey[],
  profile: Profile,
  count: { min: number; max: number },
): fc.Arbitrary<AttrPlan> {
  const usable = keys.filter((key) => !isMigration(key));
  return fc
    .shuffledSubarray(usable, {
      minLength: Math.min(count.min, usable.length),
      maxLength: Math.min(count.max, usable.length),
    })
    .chain((chosen) => fc.tuple(...chosen.map((key) => attribute(key, profile))))
    .map((all) => Object.assign({}, ...all) as AttrPlan);
}
