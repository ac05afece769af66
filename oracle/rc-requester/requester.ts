import { ackTimeout } from '../../spec/constants.ts';
import { psnDiff } from '../../wire/psn.ts';
import type { Packet } from '../../wire/packet.ts';
import type { Rule, RuleSet } from '../rules.ts';
import type { Qp } from '../device/qp.ts';
import { migrationTables } from '../path-migration/migration.ts';
import type { MigrationTables } from '../path-migration/migration.ts';
import { lookupOf } from '../rulebook/lookup.ts';
import type { Lookup } from '../rulebook/lookup.ts';
import type { Cause, RequesterState } from './state.ts';
import { Holds, type Stalls } from '../device/stalls.ts';
import type { TraceHeader } from '../trace.ts';
import { outcomeWord } from '../rulebook/outcome.ts';
import { WorkQueue, type WorkItem } from '../device/send-queue.ts';

/** Attributes of the QP that govern its requester. */
type RequesterAttributes = Pick<Qp, 'pmtu' | 'timeout' | 'retryCnt' | 'rnrRetry' | 'maxRdAtomic'>;

/** What the oracle knows of one requester besides the state that packets move. */
export interface Requester {
  connection: Qp;
  work: WorkQueue;
  attributes: RequesterAttributes;
  /** first copy of every packet that is not complete, by PSN */
  copies: Map<number, Packet>;
  /** smallest effective code of the ACK timeout */
  minTimeout: number;
  /** see TraceHeader.timing */
  timing: { responseTime: number; jitter: number };
  stalls: Holds;
}

/** A requester of a device whose packets are all seen. */
export function requesterOf(qp: Qp, { limits, timing }: TraceHeader, stalls: Stalls): Requester {
  return {
    connection: qp,
    work: new WorkQueue(),
    attributes: qp,
    copies: new Map(),
    minTimeout: limits?.minTimeout ?? 1,
    stalls: new Holds(stalls),
    timing: timing ?? { responseTime: Number.POSITIVE_INFINITY, jitter: Number.POSITIVE_INFINITY },
  };
}

/** The tables of the requester, by what they decide. */
export interface RequesterTables {
  admission: Lookup;
  response: Lookup;
  retry: Lookup;
  progress: Lookup;
  timerStart: Lookup;
  timer: Lookup;
  rnrTimer: Lookup;
  transmission: Lookup;
  request: Lookup;
  completion: Lookup;
  state: Lookup;
  standing: Lookup;
  /** of both roles */
  migration: MigrationTables;
  /** header validation of a request, as the responder of the QP has it */
  requestAdmission: Lookup;
}

/** RangeError if the vocabulary lacks a table of the requester. */
export function requesterTables(rules: RuleSet): RequesterTables {
  const of = (name: string): Lookup => lookupOf(rules, `rc-requester-${name}`);
  return {
    admission: of('admission'),
    response: of('response'),
    retry: of('retry'),
    progress: of('progress'),
    timerStart: of('timer-start'),
    timer: of('timer'),
    rnrTimer: of('rnr-timer'),
    transmission: of('transmission'),
    request: of('request'),
    completion: of('completion'),
    state: of('state'),
    standing: of('standing'),
    migration: migrationTables(rules),
    requestAdmission: lookupOf(rules, 'rc-responder-admission'),
  };
}

/** The one rule that decides; RangeError where a table that should decide says nothing. */
export function ruleOf(lookup: Lookup, facts: Readonly<Record<string, string>>): Rule {
  const [rule] = lookup(facts);
  if (rule === undefined)
    throw new RangeError(`no rule for ${JSON.stringify(facts)}, which the rules call impossible`);
  return rule;
}

/** What a cause of retransmission leads to, by what is left of the counters. Errors: see ruleOf. */
export function retryRule(
  { retry }: RequesterTables,
  { migration }: RequesterState,
  facts: {
    cause: Cause;
    retryLeft: 'some' | 'none';
    rnrLeft?: 'some' | 'none' | 'unlimited';
    /** whether the requester is sending the packet again already, or is about to */
    underWay?: 'repeating' | 'none';
  },
): Rule {
  return ruleOf(retry, {
    rnrLeft: 'some',
    underWay: 'none',
    ...facts,
    alternatePath: migration.state === 'ARMED' ? 'armed' : 'none',
  });
}

/** A demand that was not met, in words. */
export interface Finding {
  rule: Rule;
  expected: string;
  observed: string;
  /** no other way could make it good */
  certain?: boolean;
}

/** The full counter, as the bit set of what it may stand at. */
export function full(count: number): number {
  return 1 << count;
}

/** T of the ACK timer in nanoseconds, the device's own minimum applied. */
function timeoutInterval({ minTimeout }: Requester, code: number): number {
  return ackTimeout.baseNanoseconds * 2 ** Math.max(code, minTimeout);
}

/** Code of the ACK timeout of the path in use. */
export function timeoutInUse({ attributes }: Requester, { migration }: RequesterState): number {
  return migration.current === undefined ? attributes.timeout : migration.current.timeout;
}

/** Least and greatest T, in nanoseconds, that the timer may run with. */
export function intervals(requester: Requester, state: RequesterState): [number, number] {
  const code = timeoutInUse(requester, state);
  const { before } = state.timer;
  const codes = (before === undefined ? [code] : [code, before]).map((c) =>
    c === ackTimeout.off ? Number.POSITIVE_INFINITY : timeoutInterval(requester, c),
  );
  return [Math.min(...codes), Math.max(...codes)];
}

/** Facts of the table rc-requester-timer at time `t`. */
export function timerFacts(
  requester: Requester,
  state: RequesterState,
  t: number,
): { ackTimer: 'disabled' | 'idle' | 'running'; elapsed: 'early' | 'due' | 'overdue' } {
  const { timer } = state;
  const { timing } = requester;
  const ackTimer = timerState(requester, state);
  const [least, most] = intervals(requester, state);
  if (t - timer.earliest < least) return { ackTimer, elapsed: 'early' };
  const longest = ackTimeout.windowFactor * most + timing.responseTime;
  return { ackTimer, elapsed: runningTime(requester, timer.latest, t) > longest ? 'overdue' : 'due' };
}

/** Whether the ACK timer runs. */
export function timerState(requester: Requester, state: RequesterState): 'disabled' | 'idle' | 'running' {
  const { timer, una } = state;
  const before = timer.before ?? ackTimeout.off;
  if (timeoutInUse(requester, state) === ackTimeout.off && before === ackTimeout.off) return 'disabled';
  return timer.asked >= 0 && psnDiff(timer.asked, una) >= 0 ? 'running' : 'idle';
}

/** How long the device has surely been running between two instants; for upper bounds, which stalls put off. */
export function runningTime({ stalls }: Requester, from: number, to: number): number {
  return to - from - stalls.between(from, to);
}

/** The earliest that a packet from the device may have left which was seen at `t`. */
export function earliestDeparture({ timing, stalls }: Requester, t: number): number {
  return stalls.earliest(t - timing.jitter);
}

/** How long the wait after an RNR NAK may last. */
export function longestWait({ timing }: Requester, wait: number): number {
  return 10 * wait + timing.responseTime;
}

/** Whether the timer of an RNR NAK lets the requester send again at time `t`. */
export function rnrFacts(
  requester: Requester,
  licence: { since: number; wait: number },
  t: number,
): { rnrWait: 'running' | 'over' | 'long-over' } {
  if (t - licence.since < licence.wait) return { rnrWait: 'running' };
  const waited = runningTime(requester, licence.since, t);
  return { rnrWait: waited > longestWait(requester, licence.wait) ? 'long-over' : 'over' };
}

/** What a table of timers says: may the requester act? */
export function expiryOf(rule: Rule): 'forbidden' | 'allowed' | 'owed' {
  const word = outcomeWord(rule.outcomes[0] ?? {}, 'expiry');
  return word === 'allowed' || word === 'owed' ? word : 'forbidden';
}

/** The work request that the QP would fail with: the oldest that is not acknowledged. */
export function oldest({ work }: Requester, { head, tail }: RequesterState): WorkItem | undefined {
  return head < tail ? work.at(head) : undefined;
}

/** A work request in words. */
export function nameOf(item: WorkItem | undefined): string {
  return item === undefined ? 'a work request' : `${item.wr.opcode} wr_id ${item.wr.wr_id}`;
}
