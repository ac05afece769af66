import type { Statement } from '../../oracle/compile/statements.ts';
import type { Rule, RuleSet } from '../../oracle/index.ts';
import type { Level, Verdict } from '../../report/results.ts';
import type { Excuse } from './excuses.ts';
import { isModel, isPremise, leadsOn } from './premise.ts';

/**
 * What is known of a statement. `proved`: a mutant that breaks this statement by its own word dies by a rule that covers it.
 * `covered`: rules judge it that other mutants break, or that leave a choice; nobody planted a fault against this statement.
 * `leads-on`: its rules cannot be broken by themselves; what follows from them is judged in the name of other statements.
 * `model`: its rules bind the switch that the suites put between two devices, and no device. `unproved`: a rule covers it, but no
 * mutant breaks that. `unexercised`: the run given never reached its rules, although some demand something. `unsupported`: all
 * rules that could judge it bind devices of another kind than the one run. `excused`: no rule can cover it, and the reason is
 * given. `open`: nothing covers it.
 */
export const statementStatuses = [
  'proved',
  'covered',
  'leads-on',
  'model',
  'excused',
  'unsupported',
  'unexercised',
  'unproved',
  'open',
] as const;

export type StatementStatus = (typeof statementStatuses)[number];

/** Those that must not be there at the end. */
export const undone: readonly StatementStatus[] = ['unexercised', 'unproved', 'open'];

/** Those that say nothing about a device, whatever a run finds. */
export const noVerdict: readonly StatementStatus[] = ['leads-on', 'model', 'excused', 'unsupported', 'open'];

/**
 * What is known of a rule that covers something. `leads-on`: it only names the table that decides, and is broken where that is.
 * `shown`: it moves the model or allows something, and a
 * mutant that breaks one of its statements dies by the rules about what follows. `model`: it binds the switch of the suites, and
 * a mutant of that dies where it is a must. `free`: SHOULD or MAY without a mutant.
 */
export type RuleStatus = 'proved' | 'shown' | 'model' | 'unproved' | 'leads-on' | 'free';

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
  /** mutants caught that break it by their own word */
  mutants: string[];
  /** mutants caught that break a rule that covers it, and another statement */
  neighbours: string[];
  /** with the results of a run: capabilities that the device lacks, and without which nothing judges the statement */
  lacks?: string[];
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
  if (isModel(rule, set))
    return rule.level === 'must' && killed + shown === 0 && !leadsOn(rule, set) ? 'unproved' : 'model';
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

// Rules that a device can break by themselves; `unproved` and `free` ones as well, of which that is not shown.
const judging: readonly RuleStatus[] = ['proved', 'unproved', 'free'];

interface Judged {
  rules: readonly CoveringRule[];
  /** ids of rules that cover it and that were broken by a mutant that names the statement */
  broken: ReadonlySet<string>;
  excuse: Excuse | undefined;
  run: boolean;
}

/** The rules that can say something about the device; without a run, about any. */
function judges({ rules, run }: Judged): CoveringRule[] {
  return rules.filter(
    ({ status, verdict }) => judging.includes(status) && !(run && verdict === 'unsupported'),
  );
}

function statusOf(judged: Judged): StatementStatus {
  const { rules, broken, excuse, run } = judged;
  if (rules.length === 0) return excuse === undefined ? 'open' : 'excused';
  const able = judges(judged);
  if (able.length === 0) {
    if (rules.some(({ status }) => judging.includes(status))) return 'unsupported';
    if (run && rules.every(({ verdict }) => verdict === 'unsupported')) return 'unsupported';
    return rules.some(({ status }) => status === 'model') ? 'model' : 'leads-on';
  }
  // a device that never takes what a MAY allows leaves nothing untried
  const free = able.every(({ level }) => level === 'may');
  const tried = run ? able.filter(({ exercised = 0 }) => exercised > 0) : able;
  if (tried.length === 0 && !free) return 'unexercised';
  if (tried.some(({ id }) => broken.has(id))) return 'proved';
  const asked = able.some(({ level }) => level === 'must');
  return asked && able.every(({ status }) => status !== 'proved') ? 'unproved' : 'covered';
}

/** What a device would have to declare for the rules to judge the statement: what the fewest lack. */
function lacking(rules: readonly CoveringRule[], has: ReadonlySet<string>): string[] {
  const [least = []] = rules
    .filter(({ status }) => judging.includes(status))
    .map(({ requires }) => requires.filter((word) => !has.has(word)))
    .toSorted((a, b) => a.length - b.length);
  return least;
}

function counts(statements: readonly StatementCoverage[]): Record<StatementStatus, number> {
  const found: Record<StatementStatus, number> = {
    proved: 0,
    covered: 0,
    'leads-on': 0,
    model: 0,
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
  // what some rule required that was held against the device, it has
  const has = new Set(
    [...rules.values()].flatMap(({ verdict, requires }) => (verdict === 'unsupported' ? [] : requires)),
  );
  const statements = [...documents].flatMap(([document, list]) =>
    list.map((entry): StatementCoverage => {
      const { id, kind, level, statement } = entry;
      const ids = byStatement.get(id) ?? [];
      const covering = ids.flatMap((rule) => rules.get(rule) ?? []);
      // A mutant that dies by other rules alone says nothing of these.
      const killers = mutants.filter((mutant) => mutant.rules.some((rule) => ids.includes(rule)));
      const named = killers.filter((mutant) => mutant.statements.includes(id));
      const broken = new Set(named.flatMap((mutant) => mutant.rules));
      const excuse = covering.length === 0 ? excuses.get(id) : undefined;
      const status = statusOf({ rules: covering, broken, excuse, run: run !== undefined });
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
        mutants: named.map((mutant) => mutant.id),
        neighbours: killers.filter((mutant) => !named.includes(mutant)).map((mutant) => mutant.id),
        ...(status === 'unsupported' ? { lacks: lacking(covering, has) } : {}),
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
