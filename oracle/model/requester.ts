import { ackTimeout } from '../../spec/constants.ts';
import { psnDiff } from '../../wire/psn.ts';
import type { Packet } from '../../wire/packet.ts';
import type { Rule, RuleSet } from '../rules.ts';
import type { Connection } from './connection.ts';
import { lookupOf } from './report-facts.ts';
import type { Lookup } from './report-facts.ts';
import type { RequesterState } from './requester-state.ts';
import { said } from './tables.ts';
import type { WorkItem, WorkQueue } from './work.ts';

/** Attributes of the QP that govern its requester; those of the verbs call, 0 where none has given them. */
export interface RequesterAttributes {
  pmtu: number;
  timeout: number;
  retryCnt: number;
  rnrRetry: number;
  maxRdAtomic: number;
  alternate: { address: string; timeout: number } | undefined;
}

/** What the oracle knows of one requester besides the state that packets move. */
export interface Requester {
  connection: Connection;
  work: WorkQueue;
  attributes: RequesterAttributes;
  /** first copy of every packet that is not complete, by PSN */
  copies: Map<number, Packet>;
  /** smallest effective code of the ACK timeout */
  minTimeout: number;
  /** see TraceHeader.timing */
  timing: { responseTime: number; jitter: number };
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
  };
}

/** The one rule that decides; RangeError where a table that should decide says nothing. */
export function ruleOf(lookup: Lookup, facts: Readonly<Record<string, string>>): Rule {
  const [rule] = lookup(facts);
  if (rule === undefined)
    throw new RangeError(`no rule for ${JSON.stringify(facts)}, which the rules call impossible`);
  return rule;
}

/** A demand that was not met, in words. */
export interface Finding {
  rule: Rule;
  expected: string;
  observed: string;
}

/** The full counter, as the bit set of what it may stand at. */
export function full(count: number): number {
  return 1 << count;
}

/** T of the ACK timer in nanoseconds, the device's own minimum applied. */
export function timeoutInterval({ attributes, minTimeout }: Requester, migrated: boolean): number {
  const code = migrated && attributes.alternate ? attributes.alternate.timeout : attributes.timeout;
  return ackTimeout.baseNanoseconds * 2 ** Math.max(code, minTimeout);
}

/** Facts of the table rc-requester-timer at time `t`. */
export function timerFacts(
  requester: Requester,
  state: RequesterState,
  t: number,
): { ackTimer: 'off' | 'idle' | 'running'; elapsed: 'early' | 'due' | 'overdue' } {
  const { timer } = state;
  const ackTimer = timerState(requester, state);
  const interval = timeoutInterval(requester, state.migrated);
  if (t - timer.earliest < interval) return { ackTimer, elapsed: 'early' };
  const latest = timer.latest + ackTimeout.windowFactor * interval + requester.timing.responseTime;
  return { ackTimer, elapsed: t > latest ? 'overdue' : 'due' };
}

/** Whether the ACK timer runs. */
export function timerState(
  { attributes }: Requester,
  { timer, una, migrated }: RequesterState,
): 'off' | 'idle' | 'running' {
  const code = migrated && attributes.alternate ? attributes.alternate.timeout : attributes.timeout;
  if (code === ackTimeout.off) return 'off';
  return timer.asked >= 0 && psnDiff(timer.asked, una) >= 0 ? 'running' : 'idle';
}

/** Whether the timer of an RNR NAK lets the requester send again at time `t`. */
export function rnrFacts(
  { timing }: Requester,
  licence: { since: number; wait: number },
  t: number,
): { rnrWait: 'running' | 'over' | 'long-over' } {
  const gone = t - licence.since;
  if (gone < licence.wait) return { rnrWait: 'running' };
  return { rnrWait: gone > 10 * licence.wait + timing.responseTime ? 'long-over' : 'over' };
}

/** What a table of timers says: may the requester act? */
export function expiryOf(rule: Rule): 'forbidden' | 'allowed' | 'owed' {
  const word = said(rule.outcomes[0] ?? {}, 'expiry');
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
