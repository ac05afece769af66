import type { EventType } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import type { Outcome, Rule } from '../rules.ts';
import { arrivalOver } from '../path-migration/tables.ts';
import type { PathSource } from '../path-migration/tables.ts';
import type { Move } from '../path-migration/migration.ts';
import { RequesterEvent } from './inputs.ts';
import type { Finding, Requester } from './requester.ts';
import type { RequesterState } from './state.ts';
import type { RequesterTables } from './tables.ts';
import type { PathMigrationInputs } from '../path-migration/variables.ts';
import { ruleWord } from '../rulebook/outcome.ts';

/** What header validation says of a packet, and what its path and MigReq do to the QP. */
export interface PathLook {
  source: PathSource;
  rules: readonly Rule[];
  move: Move | undefined;
  /** what a packet leads to whose header is sound, apart from where it comes from */
  followPath: (state: RequesterState) => void;
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
  if (move === undefined) return { source, rules: [], move, followPath: ignore };
  return {
    source,
    rules: [move.rule],
    move,
    followPath: (after) => follow(requester, after, move, arrival.event),
  };
}

function ignore(): void {
  // the QP has no path to migrate to
}

/** The move of a packet or a call. */
export function follow(requester: Requester, state: RequesterState, move: Move, event: number): void {
  if (move.word === 'refused') state.pathEvent = event;
  if (move.word !== 'migrates') {
    state.migration = state.migration.moved(move);
    return;
  }
  const seen = takeAlternate(requester, state, move.rule, event);
  state.machine.steps.followedPeer(seen, state);
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
  state.pathEvent = event;
  return seen;
}

const pathEvents = ['IBV_EVENT_PATH_MIG', 'IBV_EVENT_PATH_MIG_ERR'] as const;
export type PathEvent = (typeof pathEvents)[number];

/** Whether the event is one of path migration. */
export function isPathEvent(type: EventType): type is PathEvent {
  return pathEvents.some((known) => known === type);
}

/** Holds an event of path migration against the state, and moves the state on. */
export function announcePath(
  tables: RequesterTables,
  state: RequesterState,
  type: PathEvent,
): { rules: readonly Rule[]; unmet: readonly Finding[] } {
  const { rules, unmet } = held(tables, state, { type, raised: true });
  const { machine } = state.migration;
  state.migration = state.migration.changed((after) =>
    machine.step('raised')({ event: { type, raised: true } }, after),
  );
  return { rules, unmet: unmet.map((rule) => ({ rule, expected: `no ${type}`, observed: type })) };
}

/** What the rules say of an event of path migration, or that it has not come, and which of them were not kept to. */
function held(
  tables: RequesterTables,
  { migration }: RequesterState,
  event: PathMigrationInputs['event'],
): { rules: readonly Rule[]; unmet: readonly Rule[] } {
  const rules = tables.migration.event.at({ event }, migration);
  const holds = migration.machine.holds('mustCome');
  return {
    rules,
    unmet: rules.filter((rule) => holds(rule.outcomes[0] ?? {}, { event }, migration) === false),
  };
}

type PathOwed = Finding & { event: number; news: true };

/** Events of path migration that have not come, or came for nothing; `exercised` gets the rules that were kept to. */
export function pathNewsOwed(
  tables: RequesterTables,
  state: RequesterState,
  exercised?: (rules: readonly Rule[]) => void,
): PathOwed[] {
  const kept = new Set<Rule>();
  const owed = pathEvents.flatMap((type) => {
    const { rules, unmet } = held(tables, state, { type, raised: false });
    for (const rule of rules) kept.add(rule);
    return unmet.map((rule): PathOwed => {
      const due = ruleWord(rule, 'mustCome') === 'once';
      const words = due
        ? { expected: type, observed: 'no event' }
        : { expected: `no ${type}`, observed: 'the event' };
      return { rule, ...words, event: state.pathEvent, news: true };
    });
  });
  if (owed.length === 0) exercised?.([...kept]);
  return owed;
}
