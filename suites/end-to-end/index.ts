import { sharesReceives } from '../arbitraries/shared.ts';
import fc from 'fast-check';
import type { Capability, Profile } from '../../adapters/adapter.ts';
import { fullAccess } from '../arbitraries/base.ts';
import { grhBytes } from '../arbitraries/datagram.ts';
import { recvs, settle } from '../arbitraries/packets.ts';
import { ipVersion, pathMtu, startPsn } from '../arbitraries/scalars.ts';
import { timesNamed } from '../lists/values.ts';
import type { SuiteProperty } from '../property.ts';
import {
  dataJobs,
  everyJob,
  isAtomic,
  job,
  targetLength,
  wrOf,
  type Job,
  type JobKind,
} from '../rc-requester/jobs.ts';
import { longestTimeoutUs, rnrUs, timingOf } from '../rc-requester/timing.ts';
import type { QpPlan, Scenario, Step, WrPlan } from '../scenario.ts';
import type { Service } from '../verbs/parts.ts';
import { planned, type Options } from './fault.ts';
import { kindsFor, reasonsFor, type Group, type Reason } from './reasons.ts';

const kinds: Record<Service, readonly JobKind[]> = {
  RC: everyJob,
  UC: dataJobs,
  UD: ['send', 'send-imm'],
};

const rnrCode = 1;

/** What is wrong with the responder as a whole, or with its memory. */
const faultsOfResponder: ReadonlySet<Reason> = new Set([
  'remote-right',
  'no-resources',
  'remote-key',
  'remote-end',
]);

interface Draw {
  ip: 4 | 6;
  mtu: Scenario['mtu'];
  psn: number;
  srq: boolean;
  before: Job[];
  guilty: Job;
  reason: Reason;
  after: Job[];
  options: Options;
  retryCnt: number;
  spareReceives: number;
}

function draw(profile: Profile, service: Service, group: Group): fc.Arbitrary<Draw> {
  const most = service === 'UD' ? 0 : 3;
  const some = (count: number): fc.Arbitrary<Job[]> =>
    fc.array(job(profile, kinds[service], { mostMtus: most }), { maxLength: count, size: 'max' });
  const guilties = kindsFor(group, kinds[service]);
  return job(profile, guilties, { mostMtus: most, signaled: true }).chain((guilty) =>
    fc.record({
      ip: ipVersion(profile),
      mtu: pathMtu(profile),
      psn: startPsn(),
      srq: sharesReceives(profile, service)
        ? fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean())
        : fc.constant(false),
      before: some(2),
      guilty: fc.constant(guilty),
      reason: reason(service, guilty, group),
      after: some(2),
      options: fc.record({
        local: fc.constantFrom('lkey', 'bounds', 'rights', 'foreign-pd', 'deregistered'),
        remote: fc.constantFrom('key', 'range', 'right', 'foreign-pd', 'deregistered'),
        rawOpcode: fc.constantFrom(10, 11, 12),
        header: fc.constant(service === 'UD' ? grhBytes : 0),
        most: fc.constant(service === 'UD' ? Math.max(...profile.pathMtus) : profile.limits.maxMessageBytes),
        repeat: fc.constant(timesNamed(profile)),
      }),
      retryCnt: fc.constantFrom(0, 1, 7),
      spareReceives: fc.nat(2),
    }),
  );
}

/** Rights matter where data are placed: in receives, READs and ATOMICs. */
function localFor(reason: Reason, wr: WrPlan, options: Options): Options {
  const places = reason === 'receive-key' || wr.opcode.includes('READ') || wr.opcode.includes('ATOMIC');
  return options.local === 'rights' && !places ? { ...options, local: 'lkey' } : options;
}

function scenarioOf(profile: Profile, service: Service, d: Draw): Scenario {
  const region = targetLength(d.mtu);
  const access = fullAccess(profile);
  // a datagram fits into one packet; a fault of memory needs memory
  const wrFor = (j: Job, atLeast: number): WrPlan => {
    const wr = wrOf(j, d.mtu, region);
    const length = Math.min(service === 'UD' ? d.mtu : region, Math.max(atLeast, wr.length));
    const offset = Math.min(wr.offset, region - length);
    return { ...wr, length, offset: isAtomic(j) ? wr.offset : offset };
  };
  const { inline: _, ...guiltyWr } = wrFor(d.guilty, d.reason === 'remote-end' ? d.mtu + 1 : 1);
  const guilty = planned(guiltyWr, d.reason, access, localFor(d.reason, guiltyWr, d.options));
  const soundOf = (j: Job): Step[] => {
    const wr = wrFor(j, 0);
    const { receive } = planned(wr, 'none', access, d.options);
    return [...(receive === undefined ? [] : [receive]), { do: 'post_send', wr }];
  };
  const alone = faultsOfResponder.has(d.reason);
  const timing = timingOf(profile);
  const code = Math.max(profile.minTimeout ?? 1, timing.virtual ? 10 : 14);
  const wait = { do: 'finish', us: finishUs(profile, d, code) } as const;
  const requester: QpPlan = {
    startPsn: d.psn,
    access: [],
    maxDestRdAtomic: 1,
    maxRdAtomic: 1,
    minRnrTimer: 12,
    timeout: d.reason === 'unreachable' ? code : timing.calm,
    retryCnt: d.retryCnt,
    rnrRetry: Math.min(6, d.retryCnt),
  };
  const plain = [...guilty.before, ...(guilty.receive === undefined ? [] : [guilty.receive])];
  return {
    version: 1,
    dut: 'requester',
    peer: 'same-device',
    ...(service !== 'RC' && { service }),
    ip: d.ip,
    mtu: d.mtu,
    requester,
    responder: {
      ...requester,
      startPsn: 0x2000,
      access,
      maxDestRdAtomic: 4,
      minRnrTimer: rnrCode,
      ...guilty.responder,
    },
    regions: [{ length: region, access, fill: 1, ...guilty.region }],
    srq: d.srq,
    steps: [
      { do: 'query_port' },
      // a report that belongs into an event might take one of them
      ...(alone ? recvs(d.spareReceives, 8) : []),
      // what is wrong with the responder as a whole would be wrong for these as well
      ...(alone ? [] : d.before.flatMap((j) => [...soundOf(j), settle])),
      ...(d.reason === 'unreachable' ? [] : plain),
      ...(d.reason === 'unreachable' ? guilty.before : []),
      { do: 'post_send', wr: guilty.wr },
      ...d.after.filter(() => d.reason !== 'none').map((j): Step => ({ do: 'post_send', wr: wrFor(j, 0) })),
      wait,
      settle,
      { do: 'query_qp' },
    ],
    faults: [],
  };
}

function finishUs(profile: Profile, { reason, retryCnt }: Draw, code: number): number {
  if (reason === 'unreachable') {
    // as long as a conformant requester may take, each answer that does not come waited for
    const each = longestTimeoutUs(profile, code) + profile.responseTime / 1000;
    return Math.ceil((retryCnt + 1) * each) + timingOf(profile).prompt;
  }
  if (reason === 'no-receive') return (Math.min(6, retryCnt) + 1) * rnrUs(profile, rnrCode);
  return timingOf(profile).prompt;
}

/** A message that is too long needs memory that is long as well: now and then is enough. */
function reason(service: Service, guilty: Job, group: Group): fc.Arbitrary<Reason> {
  const plain = fc.constantFrom(...reasonsFor(service, guilty.kind, group));
  if (group !== 'local' || isAtomic(guilty)) return plain;
  return fc.oneof(
    { weight: 4, arbitrary: plain },
    { weight: 1, arbitrary: fc.constant('local-length' as const) },
  );
}

const says: Record<Group, string> = {
  sound: 'Valid work completes at both ends, and its data are where they belong',
  local:
    'A work request that the device cannot carry out fails at its own end, and the other end learns nothing',
  unheard: 'What nobody takes is lost or given up, as the service has it',
  receive: 'A message that its receive WQE cannot take is reported at both ends, as the service has it',
  remote: 'A WRITE to memory that it may not use is reported at both ends, as the service has it',
  answered: 'A READ or ATOMIC that the responder must refuse is reported at both ends',
};

function property(service: Service, requires: Capability, group: Group): SuiteProperty {
  return {
    id: `effects/${requires}-${group}`,
    suite: 'effects',
    says: `${says[group]} (${service}, two QPs of one device).`,
    requires: [requires],
    wire: 'none',
    arbitrary: (profile) => draw(profile, service, group).map((d) => scenarioOf(profile, service, d)),
    aims: aims(requires, group),
  };
}

function aims(service: string, group: Group): string[] {
  const rules: Record<Group, readonly string[]> = {
    sound: ['send', 'write', 'write-immediate', 'read'],
    local: ['local-key', 'local-operation', 'local-length'],
    unheard: ['unreachable', 'no-receive', 'unheard'],
    receive: ['short-receive', 'receive-key'],
    remote: [
      'remote-key',
      'remote-key-immediate',
      'remote-end',
      'remote-end-immediate',
      'remote-right',
      'remote-right-immediate',
    ],
    answered: ['remote-key', 'remote-end', 'remote-right', 'misaligned', 'no-resources'],
  };
  const reliableOnly = ['read', 'write-immediate', 'unreachable', 'no-receive'];
  const elsewhere = [
    'remote-key-immediate',
    'remote-end-immediate',
    'remote-right',
    'remote-right-immediate',
  ];
  const exists = (rule: string): boolean => {
    if (service === 'rc') return rule !== 'unheard';
    if (reliableOnly.includes(rule) || elsewhere.includes(rule)) return false;
    return service === 'uc' || rule !== 'write';
  };
  return rules[group].filter(exists).map((rule) => `${service}-effects-${rule}`);
}

const everyGroup: readonly Group[] = ['sound', 'local', 'unheard', 'receive', 'remote', 'answered'];
const unanswered = everyGroup.filter((group) => group !== 'answered');

/** Two QPs of one device that talk to each other: causes and their effects at both ends, without sight of packets. */
export const effects: readonly SuiteProperty[] = [
  ...everyGroup.map((group) => property('RC', 'rc', group)),
  ...unanswered.map((group) => property('UC', 'uc', group)),
  ...unanswered.filter((group) => group !== 'remote').map((group) => property('UD', 'ud', group)),
];
