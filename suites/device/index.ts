import fc from 'fast-check';
import type { SuiteProperty } from '../property.ts';
import { anyOnOneSrq } from './one-srq.ts';
import { besideSlowed } from './neighbour-flow.ts';
import { onOneSrq } from './shared-receives.ts';
import { upsets } from './upset-pairs.ts';
import { membersOf, mostMembers, several, together, withLink } from './compose.ts';

type Kind = (property: SuiteProperty) => boolean;

const ofSuite =
  (...suites: readonly string[]): Kind =>
  ({ suite }) =>
    suites.includes(suite);

const named =
  (word: RegExp): Kind =>
  ({ id }) =>
    word.test(id);

/** Too long to be tried with others at the same time. */
const long = named(/long|rate|curve/);

/** Requests that a device may take either way, and calls that race with packets of UC and UD, are tried where it has nothing else to do. */
const apart = named(/payload-without-place|^u[cd]\/(calls|destroyed)-midway/);

/** Rules that QPs which meddle with each other break, by property. */
const aims: Readonly<Record<string, readonly string[]>> = {
  'one-cq': ['completion-attributed', 'rc-send-completed-again', 'rc-receive-completes'],
  twins: ['rc-send-complete-asked', 'rc-msn-counts-messages', 'rc-request-ahead-after-sequence-nak'],
  requesters: ['rc-timeout-early', 'rc-timeout-overdue', 'flush-uncaused'],
  responders: ['rc-receiver-not-ready', 'rc-request-ahead', 'rc-state-kept'],
  waits: [
    'rc-rnr-wait',
    'rc-timeout-early',
    'rc-timeout-overdue',
    'rc-retry-exhausted',
    'rc-send-queue-goes-on',
  ],
  replays: ['rc-duplicate-atomic', 'rc-duplicate-atomic-absent'],
  'limited-flows': ['cc-timer-owed', 'cc-rate-cnp-unprompted'],
  'unnamed-flow': ['cc-neighbour-unhurt'],
  'failing-neighbour': ['flush-uncaused', 'rc-state-kept'],
  link: ['port-active-raised'],
  flows: ['cc-rate-cnp-unprompted'],
  'shared-receives': [
    'rc-receive-completes',
    'rc-receiver-not-ready',
    'flush-shared-receive',
    'srq-limit-reached',
  ],
  'one-srq': [
    'uc-receive-completes',
    'ud-receive-completes',
    'unreliable-receive-order',
    'uc-shared-receive-reused',
    'flush-shared-receive',
  ],
};

/**
 * What is claimed of a device with several QPs: each is as good as alone. The scenarios are those of `others`, several at a time.
 */
export function device(others: readonly SuiteProperty[]): readonly SuiteProperty[] {
  const short = others.filter((property) => !long(property) && !apart(property) && property.wire !== 'none');
  const some = (kind: Kind): readonly SuiteProperty[] => short.filter(kind);
  const property = (
    id: string,
    says: string,
    arbitrary: SuiteProperty['arbitrary'],
    requires: SuiteProperty['requires'] = [],
  ): SuiteProperty => ({
    id: `device/${id}`,
    suite: 'device',
    says,
    arbitrary,
    requires,
    aims: aims[id] ?? [],
    qps: mostMembers,
  });
  const requesters = some(ofSuite('rc-requester'));
  const responders = some(ofSuite('rc-responder'));
  const waits = some(named(/^rc-requester\/.*(rnr|timeout|silence|retry|retries|counter|wait|late)/));
  const failing = some(named(/fatal|exhaust|too-long|local|error|defect|refus|window|opcode|access/));
  const lives = some(named(/life|state|reset|modify|sqd|flush/));
  const repeated = some(named(/^rc-responder\/(records-of-reads-and-atomics|duplicates)$/));
  const slowed = others.filter(named(/^congestion\/least-rate/));
  const limited = others.filter(named(/^congestion\/(rates|recovery|counters)$/));
  return [
    property('mixed', 'QPs of any kind do not disturb each other.', (profile) =>
      together({ members: several(membersOf(short, profile)) }),
    ),
    property('one-cq', 'QPs that complete to one CQ do not disturb each other.', (profile) =>
      together({ members: several(membersOf(short, profile)), share: ['cq'] }),
    ),
    property('twins', 'QPs that are set up alike, and do alike, do not disturb each other.', (profile) =>
      together({
        members: fc
          .tuple(
            membersOf(some(ofSuite('rc-requester', 'rc-responder', 'uc')), profile),
            fc.integer({ min: 2, max: 3 }),
          )
          .map(([member, count]) => Array.from({ length: count }, () => member)),
      }),
    ),
    property('requesters', 'Requesters of one device do not disturb each other.', (profile) =>
      together({ members: several(membersOf(requesters, profile)) }),
    ),
    property('responders', 'Responders of one device do not disturb each other.', (profile) =>
      together({ members: several(membersOf(responders, profile)) }),
    ),
    property('waits', 'Timers, waits and counters of a QP are its own.', (profile) =>
      together({ members: several(membersOf(waits, profile)) }),
    ),
    property('failing-neighbour', 'A QP that fails leaves the others alone.', (profile) =>
      together({
        members: fc
          .tuple(several(membersOf(short, profile), 2), membersOf(failing, profile))
          .map(([others, one]) => [...others, one]),
      }),
    ),
    property('lives', 'What a QP goes through by ibv_modify_qp does not matter to the others.', (profile) =>
      together({
        members: fc
          .tuple(membersOf(lives, profile), several(membersOf(short, profile), 2))
          .map(([one, others]) => [one, ...others]),
      }),
    ),
    property(
      'link',
      'A link that goes and comes back leaves QPs as they are.',
      (profile) =>
        together({
          members: fc
            .tuple(
              several(membersOf(short, profile), 3),
              fc.array(fc.nat(40), { minLength: 1, maxLength: 4 }),
            )
            .map(([members, places]) => members.map((one, i) => (i === 0 ? withLink(one, places) : one))),
        }),
      ['port-events'],
    ),
    property(
      'shared-receives',
      'QPs on one SRQ get a receive WQE each for their messages, and none of them that of another.',
      onOneSrq,
      ['srq'],
    ),
    property(
      'one-srq',
      'QPs of several services on one SRQ get a receive WQE each for their messages, and what one gives back is there for all.',
      anyOnOneSrq,
      ['srq', 'ud'],
    ),
    property(
      'flows',
      'Congestion of one flow does not matter to the others.',
      (profile) =>
        together({
          members: fc
            .tuple(membersOf(some(ofSuite('congestion')), profile), several(membersOf(short, profile), 2))
            .map(([one, others]) => [one, ...others]),
        }),
      ['rcm'],
    ),
    upsets,
    property(
      'replays',
      'READs and ATOMICs of QPs that use the same PSNs are answered again each by its own QP.',
      (profile) =>
        together({
          members: fc
            .tuple(membersOf(repeated, profile), fc.integer({ min: 2, max: 3 }))
            .map(([member, count]) => Array.from({ length: count }, () => member)),
        }),
      ['atomic'],
    ),
    property(
      'limited-flows',
      'Rates of several QPs that CNPs name are cut and increased each by itself.',
      (profile) => together({ members: several(membersOf(limited, profile), 3) }),
      ['rcm', 'dcqcn'],
    ),
    property(
      'unnamed-flow',
      'A flow that no CNP names goes on as fast as before beside one that CNPs slow down.',
      besideSlowed(slowed),
      ['rcm', 'dcqcn', 'uc', 'ud'],
    ),
  ];
}
