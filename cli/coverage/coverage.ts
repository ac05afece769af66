import type { Statement } from '../../oracle/compile/statements.ts';
import type { Rule, RuleSet } from '../../oracle/index.ts';
import type { Level, Verdict } from '../../report/results.ts';
import type { Excuse } from './excuses.ts';
import { isPremise, leadsOn } from './premise.ts';

/**
 * What is known of a statement. `proved`: a rule covers it, and a device that breaks it was caught. `covered`: by rules that
 * leave a choice, which nothing can break. `unproved`: a rule covers it, but no mutant breaks it. `unexercised`: the run given
 * never reached its rules, although some demand something. `unsupported`: its rules bind devices of another kind than the one run. `excused`: no rule can
 * cover it, and the reason is given. `open`: nothing covers it.
 */
export const statementStatuses = [
  'proved',
  'covered',
  'excused',
  'unsupported',
  'unexercised',
  'unproved',
  'open',
] as const;

export type StatementStatus = (typeof statementStatuses)[number];

/** Those that must not be there at the end. */
export const undone: readonly StatementStatus[] = ['unexercised', 'unproved', 'open'];

/**
 * What is known of a rule that covers something. `leads-on`: it only names the table that decides, and is broken where that is.
 * `shown`: it moves the model or allows something, and a
 * mutant that breaks one of its statements dies by the rules about what follows. `free`: SHOULD or MAY without a mutant.
 */
export type RuleStatus = 'proved' | 'shown' | 'unproved' | 'leads-on' | 'free';

export interface CoveringRule {
  id: string;
  level: Level;
  /** capabilities without which a device is not bound */
  requires: string[];
  status: RuleStatus;
  /** mutants that it kills; of one that is shown, those that show it */
  mutants: string[];
  /** from the results of a run, where they are given */
  exercised?: number;
  verdict?: Verdict;
}

export interface StatementCoverage {
  id: string;
  document: string;
  section: string;
  kind: Statement['kind'];
  level: Statement['level'];
  statement: string;
  status: StatementStatus;
  /** ids of the rules that cover it */
  rules: string[];
  /** mutants caught that break it by their own word, or break a rule that covers it */
  mutants: string[];
  excuse?: Excuse;
}

/** The shape of the JSON (`spec/schema/coverage.schema.json`). */
export interface Coverage {
  schema: 'rdma-conform/coverage/1';
  /** digest of the rules */
  spec: string;
  /** the run whose results were given */
  run?: { adapter: string; spec: string };
  /** mutants were killed in a run, or are only said to die */
  kills: 'seen' | 'declared';
  counts: Record<StatementStatus, number>;
  documents: { id: string; prefix: string; counts: Record<StatementStatus, number> }[];
  statements: StatementCoverage[];
  rules: CoveringRule[];
}

/** A mutant that dies, by these rules. */
export interface DeadMutant {
  id: string;
  statements: readonly string[];
  rules: readonly string[];
}

export interface RunEvidence {
  adapter: string;
  spec: string;
  rules: ReadonlyMap<string, { exercised: number; verdict: Verdict }>;
}

export interface CoverageInput {
  rules: RuleSet;
  /** by document: the name of its file in spec/statements, without extension */
  documents: ReadonlyMap<string, readonly Statement[]>;
  excuses: ReadonlyMap<string, Excuse>;
  mutants: readonly DeadMutant[];
  kills: Coverage['kills'];
  run?: RunEvidence | undefined;
}

/** Rules by statement that they cover. */
export function rulesByStatement(rules: readonly Rule[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { id, covers } of rules) {
    for (const statement of covers) found.set(statement, [...(found.get(statement) ?? []), id]);
  }
  return found;
}

function ruleStatus(rule: Rule, set: RuleSet, killed: number, shown: number): RuleStatus {
  if (killed > 0) return 'proved';
  if (leadsOn(rule, set)) return 'leads-on';
  if (shown > 0) return 'shown';
  return rule.level === 'must' ? 'unproved' : 'free';
}

function coveringRule(rule: Rule, { rules: set, mutants, run }: CoverageInput): CoveringRule {
  const killed = mutants.filter((mutant) => mutant.rules.includes(rule.id));
  const shown = isPremise(rule)
    ? mutants.filter((mutant) => mutant.statements.some((statement) => rule.covers.includes(statement)))
    : [];
  const found = killed.length > 0 ? killed : shown;
  const seen = run?.rules.get(rule.id);
  return {
    id: rule.id,
    level: rule.level,
    requires: [...rule.requires],
    status: ruleStatus(rule, set, killed.length, shown.length),
    mutants: found.map(({ id }) => id),
    ...(seen === undefined ? {} : { exercised: seen.exercised, verdict: seen.verdict }),
  };
}

function statusOf(
  rules: readonly CoveringRule[],
  mutants: readonly string[],
  excuse: Excuse | undefined,
  run: boolean,
): StatementStatus {
  if (rules.length === 0) return excuse === undefined ? 'open' : 'excused';
  if (run && rules.every(({ verdict }) => verdict === 'unsupported')) return 'unsupported';
  // a device that never takes what a MAY allows leaves nothing untried
  const free = rules.every(({ level }) => level === 'may');
  if (run && !free && rules.every(({ exercised = 0 }) => exercised === 0)) return 'unexercised';
  if (mutants.length > 0) return 'proved';
  return rules.some(({ level }) => level === 'must') ? 'unproved' : 'covered';
}

function counts(statements: readonly StatementCoverage[]): Record<StatementStatus, number> {
  const found: Record<StatementStatus, number> = {
    proved: 0,
    covered: 0,
    excused: 0,
    unsupported: 0,
    unexercised: 0,
    unproved: 0,
    open: 0,
  };
  for (const { status } of statements) found[status]++;
  return found;
}

/** First part of an id, which says which document makes the statement: `rx-...` -> `rx`. */
export function prefixOf(id: string): string {
  return id.slice(0, id.indexOf('-'));
}

/** What covers each statement, and what shows that it does. */
export function coverageOf(input: CoverageInput): Coverage {
  const { rules: set, documents, excuses, mutants, kills, run } = input;
  const rules = new Map(set.rules.map((rule) => [rule.id, coveringRule(rule, input)]));
  const byStatement = rulesByStatement(set.rules);
  const statements = [...documents].flatMap(([document, list]) =>
    list.map((entry): StatementCoverage => {
      const { id, kind, level, statement } = entry;
      const ids = byStatement.get(id) ?? [];
      const covering = ids.flatMap((rule) => rules.get(rule) ?? []);
      // A mutant that names a statement nobody covers proves nothing yet.
      const killers = mutants.filter(
        (mutant) => mutant.statements.includes(id) || mutant.rules.some((rule) => ids.includes(rule)),
      );
      // Those that name the statement stand first: they say the most of it.
      const byName = killers.toSorted(
        (a, b) => Number(b.statements.includes(id)) - Number(a.statements.includes(id)),
      );
      const killed = covering.length === 0 ? [] : byName.map((mutant) => mutant.id);
      const excuse = covering.length === 0 ? excuses.get(id) : undefined;
      const status = statusOf(covering, killed, excuse, run !== undefined);
      const section = entry.source.section;
      return {
        id,
        document,
        section,
        kind,
        level,
        statement,
        status,
        rules: ids,
        mutants: killed,
        ...(excuse === undefined ? {} : { excuse }),
      };
    }),
  );
  const groups = [...new Set(statements.map(({ document, id }) => `${document} ${prefixOf(id)}`))];
  const covered = new Set(statements.flatMap((statement) => statement.rules));
  return {
    schema: 'rdma-conform/coverage/1',
    spec: set.digest,
    ...(run === undefined ? {} : { run: { adapter: run.adapter, spec: run.spec } }),
    kills,
    counts: counts(statements),
    documents: groups.map((group) => {
      const [id = '', prefix = ''] = group.split(' ');
      const own = statements.filter((s) => s.document === id && prefixOf(s.id) === prefix);
      return { id, prefix, counts: counts(own) };
    }),
    statements,
    rules: [...rules.values()].filter(({ id }) => covered.has(id)),
  };
}

/** Statements and rules that are not done. */
export function undoneOf(coverage: Coverage): { statements: StatementCoverage[]; rules: CoveringRule[] } {
  return {
    statements: coverage.statements.filter(({ status }) => undone.includes(status)),
    rules: coverage.rules.filter(({ status }) => status === 'unproved'),
  };
}
