import type { Packet } from '../../wire/packet.ts';
import type { MigState, QpAttr } from '../../spec/verbs.ts';
import type { Rule, RuleSet } from '../rules.ts';
import { addressOf } from '../device/address.ts';
import type { Qp } from '../device/qp.ts';
import { lookupOf } from '../rulebook/lookup.ts';
import type { Lookup } from '../rulebook/lookup.ts';
import { outcomeWord } from '../rulebook/outcome.ts';

export type PathState = 'MIGRATED' | 'REARM' | 'ARMED';

/** Address of the far end, `undefined` where the trace holds none, and code of the ACK timeout. */
export interface Path {
  readonly address: string | undefined;
  readonly timeout: number;
}

/** Path migration of one QP. Never changed, only replaced. */
export interface Migration {
  readonly state: PathState;
  /** the path since the QP has migrated; `undefined`: the one that software gave as the primary */
  readonly current: Path | undefined;
  readonly alternate: Path | undefined;
  /** what moved it last, and the state that it came from */
  readonly by: { rule: Rule; from: PathState } | undefined;
  /** what kept it where it is since then; a refusal rather than anything else */
  readonly kept: Move | undefined;
}

/** In this state a QP begins. */
export const unmoved: Migration = {
  state: 'MIGRATED',
  current: undefined,
  alternate: undefined,
  by: undefined,
  kept: undefined,
};

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

/** What a packet or call does to the path migration state. */
export interface Move {
  rule: Rule;
  word: 'stays' | 'rearms' | 'arms' | 'migrates' | 'refused';
}

/** Address of the path in use. */
export function addressInUse({ peerAddress }: Qp, { current }: Migration): string | undefined {
  return current === undefined ? peerAddress : current.address;
}

/** The fact `source` of a packet that arrives, and what it does to the paths of a QP that has an alternate one. */
export function arrivalOver(
  tables: MigrationTables,
  connection: Qp,
  migration: Migration,
  packet: Packet,
): { source: 'peer' | 'other' | 'refused'; move: Move | undefined } {
  const address = addressInUse(connection, migration);
  const inUse = address === undefined || address === packet.srcIp;
  const { alternate, state } = migration;
  if (alternate === undefined) return { source: inUse ? 'peer' : 'other', move: undefined };
  const other = alternate.address === undefined || alternate.address === packet.srcIp;
  const move = moveOf(tables.packet, {
    pathState: state,
    migReq: packet.migReq ? 'one' : 'zero',
    via: inUse ? (other ? 'both' : 'current') : other ? 'alternate' : 'other',
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

/** The path migration state after a move. */
export function moved(migration: Migration, move: Move): Migration {
  const { kept } = migration;
  const by = { rule: move.rule, from: migration.state };
  switch (move.word) {
    case 'stays':
    case 'refused':
      if (kept?.rule === move.rule || kept?.word === 'refused') return migration;
      return { ...migration, kept: move };
    case 'rearms':
      return { ...migration, state: 'REARM', by, kept: undefined };
    case 'arms':
      return { ...migration, state: 'ARMED', by, kept: undefined };
    case 'migrates':
      return migrated(migration, move.rule);
  }
}

/** Over the alternate path from now on. It stays loaded, and is the primary one as well. */
export function migrated(migration: Migration, rule: Rule): Migration {
  const by = { rule, from: migration.state };
  return { ...migration, state: 'MIGRATED', current: migration.alternate, by, kept: undefined };
}

/** The rule that a QP has not obeyed which is in another state than the rules have it. */
export function disobeyed({ by, kept }: Migration, seen: PathState): Rule | undefined {
  return by !== undefined && (seen === by.from || kept === undefined) ? by.rule : kept?.rule;
}

/** What ibv_modify_qp leads to. */
export function afterCall(
  tables: MigrationTables,
  migration: Migration,
  attr: QpAttr,
): { migration: Migration; move: Move | undefined } {
  let after = migration;
  if (attr.ah_attr !== undefined) after = { ...after, current: undefined };
  if (attr.timeout !== undefined && after.current !== undefined)
    after = { ...after, current: { ...after.current, timeout: attr.timeout } };
  if (attr.alt_ah_attr !== undefined) {
    const address = addressOf(attr.alt_ah_attr.dgid);
    after = { ...after, alternate: { address, timeout: attr.alt_timeout ?? 0 } };
  }
  if (attr.path_mig_state === undefined || after.alternate === undefined)
    return { migration: after, move: undefined };
  const pathAsked = pathStateOf(attr.path_mig_state);
  const move = moveOf(tables.call, { pathState: after.state, pathAsked });
  return { migration: move === undefined ? after : moved(after, move), move };
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
  { state }: Migration,
  packet: Packet,
): { rules: readonly Rule[]; wrong: { rule: Rule; expected: string; observed: string } | undefined } {
  const rules = tables.sent({ pathState: state });
  const seen = packet.migReq ? 'one' : 'zero';
  const rule = rules.find((r) => {
    const word = outcomeWord(r.outcomes[0] ?? {}, 'mustMigReq') ?? 'any';
    return word !== 'any' && word !== seen;
  });
  const text = (one: boolean): string => `MigReq ${one ? 1 : 0}`;
  const wrong = rule && {
    rule,
    expected: `${text(!packet.migReq)} in ${state}`,
    observed: text(packet.migReq),
  };
  return { rules, wrong };
}

/** Part of the keys of states: two that are equal behave alike. */
export function migrationKey(migration: Migration): string {
  if (migration === unmoved) return '';
  const { state, current, alternate, by, kept } = migration;
  const path = (p: Path | undefined): string => (p === undefined ? '' : `${p.address}:${p.timeout}`);
  return `${state} ${path(current)} ${path(alternate)} ${by?.rule.index ?? ''} ${kept?.rule.index ?? ''}`;
}
