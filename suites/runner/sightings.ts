import type { RuleSet } from '../../oracle/index.ts';
import type { Failure } from '../../report/results.ts';
import type { CaseStore } from '../case/index.ts';
import { expectedBy, type KnownDivergence } from '../known.ts';
import type { CaseOutcome, CaseRunner, CleanOutcome } from './devices/case-runner.ts';
import { asSeen } from './evidence.ts';
import type { Generated } from './generate.ts';
import { findingKey } from './signature.ts';
import { Tally, type Found } from './tally.ts';
import { standingOf, type Evidence } from './verdicts.ts';

export interface SightingOptions {
  cases: CaseStore;
  /** ids of the rules that count */
  counted: ReadonlySet<string>;
  known: readonly KnownDivergence[];
  /** name of the device */
  adapter: string;
  /** a failure that is not known ends the run */
  bail: boolean;
}

// Different errors of a property after which it is left alone: more of them would tell nothing new.
const mostErrors = 5;

/** What the cases of a run have shown so far, and which of the findings were seen again. */
export class Sightings {
  readonly tally = new Tally();
  /** by finding, as `doubtful` and `left` */
  private readonly shown = new Map<string, Failure>();
  private readonly doubtful = new Map<string, string>();
  private readonly left = new Map<string, string>();
  private readonly options: SightingOptions;
  /** by error: its case file */
  private readonly errorFiles = new Map<string, string>();

  constructor(options: SightingOptions) {
    this.options = options;
  }

  /** Takes what a case came to; gives whether the run is to end with it. */
  take(property: string, generated: Generated, outcome: CaseOutcome | CleanOutcome): boolean {
    const { cases, counted, adapter, bail, known } = this.options;
    if (outcome.kind === 'error') {
      const { message } = outcome;
      if (this.tally.error(property, message)) {
        const file = cases.broke({ property, adapter, scenario: generated.scenario }, message);
        if (file !== undefined) this.errorFiles.set(`${property}: ${message}`, file);
      }
      return outcome.fatal;
    }
    const here = this.tally.add(property, generated, outcome, (rule) => counted.has(rule));
    for (const found of here)
      if (this.tally.found.get(findingKey(found))?.generated === generated) this.keep(found);
    return bail && here.some((found) => expectedBy(known, found) === undefined);
  }

  /** A finding was run again: it is confirmed, or in doubt for a reason. One that was confirmed may come again, with more to say of it. */
  settle(key: string, failure: Failure | undefined, doubt: string | undefined): void {
    if (doubt !== undefined) this.doubtful.set(key, doubt);
    if (failure !== undefined) this.shown.set(key, failure);
  }

  /** A finding could not be run again, for a reason that says nothing of it. */
  leave(key: string, why: string): void {
    this.left.set(key, why);
  }

  /** What was confirmed, in the order of the rules. */
  get failures(): Failure[] {
    const rules = [...this.options.counted];
    const found = [...this.tally.found.values()];
    const inOrder = found.toSorted((a, b) => rules.indexOf(a.rule) - rules.indexOf(b.rule));
    return inOrder.flatMap((one) => this.shown.get(findingKey(one)) ?? []);
  }

  /** What was seen and never run again, since the run ended or the device broke before. */
  unconfirmed(rules: RuleSet): Failure[] {
    const { adapter, known, cases } = this.options;
    return [...this.tally.found].flatMap(([key, found]) => {
      const rule = rules.rule(found.rule);
      if (rule === undefined || this.shown.has(key) || this.doubtful.has(key)) return [];
      const caseFile = cases.fileOf(found);
      return [asSeen(found, rule, { adapter, known, ...(caseFile !== undefined && { caseFile }) })];
    });
  }

  /** Findings that were confirmed. */
  get confirmed(): ReadonlySet<string> {
    return new Set(this.shown.keys());
  }

  /** Whether a property had so many errors that it is left alone. */
  broken(property: string): boolean {
    return (this.tally.errorsByProperty.get(property)?.length ?? 0) >= mostErrors;
  }

  /** By finding that is not confirmed: why not. */
  get doubts(): Map<string, string> {
    const unseen = 'seen, but the run ended before it could be seen again';
    const pending = [...this.tally.found.keys()].filter((key) => !this.shown.has(key));
    return new Map(pending.map((key) => [key, this.doubtful.get(key) ?? this.left.get(key) ?? unseen]));
  }

  get standing(): Pick<Evidence, 'again' | 'confirmed' | 'doubtful'> {
    return standingOf(this.tally, this.confirmed, this.doubts);
  }

  /** Errors of the cases, each with the file of its case; behind them why the device died, if no scenario shows it. */
  errors({ unexplainedDeath }: CaseRunner, brokenSince: string | undefined): string[] {
    const ofCases = [...this.tally.errorsByProperty].flatMap(([id, messages]) =>
      messages.map((message) => this.withFile(`${id}: ${message}`)),
    );
    if (brokenSince !== undefined)
      ofCases.push(`the device broke while findings were run again: ${brokenSince}`);
    if (unexplainedDeath !== undefined)
      ofCases.push(`the device died, and no scenario by itself makes it die again: ${unexplainedDeath}`);
    return ofCases;
  }

  private withFile(error: string): string {
    const file = this.errorFiles.get(error);
    return file === undefined ? error : `${error} (case file ${file})`;
  }

  /** A violation has its file from now on, whatever ends this run. */
  private keep({ rule, signature, property, generated, violation }: Found): void {
    const { scenario } = generated;
    const { expected, observed } = violation;
    const { cases, adapter } = this.options;
    cases.sighted({ rule, signature, property, adapter, scenario }, { expected, observed });
  }
}
