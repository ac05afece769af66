import type { Packet } from '../../wire/packet.ts';
import { psnAdd, psnDiff } from '../../wire/psn.ts';
import type { Rule } from '../rules.ts';
import { wrongMigReq } from '../path-migration/migration.ts';
import { unmetDemands } from './demands.ts';
import { openWork } from './memory.ts';
import { migrateExhausted } from './migration.ts';
import type { Finding, Requester, RequesterTables } from './requester.ts';
import {
  earliestDeparture,
  expiryOf,
  intervals,
  oldest,
  retryRule,
  rnrFacts,
  ruleOf,
  timerFacts,
  timerState,
} from './requester.ts';
import type { RequesterState } from './state.ts';
import { outcomeWord } from '../rulebook/outcome.ts';
import { endOf } from '../device/send-queue.ts';
import type { WorkItem } from '../device/send-queue.ts';

/** What the rules say to a request packet that the device sent. `order`: it must not be sent here at all. */
export interface Sending {
  rules: readonly Rule[];
  order: Finding | undefined;
  unmet: readonly Finding[];
}

type Place = 'next' | 'back' | 'completed' | 'skips' | 'unposted';

/** Holds a request packet against the state, and moves the state on. */
export function sendPacket(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  packet: Packet,
  t: number,
): Sending {
  const { psn } = packet;
  const item = requester.work.find(psn, state.head, state.tail);
  const place = placeOf(requester, state, psn, item);
  const rules: Rule[] = [];
  const leave = place === 'back' ? causeFor(requester, tables, state, packet, t) : undefined;
  const transmission = ruleOf(tables.transmission, { place, licence: leave?.licence ?? 'none' });
  rules.push(...(leave?.rules ?? []), transmission);
  let order: Finding | undefined;
  if (leave?.denied !== undefined) order = denial(leave.denied, state, packet, item);
  else if (outcomeWord(transmission.outcomes[0] ?? {}, 'sends') === 'forbidden')
    order = denial(transmission, state, packet, item);
  if (order !== undefined || item === undefined) return { rules, order, unmet: [] };

  const first = psnDiff(psn, state.end) >= 0;
  const demands = tables.request({ copy: first ? 'first' : 'repeat', requestKind: item.kind });
  rules.push(...demands);
  const migReq = wrongMigReq(tables.migration, state.migration, packet);
  rules.push(...migReq.rules);
  const certain = state.migration.alternate === undefined;
  const unmet = [
    ...unmetDemands(demands, { requester, state, packet, item, first }),
    ...(migReq.wrong === undefined ? [] : [{ ...migReq.wrong, certain }]),
  ];

  const waiting = first ? undefined : state.licences.find((l) => l.cause === 'rnr-nak' && l.psn === psn);
  if (waiting !== undefined && place === 'next') {
    const rule = ruleOf(tables.rnrTimer, rnrFacts(requester, waiting, t));
    rules.push(rule);
    if (expiryOf(rule) === 'forbidden') order = denial(rule, state, packet, item);
  }
  moveOn(requester, state, { packet, item, first, back: place === 'back' });
  rules.push(startTimer(requester, tables, state, packet, item, t));
  return { rules, order, unmet };
}

function placeOf(
  requester: Requester,
  state: RequesterState,
  psn: number,
  item: WorkItem | undefined,
): Place {
  if (state.qpState !== 'RTS' && state.qpState !== 'SQD') return 'unposted';
  const d = psnDiff(psn, state.cursor);
  if (d === 0 || (d > 0 && psnDiff(psn, state.una) <= 0)) return item === undefined ? 'unposted' : 'next';
  if (d > 0) return item === undefined && psnDiff(psn, state.end) >= 0 ? 'unposted' : 'skips';
  const from = oldest(requester, state)?.psn ?? state.end;
  return psnDiff(psn, from) >= 0 ? 'back' : 'completed';
}

interface Leave {
  licence: 'none' | 'cause' | 'later';
  rules: readonly Rule[];
  /** the timer's rule that forbids what looks like the work of the timer */
  denied: Rule | undefined;
}

/** What allows to go back to this PSN; takes what it costs from the counters. */
function causeFor(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  packet: Packet,
  t: number,
): Leave {
  const { psn } = packet;
  const reaching = state.licences.filter((l) => psnDiff(l.psn, psn) >= 0);
  const rules: Rule[] = [];
  let denied: Rule | undefined;
  for (const licence of reaching) {
    if (licence.cause === 'rnr-nak') {
      const rule = ruleOf(tables.rnrTimer, rnrFacts(requester, licence, t));
      rules.push(rule);
      if (expiryOf(rule) === 'forbidden') {
        denied = rule;
        continue;
      }
      rules.push(...waitKept(tables));
    }
    return { licence: 'cause', rules, denied: undefined };
  }
  const facts = timerFacts(requester, state, t);
  const timer = ruleOf(tables.timer, facts);
  const expiry = expiryOf(timer);
  const reachesOldest = psnDiff(psn, state.una) <= 0;
  if (state.optional >= 0 && psnDiff(state.optional, psn) >= 0) {
    // if the timer may have run out as well, it may have cost a retry
    if (expiry !== 'forbidden' && state.retries > 1) state.retries |= state.retries >> 1;
    return { licence: 'cause', rules, denied: undefined };
  }
  if (expiry !== 'forbidden' && reachesOldest)
    return timeout(requester, tables, state, { rules: [...rules, timer], packet, t });
  if (denied !== undefined) return { licence: 'none', rules, denied };
  if (state.licences.length > 0 || expiry !== 'forbidden')
    return { licence: 'later', rules, denied: undefined };
  // what starts at the oldest packet for no reason looks like the work of the timer
  return { licence: 'none', rules, denied: reachesOldest ? timer : undefined };
}

/** What is sent again after the wait, and not for ever after, keeps both bounds of it. */
function waitKept({ rnrTimer }: RequesterTables): readonly Rule[] {
  return [...rnrTimer({ rnrWait: 'running' }), ...rnrTimer({ rnrWait: 'long-over' })];
}

function timeout(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  { rules, packet, t }: { rules: readonly Rule[]; packet: Packet; t: number },
): Leave {
  const timer = rules.at(-1);
  const late = timer !== undefined && expiryOf(timer) === 'owed' ? timer : undefined;
  const retry = retryRule(tables, state, {
    cause: 'timeout',
    retryLeft: lastRetrySpent(state, packet) ? 'none' : 'some',
  });
  const found = [...rules, retry];
  const outcome = retry.outcomes[0] ?? {};
  const [least] = intervals(requester, state);
  state.timer = {
    asked: -1,
    earliest: Math.max(state.timer.earliest + least, earliestDeparture(requester, t)),
    latest: t,
  };
  switch (outcomeWord(outcome, 'action') ?? 'ignore') {
    case 'retransmit':
      if (outcomeWord(outcome, 'spends') === 'retry_cnt') state.retries >>= 1;
      if (outcomeWord(outcome, 'spends') === 'rnr_retry') state.rnrRetries >>= 1;
      return { licence: 'cause', rules: found, denied: late };
    case 'migrate':
      migrateExhausted(requester, state, retry, oldest(requester, state)?.event ?? 0);
      return { licence: 'cause', rules: found, denied: late };
    default:
      return { licence: 'none', rules: found, denied: retry };
  }
}

/** Where the counter may stand at 0 or not, an armed QP shows which by what it sends. */
function lastRetrySpent({ retries, migration }: RequesterState, { migReq, dstIp }: Packet): boolean {
  if (retries <= 1) return true;
  const { state, alternate } = migration;
  return (retries & 1) !== 0 && state === 'ARMED' && migReq && alternate?.address === dstIp;
}

interface Moved {
  packet: Packet;
  item: WorkItem;
  first: boolean;
  back: boolean;
}

function moveOn(requester: Requester, state: RequesterState, { packet, item, first, back }: Moved): void {
  const { psn } = packet;
  state.cursor = item.kind === 'read' ? endOf(item) : psnAdd(psn, 1);
  if (psnDiff(state.cursor, state.end) > 0) state.end = state.cursor;
  if (back) {
    state.repeatedSinceGain = true;
    state.optional = -1;
  }
  if (item.kind === 'read') state.reads = [...state.reads.filter((sent) => sent !== psn), psn];
  if (first && psn === item.psn) openWork(requester, state, item);
  if (state.licences.length === 0) return;
  // going back to a packet answers every NAK of it and of those behind it
  state.licences = state.licences.filter((l) =>
    back ? psnDiff(l.psn, psn) < 0 : psnDiff(l.psn, psn) < 0 || psnDiff(l.psn, state.cursor) >= 0,
  );
}

function startTimer(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  packet: Packet,
  item: WorkItem,
  t: number,
): Rule {
  const asks = packet.ackReq || item.kind === 'read' || item.kind === 'atomic';
  const rule = ruleOf(tables.timerStart, {
    asks: asks ? 'response' : 'nothing',
    ackTimer: timerState(requester, state),
  });
  const words = rule.outcomes.map((outcome) => outcomeWord(outcome, 'ackTimer'));
  if (!words.includes('restarted')) return rule;
  const { timer } = state;
  const began = Math.max(timer.earliest, earliestDeparture(requester, t), item.t);
  const newest = psnAdd(state.cursor, -1);
  state.timer = {
    asked: timer.asked < 0 || psnDiff(newest, timer.asked) > 0 ? newest : timer.asked,
    earliest: words.includes('kept') ? timer.earliest : began,
    latest: t,
  };
  return rule;
}

function denial(rule: Rule, state: RequesterState, packet: Packet, item: WorkItem | undefined): Finding {
  const goesOn =
    state.cursor === state.end ? `the next new packet (PSN ${state.end})` : `PSN ${state.cursor}`;
  const expected = rule.outcomes.some((o) => outcomeWord(o, 'action') === 'fail')
    ? 'no further retry: the counter is used up'
    : item === undefined || state.qpState === 'ERR'
      ? 'no request'
      : `${goesOn}, or nothing`;
  return { rule, expected, observed: `${packet.info?.name ?? 'a packet'} with PSN ${packet.psn}` };
}
