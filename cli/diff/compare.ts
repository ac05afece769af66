import { profileVersion } from '../../report/profile-version.ts';
import type { Failure, Level, RuleResult, RunResult } from '../../report/results.ts';
import { askedOf } from '../files/asked-of.ts';
import { verdictWord } from '../../report/rules-table.ts';

/** One of the two runs, by what tells it from the other. */
export interface Side {
  adapter: string;
  /** as `--adapter` named it, where its command line is known */
  asked?: string;
  /** e.g. kernel or firmware version, from the profile */
  version?: string;
  seed: number;
  cases: number;
  spec: string;
  interrupted: boolean;
}

/** What one side shows of a rule. */
export interface Seen {
  /** verdict in a word; `known` for a divergence that the run expected, `absent` where the rule is not in the report */
  verdict: string;
  exercised: number;
  violations: number;
  /** of the smallest failure that was kept */
  expected?: string;
  observed?: string;
  /** replays that failure */
  token?: string;
  /** the file of that case, where one was written */
  caseFile?: string;
  /** what each finding of the rule shows */
  signatures?: string[];
  /** what the device did where the rule leaves a choice, the most frequent first */
  choices?: string[];
  /** why it was not judged */
  why?: string;
}

/**
 * `only-a`, `only-b`: one device breaks the rule and the other was seen to keep it. `otherwise`: both break it, each in its
 * own way. `choice`: both keep it, and take choices that the other was not seen to take. `unjudged`: one of the runs says
 * nothing of the rule, so that the devices may or may not differ.
 */
export type DifferenceKind = 'only-a' | 'only-b' | 'otherwise' | 'choice' | 'unjudged';

export interface Difference {
  kind: DifferenceKind;
  rule: string;
  level: Level;
  says: string;
  statements: string[];
  a: Seen;
  b: Seen;
}

/** What `diff` reports of two runs: the shape of its json output (`spec/schema/diff.schema.json`). */
export interface RunDiff {
  schema: 'rdma-conform/diff/1';
  a: Side;
  b: Side;
  /** why the runs can be compared only in part */
  cautions: string[];
  /** what else the devices said of themselves before the run, where they differ; values as JSON */
  profile: { what: string; a: string; b: string }[];
  differences: Difference[];
  /** rules that both runs judged and that came out alike */
  alike: number;
}

type Standing = 'breaks' | 'keeps' | 'unjudged';

function standingOf(rule: RuleResult | undefined): Standing {
  switch (rule?.verdict) {
    case 'fail':
    case 'deviation':
      return 'breaks';
    case 'pass':
    case 'observed':
      return 'keeps';
    case 'inconclusive':
    case 'vacuous':
    case 'unsupported':
    case 'error':
    case undefined:
      return 'unjudged';
  }
}

function seenOf(rule: RuleResult | undefined, failures: readonly Failure[]): Seen {
  if (rule === undefined) return { verdict: 'absent', exercised: 0, violations: 0 };
  const own = failures.filter((candidate) => candidate.rule === rule.id);
  const [failure] = own;
  const signatures = own.flatMap(({ signature }) => signature ?? []).toSorted();
  return {
    verdict: verdictWord(rule).toLowerCase(),
    exercised: rule.exercised,
    violations: rule.violations,
    ...(failure && { expected: failure.expected, observed: failure.observed, token: failure.token }),
    ...(failure?.caseFile !== undefined && { caseFile: failure.caseFile }),
    ...(signatures.length > 0 && { signatures }),
    ...(rule.choices && { choices: rule.choices.map(({ what }) => what) }),
    ...(rule.why !== undefined && { why: rule.why }),
  };
}

/** Times, PSNs and lengths differ from case to case; what is left says what kind of thing was seen. */
function gist(text: string | undefined): string | undefined {
  return text?.replaceAll(/0x[0-9a-f]+|\d[\d.,]*/gi, '#');
}

function kindOf(
  a: RuleResult | undefined,
  b: RuleResult | undefined,
  seen: [Seen, Seen],
): DifferenceKind | undefined {
  const standings = [standingOf(a), standingOf(b)];
  const [first, second] = seen;
  if (standings.includes('unjudged')) return standings[0] === standings[1] ? undefined : 'unjudged';
  if (standings[0] !== standings[1]) return standings[0] === 'breaks' ? 'only-a' : 'only-b';
  if (standings[0] === 'breaks') {
    if (first.signatures !== undefined && second.signatures !== undefined)
      return first.signatures.join('\n') === second.signatures.join('\n') ? undefined : 'otherwise';
    const comparable = first.observed !== undefined && second.observed !== undefined;
    return comparable && gist(first.observed) !== gist(second.observed) ? 'otherwise' : undefined;
  }
  const choices = (side: Seen): string => (side.choices ?? []).toSorted().join('\n');
  return choices(first) === choices(second) ? undefined : 'choice';
}

const order: readonly DifferenceKind[] = ['only-a', 'only-b', 'otherwise', 'choice', 'unjudged'];

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sideOf(run: RunResult): Side {
  const version = profileVersion(run.adapter.profile);
  const asked = askedOf(run);
  const { seed, cases, spec, interrupted } = run;
  return {
    adapter: run.adapter.name,
    ...(asked !== undefined && { asked }),
    ...(version !== undefined && { version }),
    seed,
    cases,
    spec,
    interrupted,
  };
}

function profileDifferences(a: unknown, b: unknown): RunDiff['profile'] {
  if (!isRecord(a) || !isRecord(b)) return [];
  const flat = (value: unknown, path: string): [string, string][] =>
    isRecord(value)
      ? Object.entries(value).flatMap(([key, entry]) => flat(entry, path === '' ? key : `${path}.${key}`))
      : [
          [
            path,
            JSON.stringify(
              Array.isArray(value) ? value.map((entry) => JSON.stringify(entry)).toSorted() : value,
            ),
          ],
        ];
  const [left, right] = [new Map(flat(a, '')), new Map(flat(b, ''))];
  return [...new Set([...left.keys(), ...right.keys()])]
    .filter((what) => what !== 'version' && left.get(what) !== right.get(what))
    .map((what) => ({ what, a: left.get(what) ?? 'not said', b: right.get(what) ?? 'not said' }));
}

function cautionsOf(a: RunResult, b: RunResult): string[] {
  const cautions: string[] = [];
  if (a.spec !== b.spec) cautions.push(`the runs were made with different rules (${a.spec} and ${b.spec})`);
  if (a.seed !== b.seed) cautions.push(`the runs tried different cases (seeds ${a.seed} and ${b.seed})`);
  else if (a.cases !== b.cases)
    cautions.push(`the runs tried different numbers of cases (${a.cases} and ${b.cases})`);
  for (const [name, run] of [
    ['first', a],
    ['second', b],
  ] as const) {
    if (run.interrupted) cautions.push(`the ${name} run was interrupted`);
    if (run.errors.length > 0) cautions.push(`the ${name} run met trouble of its own: ${run.errors[0]}`);
  }
  return cautions;
}

/** How two runs differ, rule by rule. Rules whose two verdicts say the same are only counted. */
export function compareRuns(a: RunResult, b: RunResult): RunDiff {
  const [left, right] = [a, b].map((run) => new Map(run.rules.map((rule) => [rule.id, rule])));
  const differences: Difference[] = [];
  let alike = 0;
  for (const id of new Set([...a.rules, ...b.rules].map((rule) => rule.id))) {
    const [mine, other] = [left?.get(id), right?.get(id)];
    const rule = mine ?? other;
    if (rule === undefined) continue;
    const seen: [Seen, Seen] = [seenOf(mine, a.failures), seenOf(other, b.failures)];
    const kind = kindOf(mine, other, seen);
    const { level, says, statements } = rule;
    if (kind !== undefined)
      differences.push({ kind, rule: id, level, says, statements, a: seen[0], b: seen[1] });
    else if (standingOf(mine) !== 'unjudged') alike++;
  }
  return {
    schema: 'rdma-conform/diff/1',
    a: sideOf(a),
    b: sideOf(b),
    cautions: cautionsOf(a, b),
    profile: profileDifferences(a.adapter.profile, b.adapter.profile),
    differences: differences.toSorted((x, y) => order.indexOf(x.kind) - order.indexOf(y.kind)),
    alike,
  };
}

/** Whether the devices were seen to differ; what only one run judged, and a choice that the spec leaves, says nothing. */
export function devicesDiffer(diff: RunDiff): boolean {
  return diff.differences.some(({ kind }) => kind === 'only-a' || kind === 'only-b' || kind === 'otherwise');
}
