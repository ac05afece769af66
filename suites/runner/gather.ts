import type { Rule } from '../../oracle/index.ts';
import type { Failure } from '../../report/results.ts';
import { parseScenario, type CaseStore } from '../case/index.ts';
import type { CaseRunner } from './devices/case-runner.ts';
import { expectedBy, type KnownDivergence } from '../known.ts';
import { evidenceFor, simplest, smallest, whatMatters } from './evidence.ts';
import type { RunOptions } from './options.ts';
import { inOrder } from './schedule.ts';
import { deadlyLast } from './several.ts';
import type { Shrunk } from './shrinking/bounds.ts';
import { findingKey } from './signature.ts';
import type { Found, Tally } from './tally.ts';

const usual = {
  virtual: { confirmations: 10, tries: 1000 },
  real: { confirmations: 5, tries: 400 },
};
// Candidates of a finding that are tried at a time on a real device, as far as it takes so many.
const mostParallel = 16;
// A known divergence has been read before: it is made a little smaller where that costs no time, and shown again.
const ifKnown = {
  virtual: { confirmations: 10, tries: 16 },
  real: { confirmations: 2, tries: 0 },
};
// Scenarios that are tried to find out what matters in a failure.
const varied = {
  virtual: { tries: 250, sure: 1 },
  real: { tries: 60, sure: 3 },
};
// Seconds that shrinking a finding may take on a real device, and as many to find out what matters in it.
const shrinkTime = 10;

/** What there is to gather from. */
interface Work {
  tally: Tally;
  executor: CaseRunner;
  options: RunOptions;
  selected: readonly Rule[];
  known: readonly KnownDivergence[];
  cases: CaseStore;
}

/** One finding: its failure, or why there is none. */
export interface Gathered {
  /** as `findingKey` */
  key: string;
  failure?: Failure;
  doubt?: string;
}

/** Makes small, confirmed failures out of the best cases that findings were seen in. */
export class Gathering {
  private readonly work: Work;
  private readonly kind: 'virtual' | 'real';

  constructor(work: Work) {
    this.work = work;
    this.kind = work.executor.profile.clock === 'virtual' ? 'virtual' : 'real';
  }

  /** Hands over each finding, whether confirmed or in doubt, and a confirmed one again once it is known what matters in it. */
  async run(take: (gathered: Gathered) => void): Promise<void> {
    const { executor, options, selected, tally, cases } = this.work;
    const { kind } = this;
    const { concurrency } = executor;
    // one candidate at a time on virtual time: how many tries are left must not depend on how many run beside each other
    const parallel = kind === 'real' ? Math.min(mostParallel, concurrency) : 1;
    // most have fewer candidates than may be tried at a time
    const atATime = Math.max(1, Math.floor((2 * concurrency) / parallel));
    const all = [...tally.found.values()];
    const work = selected.flatMap((rule) =>
      all
        .filter((found) => found.rule === rule.id)
        .map((found) => ({
          rule,
          found,
          key: findingKey(found),
          known: this.expected(found),
          deadly: found.deadly === true,
        })),
    );
    const isDeadly = ({ deadly }: (typeof work)[number]): boolean => deadly;
    const parallelOf = (isAlone: boolean): number =>
      isAlone ? Math.min(parallel, executor.devices) : parallel;
    const smaller = new Map<string, { found: Found; shrunk: Shrunk }>();
    await deadlyLast(work, isDeadly, atATime, async ({ found, key, known }, isAlone) => {
      const { tries } = known === undefined ? usual[kind] : ifKnown[kind];
      const bounds = { tries, parallel: parallelOf(isAlone), stop: this.budget() };
      // a real device has no time for more than one case of a finding, and what is known has been read
      const small =
        kind === 'virtual' && known === undefined
          ? await smallest(found, executor, bounds)
          : { found, shrunk: await simplest(found, executor, bounds) };
      smaller.set(key, small);
    });
    const failures = new Map<string, Failure>();
    const confirm = async (some: typeof work, together: number): Promise<void> =>
      inOrder(
        some[Symbol.iterator](),
        together,
        async ({ rule, found, key, known, deadly }) => {
          const unshrunk = { scenario: found.generated.scenario, whole: false };
          const small = smaller.get(key) ?? { found, shrunk: unshrunk };
          return evidenceFor(small.found, rule, small.shrunk, {
            executor,
            adapter: options.adapter.name,
            confirmations: this.confirmations(known !== undefined, deadly),
            known,
            cases,
          });
        },
        ({ found, key }, outcome) => {
          if ('failure' in outcome) {
            const { failure } = outcome;
            failures.set(key, failure);
            // at once: who ends the run while it looks for what matters is to see what was found
            take({ key, failure });
            options.record?.failure(failure);
          } else if ('doubt' in outcome) {
            take({ key, doubt: outcome.doubt });
            options.record?.doubt(found, outcome.doubt);
          }
          return true;
        },
        Math.max(together, some.length),
      );
    const isEasy = ({ known, deadly }: (typeof work)[number]): boolean => known !== undefined && !deadly;
    await confirm(work.filter(isEasy), atATime);
    // What is news must show where nothing else keeps the devices busy.
    await confirm(
      work.filter((one) => !isEasy(one)),
      executor.devices,
    );
    const fresh = work.filter(({ key, known }) => known === undefined && failures.has(key));
    // a device that has to be started again takes the time of all findings
    const lethal = new Set<string>();
    await deadlyLast(fresh, isDeadly, atATime, async ({ found, key }, isAlone) => {
      const failure = failures.get(key);
      if (failure === undefined) return;
      const scenario = parseScenario(failure.scenario);
      const influences = await whatMatters(found, scenario, executor, {
        ...varied[kind],
        parallel: kind === 'real' ? parallelOf(isAlone) : concurrency,
        stop: this.budget(),
        ...(!isAlone && { lethal }),
      });
      if (influences.length === 0) return;
      const known = { ...failure, influences };
      take({ key, failure: known });
      options.record?.failure(known);
    });
  }

  /** True once the time of a finding is over that begins now. */
  private budget(): () => boolean {
    const seconds = this.work.options.shrinkTime ?? (this.kind === 'real' ? shrinkTime : Infinity);
    const until = performance.now() + seconds * 1000;
    return () => this.aborted || performance.now() > until;
  }

  /** Runs that a shrunk failure is to show in; one of them once somebody waits for the end, and few where each costs a device. */
  private confirmations(known: boolean, deadly: boolean): number {
    if (this.aborted && this.kind === 'real') return 1;
    const { confirmations } = this.work.options;
    return confirmations ?? (known || deadly ? ifKnown : usual)[this.kind].confirmations;
  }

  private get aborted(): boolean {
    return this.work.options.signal?.aborted === true;
  }

  private expected(found: Found): KnownDivergence | undefined {
    return expectedBy(this.work.known, found);
  }
}
