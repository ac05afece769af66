import { isIPv6 } from 'node:net';
import type { CongestionProfile, RateRecord } from '../../spec/congestion.ts';
import type { OutOfOrderProfile } from '../../spec/out-of-order.ts';
import type { Capability, Endpoint, Profile } from '../adapter.ts';
import {
  amount,
  between,
  ShapeError,
  dictionary,
  either,
  flag,
  integer,
  list,
  matching,
  named,
  numberOf,
  object,
  oneOf,
  someOf,
  text,
  upTo,
} from './check.ts';
import type { Check } from './check.ts';

/** Shapes of what a device says of itself: its profile and its addresses. */

const everyCapability: Readonly<Record<Capability, true>> = {
  rc: true,
  uc: true,
  ud: true,
  xrc: true,
  atomic: true,
  srq: true,
  'uc-srq': true,
  apm: true,
  rcm: true,
  dcqcn: true,
  'rate-reports': true,
  ooo: true,
  irn: true,
  'ooo-full-fence': true,
  'send-with-invalidate': true,
  'atomic-lists': true,
  iova: true,
  'iova-in-page': true,
  'memory-windows': true,
  'memory-windows-1': true,
  'rereg-mr': true,
  'rereg-mr-translation': true,
  flush: true,
  'atomic-write': true,
  'rnr-any-request': true,
  'min-timeout': true,
  'unknown-limits': true,
  'excess-limits': true,
  'cq-events': true,
  'cq-resize': true,
  'room-reports': true,
  'destroy-calls': true,
  'wr-lists': true,
  'port-events': true,
  'gid-events': true,
  'second-context': true,
  'traffic-class': true,
  'hop-limit': true,
  'flow-label': true,
  'pkey-entries': true,
  'srq-resize': true,
  'srq-errors': true,
  'srq-abort': true,
};
/** Words that a profile may have. */
export const capabilities: readonly Capability[] = Object.keys(everyCapability) as Capability[];
const capability = named('capability', oneOf(...capabilities));

export const congestion = named(
  'congestion',
  object(
    {
      lineRate: amount,
      cnp: object({ interval: integer, scope: oneOf('qp', 'source', 'port') }),
    },
    {
      dcqcn: object(
        {
          g: amount,
          initialAlpha: amount,
          alphaSlot: amount,
          decreaseSlot: amount,
          minDecreaseFactor: amount,
          minRate: amount,
          timer: amount,
          bytes: amount,
          threshold: amount,
          activeIncrease: amount,
          hyperIncrease: amount,
          clampTarget: flag,
        },
        { firstRate: amount },
      ),
      resolution: object({ rate: amount, alpha: amount }),
    },
  ),
) satisfies Check<CongestionProfile>;

/** The reaction point's account of one QP's rate. */
export const rateRecord = named(
  'rate_record',
  object({
    qp_num: integer,
    cause: oneOf('cnp', 'cut', 'alpha-slot', 'timer', 'bytes'),
    rate: amount,
    target: amount,
    alpha: amount,
  }),
) satisfies Check<RateRecord>;

export const outOfOrder = named(
  'out_of_order',
  object(
    { window: integer, fence: oneOf('indicator', 'guard', 'application'), fencesAll: flag },
    { cap: integer, rto: object({ low: integer, high: integer, few: integer }) },
  ),
) satisfies Check<OutOfOrderProfile>;

type OptionalKey = {
  [K in keyof Profile]-?: undefined extends Profile[K] ? K : never;
}[keyof Profile];

/** Device's own words for itself; a device beyond a pipe declares one of the two clocks. */
export const profile = named(
  'profile',
  object(
    {
      name: text,
      capabilities: list(capability),
      pathMtus: someOf(numberOf(256, 512, 1024, 2048, 4096)),
      ipVersions: someOf(numberOf(4, 6)),
      limits: object(
        { maxDestRdAtomic: integer, maxMessageBytes: integer, maxQps: integer },
        // fewer are not tried: an adapter gathers and scatters what its device does not
        { maxSge: between(4, 65535) },
      ),
      clock: oneOf('virtual', 'real'),
      // 10 minutes: of simulated time no device takes as long, and times of a case stay below 2^53
      responseTime: upTo(600e9),
      concurrency: integer,
    },
    {
      version: text,
      wire: oneOf('none'),
      minTimeout: integer,
      wireJitter: integer,
      congestion,
      outOfOrder,
      choices: dictionary(either(text, either(amount, flag))),
    } satisfies Record<OptionalKey, Check<unknown>>,
  ),
) satisfies Check<Profile>;

/** Four numbers of 0 to 255. */
const octets = /^((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(\.(?!$)|$)){4}$/;

export const endpoint = named(
  'endpoint',
  object(
    {
      mac: matching(
        /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/,
        'a MAC address in lower case, such as 02:00:00:00:00:01',
      ),
      gidIndex: object({}, { ipv4: integer, ipv6: integer }),
    },
    {
      ipv4: matching(octets, 'an IPv4 address such as 10.0.0.1'),
      ipv6: matching(/^[0-9a-f:]{2,39}$/, 'an IPv6 address in lower case, such as fd00::1', isIPv6),
    },
  ),
) satisfies Check<Endpoint>;

/** A device and its two ends on the wire. */
export interface Ends {
  profile: Pick<Profile, 'ipVersions' | 'wire'>;
  dut: Endpoint;
  peer: Endpoint;
}

/** Each IP version of the profile takes an address at either end, another one where there is a wire: ShapeError names the one that is missing or wrong. */
export function mustHaveAddresses({ profile: { ipVersions, wire }, ...ends }: Ends, path: string): void {
  for (const version of ipVersions) {
    const name = version === 4 ? 'ipv4' : 'ipv6';
    for (const end of ['dut', 'peer'] as const)
      if (ends[end][name] === undefined)
        throw ShapeError.missing(`${path}.${end}.${name}`, `ipVersions of the profile has ${version}`);
    // without a wire the peer is another QP of the device
    if (wire !== 'none' && ends.dut[name] === ends.peer[name])
      throw new ShapeError(`${path}.peer.${name}`, 'another address than that of dut', ends.peer[name]);
  }
}
