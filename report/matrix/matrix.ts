import { profileVersion } from '../profile-version.ts';
import { causesOf, type Cause } from '../causes/causes.ts';
import { findingName, type Failure, type Level, type RuleResult, type RunResult } from '../results.ts';
import { verdictWord } from '../rules-table.ts';

/** One run, by what tells it from the others. */
export interface Column {
  name: string;
  adapter: string;
  /** e.g. kernel or firmware version, from the profile */
  version?: string;
  seed: number;
  cases: number;
  /** version of the rule set */
  spec: string;
}

/** What one run shows of a rule. */
export interface Cell {
  /** verdict in a word; `absent` where the rule is not in the report, `other` where it is broken by another cause */
  verdict: string;
  exercised: number;
  violations: number;
  /** what each finding of the rule shows, in this cause */
  signatures: string[];
}

export interface RuleRow {
  rule: string;
  level: Level;
  says: string;
  /** by run */
  cells: Cell[];
}

/** What is likely one defect, in whichever runs it shows. */
export interface CauseRow {
  name: string;
  impact?: string;
  /** number of its findings by run */
  findings: number[];
  rules: RuleRow[];
}

/** Any number of runs beside each other: the shape of the json output (`spec/schema/matrix.schema.json`). */
export interface Matrix {
  schema: 'rdma-conform/matrix/1';
  runs: Column[];
  /** why the runs can be compared only in part */
  cautions: string[];
  /** the gravest first */
  causes: CauseRow[];
  /** rules that no run breaks */
  kept: number;
}

function columnOf(run: RunResult, name: string): Column {
  const version = profileVersion(run.adapter.profile);
  const { seed, cases, spec } = run;
  return { name, adapter: run.adapter.name, ...(version !== undefined && { version }), seed, cases, spec };
}

function cautionsOf(runs: readonly RunResult[], columns: readonly Column[]): string[] {
  const differ = (values: readonly (string | number)[]): boolean => new Set(values).size > 1;
  return [
    ...(differ(runs.map(({ spec }) => spec)) ? ['the runs were made with different rules'] : []),
    ...(differ(runs.map(({ seed }) => seed)) ? ['the runs tried different cases (seeds)'] : []),
    ...runs.flatMap((run, i) => (run.interrupted ? [`${columns[i]?.name} was interrupted`] : [])),
  ];
}

interface Group {
  /** of the first run that shows it */
  cause: Cause;
  /** by run */
  failures: Failure[][];
}

const failuresOf = ({ findings, consequences }: Cause): Failure[] => [...findings, ...consequences];

/** The same finding of two runs, unless the list of known divergences has it for two defects, such as of two versions. */
function same(a: Failure, b: Failure): boolean {
  const [own, other] = [a.divergence?.link, b.divergence?.link];
  return findingName(a) === findingName(b) && (own === other || own === undefined || other === undefined);
}

/** Causes of several runs are one where they share a finding: the same signature of the same rule. */
function groupsOf(runs: readonly RunResult[]): Group[] {
  let groups: Group[] = [];
  for (const [i, run] of runs.entries()) {
    for (const cause of causesOf(run)) {
      const failures = failuresOf(cause);
      const shared = groups.filter((group) =>
        group.failures.flat().some((known) => failures.some((failure) => same(known, failure))),
      );
      const [first, ...more] = shared;
      const into: Group = first ?? { cause, failures: runs.map(() => []) };
      for (const other of more)
        for (const [at, theirs] of other.failures.entries()) into.failures[at]?.push(...theirs);
      into.failures[i]?.push(...failures);
      groups = [...groups.filter((group) => !more.includes(group) && group !== into), into];
    }
  }
  return groups;
}

const broken: ReadonlySet<string> = new Set(['fail', 'deviation', 'known']);

/** What a rule came to in one run; `failures`: those of the run that belong to the cause of the row. */
function cellOf(rule: RuleResult | undefined, failures: readonly Failure[]): Cell {
  if (rule === undefined) return { verdict: 'absent', exercised: 0, violations: 0, signatures: [] };
  const own = failures.filter((failure) => failure.rule === rule.id);
  const verdict = verdictWord(rule).toLowerCase();
  return {
    verdict: own.length === 0 && broken.has(verdict) ? 'other' : verdict,
    exercised: rule.exercised,
    violations: rule.violations,
    signatures: own.map(({ signature, observed }) => signature ?? observed).toSorted(),
  };
}

function rowOf({ cause, failures }: Group, byId: readonly ReadonlyMap<string, RuleResult>[]): CauseRow {
  const all = failures.flat();
  const rules = [...new Map(all.map((failure) => [failure.rule, failure])).values()];
  return {
    name: cause.name,
    ...(cause.impact !== undefined && { impact: cause.impact.id }),
    findings: failures.map(({ length }) => length),
    rules: rules.map(({ rule, level, says }) => ({
      rule,
      level,
      says,
      cells: byId.map((rulesOfRun, i) => cellOf(rulesOfRun.get(rule), failures[i] ?? [])),
    })),
  };
}

/** Runs beside each other, by cause; `names` tells them apart, e.g. their files. */
export function matrixOf(runs: readonly RunResult[], names: readonly string[]): Matrix {
  const columns = runs.map((run, i) => columnOf(run, names[i] ?? `${i + 1}`));
  const byId = runs.map((run) => new Map(run.rules.map((rule) => [rule.id, rule])));
  const ranks = (runs.find(({ impacts }) => impacts !== undefined)?.impacts ?? []).map(({ id }) => id);
  const rank = ({ impact }: CauseRow): number => {
    const at = impact === undefined ? -1 : ranks.indexOf(impact);
    return at < 0 ? ranks.length : at;
  };
  const seen = ({ findings }: CauseRow): number => findings.filter((n) => n > 0).length;
  const causes = groupsOf(runs)
    .map((group) => rowOf(group, byId))
    .toSorted((a, b) => rank(a) - rank(b) || seen(b) - seen(a));
  const brokenByAny = new Set(causes.flatMap(({ rules }) => rules.map(({ rule }) => rule)));
  const every = new Set(byId.flatMap((rules) => [...rules.keys()]));
  return {
    schema: 'rdma-conform/matrix/1',
    runs: columns,
    cautions: cautionsOf(runs, columns),
    causes,
    kept: [...every].filter((id) => !brokenByAny.has(id)).length,
  };
}

/** A run's column in words: name, device, version. */
export function columnText({ name, adapter, version }: Column): string {
  return `${name}: ${adapter}${version === undefined ? '' : ` (${version})`}`;
}
