import type { MigState, QpAttr } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import { addressOf } from '../device/packet/address.ts';
import { stateName } from '../device/qp-state.ts';
import type { Qp } from '../device/qp.ts';
import { MachineTable } from '../rulebook/machine-table.ts';
import { knownWord } from '../rulebook/outcome.ts';
import type { Rule, RuleSet } from '../rules.ts';
import { pathMachine } from './machine.ts';
import { Migration } from './migration.ts';
import type { Move, PathState } from './migration.ts';
import type { PathMigrationInputs, PathMigrationVariables } from './variables.ts';

type Table = MachineTable<PathMigrationVariables, PathMigrationInputs>;

/** The tables of path migration, by what they decide. */
export interface MigrationTables {
  packet: Table;
  call: Table;
  sent: Table;
  event: Table;
  query: Table;
  paths: Table;
}

/** RangeError if the vocabulary lacks a table of path migration. */
export function migrationTables(rules: RuleSet): MigrationTables {
  const machine = pathMachine(rules);
  const of = (id: string): Table => new MachineTable(rules, machine, id);
  return {
    packet: of('rc-migration'),
    call: of('rc-migration-call'),
    sent: of('rc-migration-sent'),
    event: of('rc-migration-event'),
    query: of('rc-migration-query'),
    paths: of('rc-path-query'),
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
): { source: PathSource; move: Move | undefined } {
  const move = migration.loaded ? moveOf(tables.packet, { qp, packet }, migration) : undefined;
  const source = migration.machine.word('source')({ qp, packet, move: move?.word ?? 'none' }, migration);
  return { source: source === 'refused' || source === 'peer' ? source : 'other', move };
}

export type PathSource = 'peer' | 'other' | 'refused';

function moveOf(table: Table, inputs: Partial<PathMigrationInputs>, migration: Migration): Move | undefined {
  const [rule] = table.at(inputs, migration);
  return rule && { rule, word: knownWord(rule.outcomes[0] ?? {}, 'migration', moves, 'stays') };
}

const moves = ['rearms', 'arms', 'migrates', 'refused'] as const;

/** What ibv_modify_qp leads to. */
export function afterCall(
  tables: MigrationTables,
  migration: Migration,
  attr: QpAttr,
): { migration: Migration; move: Move | undefined } {
  const { machine } = migration;
  const inputs = { attr: inputsOf(attr) };
  const { timeout, primary, alternate } = inputs.attr;
  const sets = primary || alternate || timeout !== undefined;
  const after = sets ? migration.changed((m) => machine.step('modified')(inputs, m)) : migration;
  const move = machine.flag('called')(inputs, after) ? moveOf(tables.call, inputs, after) : undefined;
  return { migration: move === undefined ? after : after.moved(move), move };
}

function inputsOf(attr: QpAttr): PathMigrationInputs['attr'] {
  const { ah_attr, alt_ah_attr, path_mig_state, timeout, alt_timeout } = attr;
  return {
    asks: path_mig_state !== undefined,
    path_mig_state: pathStateOf(path_mig_state ?? 'IBV_MIG_MIGRATED'),
    timeout,
    primary: ah_attr !== undefined,
    alternate: alt_ah_attr !== undefined,
    altAddress: alt_ah_attr && addressOf(alt_ah_attr.dgid),
    alt_timeout,
  };
}

/** Whether ibv_modify_qp asks for a state that says something of an alternate path, of a QP that has none. */
export function asksWithoutPath(migration: Migration, attr: QpAttr): boolean {
  return migration.machine.flag('lacksPath')({ attr: inputsOf(attr) }, migration);
}

/** What the rules have against the path migration state that ibv_query_qp gives; `undefined` where it gives none that means something. */
export function queriedPath(
  tables: MigrationTables,
  migration: Migration,
  { qp_state, path_mig_state }: QpAttr,
): { rules: readonly Rule[]; wrong: { rule: Rule; given: PathState } | undefined } | undefined {
  if (qp_state === undefined || path_mig_state === undefined) return undefined;
  const given = pathStateOf(path_mig_state);
  const inputs = { queried: { qp_state: stateName(qp_state), path_mig_state: given } };
  const { machine } = migration;
  if (!machine.flag('tellsPath')(inputs, migration)) return undefined;
  const rules = tables.query.at(inputs, migration);
  const holds = machine.holds('mustReportPath');
  const rule = rules.find((r) => holds(r.outcomes[0] ?? {}, inputs, migration) === false);
  return { rules, wrong: rule && { rule, given } };
}

/** What the rules have against the paths that ibv_query_qp gives; `undefined` where it gives none that mean something. */
export function queriedPaths(
  tables: MigrationTables,
  qp: Qp,
  migration: Migration,
  { qp_state, path_mig_state, ah_attr, alt_ah_attr, alt_timeout }: QpAttr,
):
  | { rules: readonly Rule[]; wrong: { rule: Rule; expected: string; observed: string } | undefined }
  | undefined {
  if (qp_state === undefined || path_mig_state === undefined || ah_attr === undefined) return undefined;
  const queried = {
    qp_state: stateName(qp_state),
    path_mig_state: pathStateOf(path_mig_state),
    address: addressOf(ah_attr.dgid),
    altAddress: alt_ah_attr && addressOf(alt_ah_attr.dgid),
    alt_timeout,
  };
  const inputs = { qp, queried };
  const { machine, alternate, alternateTimeout } = migration;
  if (!machine.flag('tellsPath')(inputs, migration)) return undefined;
  const rules = tables.paths.at(inputs, migration);
  const fails = (word: string) => (rule: Rule) =>
    rule.outcomes.some(
      (outcome) => word in outcome && machine.holds(word)(outcome, inputs, migration) === false,
    );
  const path = rules.find(fails('mustReportAddress'));
  if (path !== undefined) {
    const expected = `the path to ${addressInUse(qp, migration) ?? 'anywhere'}`;
    return { rules, wrong: { rule: path, expected, observed: `that to ${queried.address}` } };
  }
  const other = rules.find(fails('mustReportAlternate'));
  const text = (address: string | undefined, timeout: number | undefined): string =>
    `the alternate path to ${address ?? 'nowhere'} with the timeout ${timeout ?? 'of none'}`;
  return {
    rules,
    wrong: other && {
      rule: other,
      expected: text(alternate, alternateTimeout),
      observed: text(queried.altAddress, alt_timeout),
    },
  };
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
  qp: Qp,
  migration: Migration,
  packet: Packet,
): { rules: readonly Rule[]; wrong: { rule: Rule; expected: string; observed: string } | undefined } {
  const { machine, pathState } = migration;
  const rules = tables.sent.at({ qp, packet }, migration);
  const rule = rules.find(
    (r) => machine.holds('mustMigReq')(r.outcomes[0] ?? {}, { qp, packet }, migration) === false,
  );
  const text = (one: boolean): string => `MigReq ${one ? 1 : 0}`;
  const wrong = rule && {
    rule,
    expected: `${text(!packet.migReq)} in ${pathState}`,
    observed: text(packet.migReq),
  };
  return { rules, wrong };
}
