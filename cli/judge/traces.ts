import type { CheckResult, CheckViolation } from '../../report/check-results.ts';
import { Judge, type Judgement, type Rule, type RuleSet, type TraceEvent } from '../../oracle/index.ts';
import { ladder } from '../../suites/index.ts';
import { demandOf } from '../../suites/runner/rule-facts.ts';
import { countVerdicts } from '../../suites/runner/verdicts.ts';
import type { TraceLine } from '../../suites/trace-file/read.ts';
import { ruleResults } from '../rule-results.ts';

/** Violations of one rule that are kept with their details; all are counted. */
const keptPerRule = 100;
/** Violations of one rule that are shown with their exchange. */
const drawnPerRule = 2;
/** Events of one trace that are kept to draw an exchange. */
const mostKept = 20_000;

/** A trace that is being judged. */
interface Open {
  readonly name: string | undefined;
  readonly judge: Judge;
  /** line of each event */
  readonly lines: number[];
  /** empty once there are too many */
  events: TraceEvent[];
}

function addAll(counts: Map<string, number>, more: ReadonlyMap<string, number>): void {
  for (const [key, by] of more) counts.set(key, (counts.get(key) ?? 0) + by);
}

/** Judges the traces of a file, one after the other, and adds up what comes of them. */
export class TraceFile {
  readonly #set: RuleSet;
  readonly #rules: ReadonlyMap<string, Rule>;
  readonly #exercised = new Map<string, number>();
  readonly #observed = new Map<string, Map<string, number>>();
  readonly #violated = new Map<string, number>();
  readonly #notJudged = new Map<string, number>();
  readonly #violations: CheckViolation[] = [];
  #open: Open | undefined;
  #counts = { traces: 0, events: 0, frames: 0, packets: 0 };

  /** `rules`: those that count */
  constructor(set: RuleSet, rules: readonly Rule[]) {
    this.#set = set;
    this.#rules = new Map(rules.map((rule) => [rule.id, rule]));
  }

  take(line: TraceLine): void {
    if (line.kind === 'begin') {
      this.#close();
      this.#counts.traces++;
      this.#open = { name: line.name, judge: new Judge(line.header, this.#set), lines: [], events: [] };
      return;
    }
    const open = this.#open;
    if (open === undefined) return;
    const { event } = line;
    this.#counts.events++;
    if (event.kind === 'packet' || event.kind === 'frame') this.#counts.frames++;
    if (event.kind === 'packet') this.#counts.packets++;
    open.lines.push(line.line);
    if (open.events.length === open.lines.length - 1) open.events.push(event);
    if (open.events.length > mostKept) open.events = [];
    open.judge.push(event);
  }

  #close(): void {
    if (this.#open === undefined) return;
    const { judge, ...trace } = this.#open;
    this.#open = undefined;
    const judgement = judge.finish();
    addAll(this.#exercised, judgement.exercised);
    addAll(this.#notJudged, judgement.notJudged);
    // as in a run: what was not called a violation was not judged
    for (const reason of judgement.inconclusive)
      this.#notJudged.set(reason, (this.#notJudged.get(reason) ?? 0) + 1);
    for (const [rule, counts] of judgement.observed) {
      const all = this.#observed.get(rule) ?? new Map<string, number>();
      this.#observed.set(rule, all);
      addAll(all, counts);
    }
    for (const violation of judgement.violations) this.#violation(violation, trace);
  }

  #violation(violation: Judgement['violations'][number], { name, lines, events }: Omit<Open, 'judge'>): void {
    const rule = this.#rules.get(violation.rule);
    const before = this.#violated.get(violation.rule) ?? 0;
    this.#violated.set(violation.rule, before + 1);
    if (rule === undefined || before >= keptPerRule) return;
    const { t, qp, expected, observed } = violation;
    const line = lines[violation.event];
    this.#violations.push({
      ...demandOf(rule),
      ...(line !== undefined && { line }),
      ...(name !== undefined && { trace: name }),
      t,
      qp,
      expected,
      observed,
      ...(before < drawnPerRule && events.length > 0 && { ladder: ladder(events, violation) }),
    });
  }

  /** What was found in all of it. `file`: its name; `damage`: why the rest was not read. */
  finish(file: string, durationMs: number, interrupted: boolean): CheckResult {
    this.#close();
    const rules = ruleResults([...this.#rules.values()], {
      exercised: this.#exercised,
      observed: this.#observed,
      violations: this.#violated,
    });
    const nothing = this.#exercised.size === 0 && !interrupted;
    return {
      schema: 'rdma-conform/check/1',
      file,
      spec: this.#set.digest,
      durationMs: Math.round(durationMs),
      counts: countVerdicts(rules),
      ...this.#counts,
      skipped: [],
      rules,
      violations: this.#violations,
      notJudged: [...this.#notJudged].map(([what, count]) => ({ what, count })),
      inconclusive: nothing ? ['nothing was judged: no rule decided anything'] : [],
      interrupted,
      errors: [],
    };
  }
}
