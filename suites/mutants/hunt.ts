import { referenceAdapter, type MutantId } from '../../adapters/reference/index.ts';
import type { Profile } from '../../adapters/adapter.ts';
import type { RuleSet } from '../../oracle/index.ts';
import { aimingAt, inTurns } from '../corpus/aim.ts';
import type { SuiteProperty } from '../property.ts';
import { Executor } from '../runner/executor.ts';
import { schedule } from '../runner/schedule.ts';
import { spentOn } from '../runner/budget/chooser.ts';
import { Spending } from '../runner/budget/spending.ts';
import { applicable } from '../runner/select.ts';
import type { Scenario } from '../scenario.ts';

/** The first case in which a mutant was seen to break a rule. */
export interface Death {
  rule: string;
  property: string;
  /** cases run until then, this one included */
  cases: number;
}

/** What came of the cases of one seed on one mutant. */
export interface Hunt {
  mutant: MutantId;
  seed: number;
  /** cases run */
  cases: number;
  /** own rules of the mutant that were seen violated, in the order in which they were */
  deaths: Death[];
  /** other rules that were violated on the way */
  others: string[];
  /** why nothing was found: the harness broke in a case, or the device refused its set-up */
  error?: string;
}

export interface HunterOptions {
  rules: RuleSet;
  properties: readonly SuiteProperty[];
  /** cases after which a mutant counts as surviving */
  limit: number;
}

interface CaseList {
  cases: Case[];
  more: Iterator<Case> | AsyncIterator<Case>;
}

interface Case {
  property: string;
  scenario: Scenario;
}

/**
 * Runs mutants of the reference NIC through the cases of a default run on the conformant one, in its order. Cases are made once per seed and kept: the
 * same ones are tried on every mutant.
 */
export class Hunter {
  private readonly options: HunterOptions;
  private made: { seed: number; lists: Map<string, CaseList> } | undefined;

  constructor(options: HunterOptions) {
    this.options = options;
  }

  /**
   * Tries cases until `rules` are violated: the first of them, or with `every` all. An empty list stands for rules of any
   * kind: the hunt ends at the first violation. `limit`: fewer cases than is usual. `aimed`: not in the order of a run, but a
   * case of each property in turn, and every other case from the properties of these ids; from those that aim at one of the
   * rules where there are none.
   */
  async hunt(
    mutant: MutantId,
    seed: number,
    rules: readonly string[],
    options: { every?: boolean; limit?: number; aimed?: readonly string[] } = {},
  ): Promise<Hunt> {
    const limit = Math.min(options.limit ?? Infinity, this.options.limit);
    const executor = await Executor.open(referenceAdapter({ mutant }), this.options.rules, {});
    const hunt: Hunt = { mutant, seed, cases: 0, deaths: [], others: [] };
    const wanted = options.every === true ? rules.length : 1;
    const properties = this.ableOn(executor.profile);
    const caseAt =
      options.aimed === undefined
        ? async (index: number) => this.caseAt(index, seed, executor.profile, properties, true)
        : this.aimed(options.aimed, rules, properties, seed, executor.profile);
    let error: string | undefined;
    while (hunt.cases < limit && hunt.deaths.length < wanted) {
      const next = await caseAt(hunt.cases);
      if (next === undefined) break;
      hunt.cases++;
      const outcome = await executor.run(next.scenario);
      if (outcome.kind === 'error') {
        // A device may refuse the set-up of this case and show its fault in another.
        error ??= `${next.property}: ${outcome.message}`;
        continue;
      }
      for (const { rule } of outcome.judgement.violations) {
        if (rules.length > 0 && !rules.includes(rule)) {
          if (!hunt.others.includes(rule)) hunt.others.push(rule);
        } else if (!hunt.deaths.some((death) => death.rule === rule)) {
          hunt.deaths.push({ rule, property: next.property, cases: hunt.cases });
        }
      }
    }
    await executor.close();
    return hunt.deaths.length === 0 && error !== undefined ? { ...hunt, error } : hunt;
  }

  /** Rules that the first cases of a seed exercise on a sound device. */
  async reach(seed: number, cases: number): Promise<Set<string>> {
    const executor = await Executor.open(referenceAdapter(), this.options.rules, {});
    const properties = this.ableOn(executor.profile);
    const found = new Set<string>();
    for (let i = 0; i < cases; i++) {
      const next = await this.caseAt(i, seed, executor.profile, properties, true);
      if (next === undefined) break;
      const outcome = await executor.run(next.scenario);
      if (outcome.kind === 'judged') for (const rule of outcome.judgement.exercised.keys()) found.add(rule);
    }
    await executor.close();
    return found;
  }

  private ableOn(profile: Profile): SuiteProperty[] {
    return this.options.properties.filter(({ requires = [] }) =>
      requires.every((word) => profile.capabilities.includes(word)),
    );
  }

  private aimed(
    ids: readonly string[],
    rules: readonly string[],
    properties: readonly SuiteProperty[],
    seed: number,
    profile: Profile,
  ): (index: number) => Promise<Case | undefined> {
    const named = properties.filter(({ id }) => ids.includes(id));
    const turn = inTurns(properties, named.length > 0 ? named : aimingAt(rules, properties));
    return async (number) => {
      const next = turn(number);
      return next && this.caseAt(next.index, seed, profile, [next.property]);
    };
  }

  /** All mutants have the profile of the sound device but for its name, and cases do not depend on that. */
  private async caseAt(
    index: number,
    seed: number,
    profile: Profile,
    properties: readonly SuiteProperty[],
    asInRun = false,
  ): Promise<Case | undefined> {
    if (this.made?.seed !== seed) this.made = { seed, lists: new Map() };
    const { lists } = this.made;
    const key = `${asInRun ? 'run: ' : ''}${properties.map(({ id }) => id).join(' ')}`;
    const { rules, limit } = this.options;
    const list = lists.get(key) ?? {
      cases: [],
      more: asInRun
        ? casesOfRun(properties, rules, seed, limit)
        : casesInTurn(properties, profile, seed, limit),
    };
    lists.set(key, list);
    while (list.cases.length <= index) {
      const next = await list.more.next();
      if (next.done === true) return undefined;
      list.cases.push(next.value);
    }
    return list.cases[index];
  }
}

const whole = { i: 1, n: 1 };

/** Without the way to simpler cases, which would hold on to much memory. */
function* casesInTurn(
  properties: readonly SuiteProperty[],
  profile: Profile,
  seed: number,
  limit: number,
): Generator<Case, undefined> {
  for (const { property, generated } of schedule(properties, profile, seed, limit, whole)) {
    yield { property: property.id, scenario: generated.scenario };
  }
}

/** Those of a run on the conformant device, which shows what they bring. */
async function* casesOfRun(
  properties: readonly SuiteProperty[],
  rules: RuleSet,
  seed: number,
  limit: number,
): AsyncGenerator<Case, undefined> {
  const executor = await Executor.open(referenceAdapter(), rules, {});
  const { profile } = executor;
  const spending = new Spending(properties, applicable(rules.rules, profile));
  for (const { index, property, generated } of schedule(properties, profile, seed, limit, whole, spending)) {
    const { scenario } = generated;
    yield { property: property.id, scenario };
    spending.learn(spentOn(index, await executor.run(scenario)));
  }
}
