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
} from './check.ts';
import type { Check } from './check.ts';

/** Shapes of what a device says of itself: its profile and its addresses. */

/** What each capability means, for who writes a device. */
export const capabilityMeanings: Readonly<Record<Capability, string>> = {
  rc: 'QPs of the service RC',
  uc: 'QPs of the service UC',
  ud: 'QPs of the service UD',
  xrc: 'QPs of the service XRC; no rule asks for it',
  atomic: 'ATOMIC operations of RC',
  srq: 'shared receive queues, of QPs of RC and UD',
  'uc-srq': 'shared receive queues of UC as well',
  apm: 'automatic path migration: alternate paths of RC and UC',
  rcm: 'congestion management of RoCEv2: packets are sent ECN capable, and marked ones are answered by CNPs',
  dcqcn: 'lowers the rate of a QP that a CNP names; its parameters are `congestion` of the profile',
  'rate-reports': 'reports its rates (`rate`); without it, rates are not judged',
  ooo: 'QPs that are created with `ooo` place packets out of order, in a format of this project',
  irn: 'such QPs recover lost packets like IRN, with the cap and the timeouts of `outOfOrder`',
  'ooo-full-fence':
    'IBV_SEND_FENCE of such QPs waits for all earlier work requests; `outOfOrder.fencesAll` says the same',
  'send-with-invalidate': 'IBV_WR_SEND_WITH_INV',
  'atomic-lists': 'the result of an ATOMIC may go to a list of several elements',
  iova: '`reg_mr` takes the address of the region (`iova`)',
  'iova-in-page': 'and the address need not be a multiple of 4096',
  'memory-windows': 'memory windows of type 2: `alloc_mw`, IBV_WR_BIND_MW, IBV_WR_LOCAL_INV',
  'memory-windows-1': 'and those of type 1: `bind_mw`',
  'rereg-mr': '`rereg_mr` changes the PD and the rights of a region',
  'rereg-mr-translation': 'and moves it to other memory',
  flush: 'the operation FLUSH; no rule asks for it',
  'atomic-write': 'the operation ATOMIC WRITE; no rule asks for it',
  'rnr-any-request': 'may answer any request by an RNR NAK, for example because memory is paged in on demand',
  'min-timeout': 'raises ACK timeouts below a minimum of its own; `minTimeout` above 1 says the same',
  'unknown-limits': 'does not say how many READs and ATOMICs it takes at a time',
  'excess-limits': 'takes more READs and ATOMICs at a time than it declares',
  'cq-events': 'completion events (`cq`), as `req_notify_cq` asks for them',
  'cq-resize': '`resize_cq` changes the size of a CQ',
  'room-reports': 'says what room it has made: `cq_size`, `query_srq`, `cap` of `create_qp`',
  'destroy-calls': 'destroys QPs, CQs, SRQs and PDs when it is asked to, and not while others need them',
  'wr-lists': 'takes lists of work requests in one call (`next`), and says which one it refused (`bad_wr`)',
  'port-events': 'IBV_EVENT_PORT_ACTIVE and IBV_EVENT_PORT_ERR',
  'gid-events': 'IBV_EVENT_GID_CHANGE when the GID table of the port changes',
  'second-context':
    'a second user context, which owns no object, is open beside the one with the QPs, and what it receives is reported',
  'traffic-class': 'packets have the DSCP of the traffic class of their path',
  'hop-limit': 'packets have the hop limit of their path; the kernel of a host may set another',
  'flow-label': 'IPv6 packets have the flow label of their path',
  'pkey-entries': 'the P_Key table of the port has more than one entry',
  'srq-resize': '`modify_srq` changes the size of an SRQ',
  'srq-errors': 'an SRQ of it may fail, and IBV_EVENT_SRQ_ERR reports that; most devices never raise it',
  'srq-abort':
    'completes an interrupted UC receive of an SRQ by IBV_WC_REM_ABORT_ERR, since it cannot give the WQE back',
};
const capability = named('capability', oneOf(...(Object.keys(capabilityMeanings) as Capability[])));

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
      responseTime: integer,
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
  profile: Pick<Profile, 'ipVersions'>;
  dut: Endpoint;
  peer: Endpoint;
}

/** Each IP version of the profile takes an address at either end: ShapeError names the one that is missing. */
export function mustHaveAddresses({ profile: { ipVersions }, ...ends }: Ends, path: string): void {
  for (const version of ipVersions) {
    const name = version === 4 ? 'ipv4' : 'ipv6';
    for (const end of ['dut', 'peer'] as const)
      if (ends[end][name] === undefined)
        throw ShapeError.missing(`${path}.${end}.${name}`, `ipVersions of the profile has ${version}`);
  }
}
