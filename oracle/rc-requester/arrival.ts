import { psnDiff } from '../../wire/psn.ts';
import type { Rule } from '../rules.ts';
import { headerFacts, samePartition } from '../device/header.ts';
import { exhaustionBy, failWith } from './exhaustion.ts';
import { landResponse } from './memory.ts';
import { lookAtPath, migrateExhausted } from './migration.ts';
import type { Requester, RequesterTables } from './requester.ts';
import { full, longestWait, oldest, retryRule, ruleOf, runningTime } from './requester.ts';
import { isResponse } from '../device/opcode-shape.ts';
import { acknowledgedUpTo, viewResponse } from './response.ts';
import type { ResponseView } from './response.ts';
import type { Arrival, RetransmitCause, RequesterState } from './state.ts';
import { outcomeWord, outcomeWords } from '../rulebook/outcome.ts';
import { endOf } from '../device/send-queue.ts';
import type { Outcome } from '../rules.ts';

/** One thing that a conformant device may make of a response; `apply` changes the state accordingly. */
export interface Course {
  rules: readonly Rule[];
  /** `nothing`: at any time; `progress`: later just as well as now, as long as the requester goes on */
  effect: 'nothing' | 'progress' | 'other';
  apply: (state: RequesterState) => void;
}

/** All that a device in this state may make of a response, the likeliest first. */
export function transitionsFor(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  arrival: Arrival,
): Course[] {
  const end = exhaustionBy(requester, tables, state, arrival.t);
  if (end?.sure === true) return [{ ...end, effect: 'other' }];
  const taken = coursesOfLiving(requester, tables, state, arrival);
  return end === undefined ? taken : [...taken, { ...end, effect: 'other' }];
}

function coursesOfLiving(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  arrival: Arrival,
): Course[] {
  const { connection } = requester;
  const { packet } = arrival;
  const responds = isResponse(packet.opcode);
  const path = lookAtPath(requester, tables, state, arrival);
  const facts = {
    destination: 'known',
    ...headerFacts(packet),
    source: path.source,
    pkey: samePartition(connection, packet) ? 'match' : 'mismatch',
    qpState: state.qpState,
  };
  const lookup = responds ? tables.admission : tables.requestAdmission;
  const admission = ruleOf(lookup, facts);
  const sound = path.move !== undefined && isTaken(ruleOf(lookup, { ...facts, source: 'peer' }));
  const heed = (after: RequesterState): void => {
    if (sound) path.heed(after);
  };
  const rules = [...(responds ? [admission] : []), ...(sound ? path.rules : [])];
  // of a request, this role of the QP heeds the path only
  if (!responds || !isTaken(admission)) return [{ rules, effect: sound ? 'other' : 'nothing', apply: heed }];
  const there = sound ? state.clone() : state;
  heed(there);
  const view = viewResponse(requester, there, packet);
  const rule = ruleOf(tables.response, view.facts);
  return rule.outcomes.flatMap((outcome) =>
    withOutcome({ requester, tables, arrival, view, rule }, there, outcome).map((course) => ({
      rules: [...rules, rule, ...course.rules],
      effect: sound ? 'other' : course.effect,
      apply: (after: RequesterState) => {
        heed(after);
        course.apply(after);
      },
    })),
  );
}

/** By this rule the packet has passed header validation. */
function isTaken(rule: Rule): boolean {
  return outcomeWord(rule.outcomes[0] ?? {}, 'packet') === 'taken';
}

interface Taken {
  requester: Requester;
  tables: RequesterTables;
  arrival: Arrival;
  view: ResponseView;
  rule: Rule;
}

function withOutcome(taken: Taken, state: RequesterState, outcome: Outcome): Course[] {
  const { tables, view, arrival } = taken;
  const upTo = acknowledgedUpTo(outcomeWord(outcome, 'acknowledges'), arrival.packet.psn, view);
  const gain = gainOf(taken.requester, state, view, upTo);
  const gained = gain === 'part' || gain === 'request';
  const progress = ruleOf(tables.progress, {
    gained: gain,
    byRnrNak: view.answer.kind === 'rnr-nak' ? 'rnr-nak' : 'other',
  });
  const retries = counterAfter(progress, 'retryCounter', state.retries, taken.requester.attributes.retryCnt);
  const rnrRetries = counterAfter(
    progress,
    'rnrCounter',
    state.rnrRetries,
    taken.requester.attributes.rnrRetry,
  );
  const advance = (after: RequesterState): void => {
    if (outcomeWord(outcome, 'data') === 'placed') {
      landResponse(taken.requester, after, view.item, arrival.packet);
      after.landed = (after.landed * 31 + arrival.event) >>> 0;
    }
    after.retries = retries;
    after.rnrRetries = rnrRetries;
    if (upTo !== undefined && gained) acknowledge(taken.requester, after, upTo);
    touchTimer(progress, after, arrival.t);
  };
  const nothingEver = view.facts.responsePsn === 'duplicate';
  const effect = gained ? 'progress' : nothingEver ? 'nothing' : 'other';
  const failure = outcomeWords(outcome, 'failure');
  if (failure.length > 0) {
    const apply = (after: RequesterState): void => {
      advance(after);
      failOldest(taken.requester, after, failure, taken.rule, arrival.event);
    };
    return [{ rules: [progress], effect: 'other', apply }];
  }
  const cause = outcomeWord(outcome, 'retry') ?? 'none';
  if (cause !== 'sequence-nak' && cause !== 'implied-nak' && cause !== 'rnr-nak')
    return [{ rules: [progress], effect, apply: advance }];
  const psn = outcomeWord(outcome, 'resume') === 'gap' ? view.gapPsn : arrival.packet.psn;
  return retriesOf(taken, state, { cause, psn, retries, rnrRetries, gained }).map((course) => ({
    rules: [progress, ...course.rules],
    effect: 'other',
    apply: (after) => {
      advance(after);
      course.apply(after);
    },
  }));
}

interface Retry {
  cause: RetransmitCause['cause'];
  psn: number;
  retries: number;
  rnrRetries: number;
  gained: boolean;
}

/** What is left of a counter. */
type Left = 'some' | 'none' | 'unlimited';

/** What a cause of retransmission may lead to, by what may be left of its counter. */
function retriesOf(taken: Taken, state: RequesterState, retry: Retry): Course[] {
  const { requester, tables, arrival } = taken;
  const { cause, psn } = retry;
  const counted = cause === 'rnr-nak' ? retry.rnrRetries : retry.retries;
  const unlimited = cause === 'rnr-nak' && requester.attributes.rnrRetry === 7;
  const lefts: Left[] = unlimited
    ? ['unlimited']
    : [...(counted > 1 ? ['some' as const] : []), ...(counted & 1 ? ['none' as const] : [])];
  const courses: Course[] = [];
  for (const left of lefts) {
    const rule = retryRule(tables, state, {
      cause,
      retryLeft: left === 'none' ? 'none' : 'some',
      rnrLeft: left,
      underWay: !retry.gained && underWay(state, cause, psn) ? 'repeating' : 'none',
    });
    for (const outcomes of alike(rule.outcomes)) {
      const apply = (after: RequesterState): void => {
        restrict(after, cause, left);
        act(requester, after, { outcomes, rule, cause, psn, arrival, taken });
      };
      courses.push({ rules: [rule], effect: 'other', apply });
    }
  }
  return courses;
}

/** Outcomes that differ in what they take from a counter only are one way on: the counter may stand at either. */
function alike(outcomes: readonly Outcome[]): (readonly Outcome[])[] {
  const same = outcomes.filter(
    (o) => outcomeWord(o, 'action') === 'retransmit' || outcomeWord(o, 'action') === 'ignore',
  );
  const others = outcomes.filter((o) => !same.includes(o)).map((o) => [o]);
  return same.length > 0 ? [same, ...others] : others;
}

/** From here on the counter is known to have had something left, or nothing. */
function restrict(state: RequesterState, cause: RetransmitCause['cause'], left: Left): void {
  if (left === 'unlimited') return;
  const keep = left === 'none' ? 1 : ~1;
  if (cause === 'rnr-nak') state.rnrRetries &= keep;
  else state.retries &= keep;
}

interface Act {
  outcomes: readonly Outcome[];
  rule: Rule;
  cause: RetransmitCause['cause'];
  psn: number;
  arrival: Arrival;
  taken: Taken;
}

function act(
  requester: Requester,
  state: RequesterState,
  { outcomes, rule, cause, psn, arrival, taken }: Act,
): void {
  const [outcome = {}] = outcomes;
  switch (outcomeWord(outcome, 'action') ?? 'ignore') {
    case 'fail':
      failOldest(requester, state, outcomeWords(outcome, 'failure'), rule, arrival.event);
      return;
    case 'migrate':
      migrateExhausted(requester, state, rule, arrival.event);
      break;
    default: {
      state.retries = spentFrom(outcomes, 'retry_cnt', state.retries);
      state.rnrRetries = spentFrom(outcomes, 'rnr_retry', state.rnrRetries);
      const known = state.licences.some((l) => l.cause === cause && l.psn === psn);
      const ignored = outcomes.some((o) => outcomeWord(o, 'action') === 'ignore');
      // what may be ignored is no duty, and what is under way needs no second leave
      if (ignored && !known) {
        state.optional = psn;
        return;
      }
    }
  }
  const known = state.licences.find((l) => l.cause === cause && l.psn === psn);
  const fresh: RetransmitCause = {
    cause,
    psn,
    rule: taken.rule,
    event: arrival.event,
    since: arrival.t,
    wait: taken.view.answer.wait,
  };
  // a wait that runs already may go on, or begin anew: it ends with the earlier of the two
  const sooner = known !== undefined && known.since + known.wait <= fresh.since + fresh.wait ? known : fresh;
  state.licences = [...state.licences.filter((l) => l !== known), sooner];
  if (cause !== 'rnr-nak') return;
  state.timer = { ...state.timer, asked: -1 };
  const held = runningTime(requester, 0, fresh.since) + longestWait(requester, fresh.wait);
  state.heldUntil = Math.max(state.heldUntil, held);
}

/** What a counter may stand at after any of the outcomes. */
function spentFrom(outcomes: readonly Outcome[], counter: string, before: number): number {
  return outcomes.reduce((set, o) => set | (outcomeWord(o, 'spends') === counter ? before >> 1 : before), 0);
}

/** The oldest work request fails; what the response acknowledges is acknowledged already. */
function failOldest(
  requester: Requester,
  state: RequesterState,
  statuses: readonly string[],
  rule: Rule,
  event: number,
): void {
  const item = oldest(requester, state);
  if (item !== undefined) failWith(requester, state, item, { statuses, rule, event });
}

/** Whether the requester is sending the packet again already, or is about to. */
function underWay(state: RequesterState, cause: RetransmitCause['cause'], psn: number): boolean {
  if (state.licences.some((l) => l.cause === cause && l.psn === psn)) return true;
  if (cause === 'rnr-nak') return false;
  // it is sent again as soon as the receiver may be ready
  if (state.licences.some((l) => l.cause === 'rnr-nak' && psnDiff(l.psn, psn) <= 0)) return true;
  if (cause === 'implied-nak' && state.repeatedSinceGain) return true;
  return state.cursor !== state.end && psnDiff(state.cursor, psn) <= 0;
}

/** What is acknowledged that was not before; `ghost`: nothing, by a response to what was never sent. */
function gainOf(
  requester: Requester,
  state: RequesterState,
  view: ResponseView,
  upTo: number | undefined,
): 'nothing' | 'ghost' | 'part' | 'request' {
  if (upTo === undefined || psnDiff(upTo, state.una) <= 0)
    return view.facts.responsePsn === 'unsent' ? 'ghost' : 'nothing';
  const item = oldest(requester, state);
  return item !== undefined && psnDiff(endOf(item), upTo) <= 0 ? 'request' : 'part';
}

/** Everything that the counter may stand at after the response. */
function counterAfter(progress: Rule, key: string, counter: number, initial: number): number {
  return progress.outcomes.reduce(
    (set, outcome) => set | (outcomeWord(outcome, key) === 'reloaded' ? full(initial) : counter),
    0,
  );
}

function acknowledge(requester: Requester, state: RequesterState, upTo: number): void {
  state.una = upTo;
  state.repeatedSinceGain = false;
  if (state.optional >= 0 && psnDiff(state.optional, upTo) < 0) state.optional = upTo;
  for (;;) {
    const item = oldest(requester, state);
    if (item === undefined || psnDiff(endOf(item), upTo) > 0) break;
    state.head++;
  }
  if (state.reads.length > 0) {
    const from = oldest(requester, state)?.psn ?? upTo;
    state.reads = state.reads.filter((psn) => psnDiff(psn, from) >= 0);
  }
  const open = state.licences.filter((l) => psnDiff(l.psn, upTo) >= 0);
  // what was refused has been answered after all; the requester may have gone back already
  if (open.length < state.licences.length) state.optional = upTo;
  state.licences = open;
}

function touchTimer(progress: Rule, state: RequesterState, t: number): void {
  const words = progress.outcomes.map((outcome) => outcomeWord(outcome, 'ackTimer'));
  const { timer } = state;
  const { asked, earliest } = timer;
  if (!words.includes('restarted')) return;
  state.timer = words.includes('kept')
    ? { ...timer, latest: t }
    : { asked, earliest: Math.max(earliest, t), latest: t };
}
