import type { MigState, QpAttr } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import { addressOf } from '../device/packet/address.ts';
import type { Qp } from '../device/qp.ts';
import { lookupOf } from '../rulebook/lookup.ts';
import type { Lookup } from '../rulebook/lookup.ts';
import { outcomeWord } from '../rulebook/outcome.ts';
import type { Rule, RuleSet } from '../rules.ts';
import { pathMachine } from './machine.ts';
import { Migration } from './migration.ts';
import type { Move, PathState } from './migration.ts';

/** The tables of path migration, by what they decide. */
export interface MigrationTables {
  packet: Lookup;
  call: Lookup;
  sent: Lookup;
  event: Lookup;
  query: Lookup;
}

/** RangeError if the vocabulary lacks a table of path migration. */
export function migrationTables(rules: RuleSet): MigrationTables {
  return {
    packet: lookupOf(rules, 'rc-migration'),
    call: lookupOf(rules, 'rc-migration-call'),
    sent: lookupOf(rules, 'rc-migration-sent'),
    event: lookupOf(rules, 'rc-migration-event'),
    query: lookupOf(rules, 'rc-migration-query'),
  };
}

/** Path migration of a QP that begins. */
export function firstMigration(rules: RuleSet): Migration {
  return Migration.first(pathMachine(rules));
}

/** Address of the far end on the path in use; `undefined` where the trace holds none. */
export function addressInUse(qp: Qp, migration: Migration): string | undefined {
  return migration.machine.address('inUse')({ qp }, migration);
}

/** The fact `source` of a packet that arrives, and what it does to the paths of a QP that has an alternate one. */
export function arrivalOver(
  tables: MigrationTables,
  qp: Qp,
  migration: Migration,
  packet: Packet,
): { source: 'peer' | 'other' | 'refused'; move: Move | undefined } {
  const { machine } = migration;
  const inputs = { qp, packet };
  const inUse = machine.flag('overCurrent')(inputs, migration);
  if (!migration.loaded) return { source: inUse ? 'peer' : 'other', move: undefined };
  const move = moveOf(tables.packet, {
    pathState: machine.fact('pathState')(inputs, migration),
    migReq: machine.fact('migReq')(inputs, migration),
    via: machine.fact('via')(inputs, migration),
  });
  if (move?.word === 'refused') return { source: 'refused', move };
  return { source: inUse || move?.word === 'migrates' ? 'peer' : 'other', move };
}

function moveOf(lookup: Lookup, facts: Readonly<Record<string, string>>): Move | undefined {
  const [rule] = lookup(facts);
  const word = rule === undefined ? undefined : outcomeWord(rule.outcomes[0] ?? {}, 'migration');
  if (rule === undefined) return undefined;
  switch (word) {
    case 'rearms':
    case 'arms':
    case 'migrates':
    case 'refused':
      return { rule, word };
    case undefined:
    default:
      return { rule, word: 'stays' };
  }
}

/** What ibv_modify_qp leads to. */
export function afterCall(
  tables: MigrationTables,
  migration: Migration,
  attr: QpAttr,
): { migration: Migration; move: Move | undefined } {
  const { machine } = migration;
  const { ah_attr, alt_ah_attr, timeout, alt_timeout } = attr;
  const set = {
    path_mig_state: attr.path_mig_state === undefined ? 'MIGRATED' : pathStateOf(attr.path_mig_state),
    timeout,
    primary: ah_attr !== undefined,
    alternate: alt_ah_attr !== undefined,
    altAddress: alt_ah_attr && addressOf(alt_ah_attr.dgid),
    alt_timeout,
  } as const;
  const sets = set.primary || set.alternate || timeout !== undefined;
  const after = sets ? migration.changed((m) => machine.step('modified')({ attr: set }, m)) : migration;
  if (attr.path_mig_state === undefined || !after.loaded) return { migration: after, move: undefined };
  const move = moveOf(tables.call, {
    pathState: machine.fact('pathState')({}, after),
    pathAsked: machine.fact('pathAsked')({ attr: set }, after),
  });
  return { migration: move === undefined ? after : after.moved(move), move };
}

/** Whether ibv_modify_qp asks for a state that says something of an alternate path, of a QP that has none. */
export function asksWithoutPath({ loaded }: Migration, { path_mig_state, alt_ah_attr }: QpAttr): boolean {
  return (
    !loaded &&
    alt_ah_attr === undefined &&
    path_mig_state !== undefined &&
    path_mig_state !== 'IBV_MIG_MIGRATED'
  );
}

/** State of the rules (`ARMED`) of a verbs state (`IBV_MIG_ARMED`). */
export function pathStateOf(state: MigState): PathState {
  switch (state) {
    case 'IBV_MIG_MIGRATED':
      return 'MIGRATED';
    case 'IBV_MIG_REARM':
      return 'REARM';
    case 'IBV_MIG_ARMED':
      return 'ARMED';
  }
}

/** What the rules have against MigReq of a packet that the QP sent. */
export function wrongMigReq(
  tables: MigrationTables,
  migration: Migration,
  packet: Packet,
): { rules: readonly Rule[]; wrong: { rule: Rule; expected: string; observed: string } | undefined } {
  const { machine, pathState } = migration;
  const rules = tables.sent({ pathState });
  const rule = rules.find(
    (r) => machine.holds('mustMigReq')(r.outcomes[0] ?? {}, { packet }, migration) === false,
  );
  const text = (one: boolean): string => `MigReq ${one ? 1 : 0}`;
  const wrong = rule && {
    rule,
    expected: `${text(!packet.migReq)} in ${pathState}`,
    observed: text(packet.migReq),
  };
  return { rules, wrong };
}
