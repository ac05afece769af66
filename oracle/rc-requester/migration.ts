import type { EventType } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import type { Outcome, Rule } from '../rules.ts';
import { arrivalOver } from '../path-migration/tables.ts';
import type { Move } from '../path-migration/migration.ts';
import { RequesterEvent } from './inputs.ts';
import type { Finding, Requester } from './requester.ts';
import type { RequesterState } from './state.ts';
import type { RequesterTables } from './tables.ts';
import { outcomeWord } from '../rulebook/outcome.ts';

/** What header validation says of a packet, and what its path and MigReq do to the QP. */
export interface PathLook {
  source: 'peer' | 'other' | 'refused';
  rules: readonly Rule[];
  move: Move | undefined;
  /** what a packet leads to whose header is sound, apart from where it comes from */
  heed: (state: RequesterState) => void;
}

/** Looks at where a packet comes from, and at its MigReq. */
export function lookAtPath(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  arrival: { packet: Packet; event: number },
): PathLook {
  const { source, move } = arrivalOver(
    tables.migration,
    requester.connection,
    state.migration,
    arrival.packet,
  );
  if (move === undefined) return { source, rules: [], move, heed: ignore };
  return {
    source,
    rules: [move.rule],
    move,
    heed: (after) => follow(requester, after, move, arrival.event),
  };
}

function ignore(): void {
  // the QP has no path to migrate to
}

/** The move of a packet or a call. */
export function follow(requester: Requester, state: RequesterState, move: Move, event: number): void {
  const { news } = state;
  if (move.word === 'refused')
    state.news = { ...news, refusals: news.refusals + 1, refusalOwed: true, event };
  if (move.word !== 'migrates') {
    state.migration = state.migration.moved(move);
    return;
  }
  const seen = takeAlternate(requester, state, move.rule, event);
  // whether one who follows its peer counts anew is told nowhere
  state.machine.applyAny([{ retryCounter: 'kept' }, { retryCounter: 'reloaded' }], seen, state);
}

/** Spent retries take the QP to its alternate path, where it counts anew: `outcome` of the rule. */
export function migrateExhausted(
  requester: Requester,
  state: RequesterState,
  { rule, outcome, event }: { rule: Rule; outcome: Outcome; event: number },
): void {
  const seen = takeAlternate(requester, state, rule, event);
  state.machine.apply(outcome, seen, state);
}

function takeAlternate(
  requester: Requester,
  state: RequesterState,
  rule: Rule,
  event: number,
): RequesterEvent {
  const seen = new RequesterEvent(requester, state, 0);
  state.machine.steps.changedPath(seen, state);
  state.migration = state.migration.after(rule, { migration: 'migrates' });
  state.news = { ...state.news, migrations: state.news.migrations + 1, event };
  return seen;
}

export type PathEvent = 'IBV_EVENT_PATH_MIG' | 'IBV_EVENT_PATH_MIG_ERR';

/** Whether the event is one of path migration. */
export function isPathEvent(type: EventType): type is PathEvent {
  return type === 'IBV_EVENT_PATH_MIG' || type === 'IBV_EVENT_PATH_MIG_ERR';
}

/** Holds an event of path migration against the state, and moves the state on. */
export function announcePath(
  tables: RequesterTables,
  state: RequesterState,
  type: PathEvent,
): { rules: readonly Rule[]; unmet: readonly Finding[] } {
  const { news } = state;
  if (type === 'IBV_EVENT_PATH_MIG_ERR' && news.refusals > 0) {
    state.news = { ...news, refusals: news.refusals - 1, refusalOwed: false };
    return { rules: tables.migration.event({ pathNews: 'refused' }), unmet: [] };
  }
  // the packet, or the call, that tells of a migration may come behind the event
  const foretold = state.migration.armed && news.migrations === 0;
  if (type === 'IBV_EVENT_PATH_MIG' && (news.migrations > 0 || foretold)) {
    state.news = { ...news, migrations: news.migrations - 1 };
    return { rules: tables.migration.event({ pathNews: 'migrated' }), unmet: [] };
  }
  const rules = tables.migration.event({ pathNews: 'none' });
  const rule = rules.find((r) => outcomeWord(r.outcomes[0] ?? {}, 'mustCome') === 'never');
  return { rules, unmet: rule === undefined ? [] : [{ rule, expected: `no ${type}`, observed: type }] };
}

type PathOwed = Finding & { event: number; news: true };

/** Events of path migration that have not come, or came for nothing; `exercised` gets the rule that none came in vain. */
export function pathNewsOwed(
  tables: RequesterTables,
  { news }: RequesterState,
  exercised?: (rules: readonly Rule[]) => void,
): PathOwed[] {
  const { migrations, refusalOwed, event } = news;
  if (migrations === 0 && !refusalOwed) {
    exercised?.(tables.migration.event({ pathNews: 'none' }));
    return [];
  }
  const found = (pathNews: string, word: string): Rule | undefined =>
    tables.migration.event({ pathNews }).find((r) => outcomeWord(r.outcomes[0] ?? {}, 'mustCome') === word);
  const owed = (rule: Rule | undefined, expected: string, observed: string): PathOwed[] =>
    rule === undefined ? [] : [{ rule, expected, observed, event, news: true }];
  return [
    ...(migrations > 0 ? owed(found('migrated', 'once'), 'IBV_EVENT_PATH_MIG', 'no event') : []),
    ...(migrations < 0 ? owed(found('none', 'never'), 'no IBV_EVENT_PATH_MIG', 'the event') : []),
    ...(refusalOwed ? owed(found('refused', 'once'), 'IBV_EVENT_PATH_MIG_ERR', 'no event') : []),
  ];
}
