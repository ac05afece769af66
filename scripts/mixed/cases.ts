import type { Profile } from '../../adapters/adapter.ts';
import type { Violation } from '../../oracle/index.ts';
import { parseScenario } from '../../suites/case/index.ts';
import { Draw } from '../../suites/corpus/random.ts';
import { generateChunk, properties, selectProperties, type Executor } from '../../suites/index.ts';
import type { Scenario, Step } from '../../suites/scenario.ts';
import { kindOf, mixed } from './mix.ts';

/** A case of two properties. */
export interface MixedCase {
  /** ids of both */
  readonly property: string;
  readonly scenario: Scenario;
}

/** Scenarios larger than this, as JSON, take long and show nothing that smaller ones do not. */
const longest = 12_000;

function isLongest(step: Step): boolean {
  return step.do === 'post_send' && step.wr.repeat !== undefined;
}

/**
 * Not where a buffer is written, which would be misuse while requests of another case are under way, nor where a message is as long
 * as the PSNs allow, so that no other one may be outstanding beside it.
 */
function mixes({ beside, steps }: Scenario): boolean {
  return beside === undefined && !steps.some((step) => step.do === 'write_buffer' || isLongest(step));
}

/** Draws cases that are made of two cases each; the same ones for the same seed. */
export class MixedCases {
  readonly #draw: Draw;
  readonly #pool: MixedCase[] = [];
  readonly #byKind = new Map<string, MixedCase[]>();

  /** `each`: cases of each property that they are made of. RangeError if the profile has no property of the suite. */
  constructor(profile: Profile, { seed, each, suite }: { seed: number; each: number; suite?: string }) {
    this.#draw = new Draw(seed);
    const able = selectProperties(properties, suite === undefined ? {} : { suite }).filter(
      ({ requires = [] }) => requires.every((word) => profile.capabilities.includes(word)),
    );
    for (const property of able)
      for (const { scenario } of generateChunk(property, profile, seed, 0, each)) {
        if (!mixes(scenario) || JSON.stringify(scenario).length > longest) continue;
        const one = { property: property.id, scenario };
        this.#pool.push(one);
        const alike = this.#byKind.get(kindOf(scenario));
        if (alike === undefined) this.#byKind.set(kindOf(scenario), [one]);
        else alike.push(one);
      }
    if (this.#pool.length === 0) throw new RangeError('there is no property to mix');
  }

  /** The next one; undefined where its steps make no scenario. */
  next(): MixedCase | undefined {
    const one = this.#draw.of(this.#pool);
    const other = one && this.#draw.of(this.#byKind.get(kindOf(one.scenario)) ?? []);
    if (one === undefined || other === undefined) return undefined;
    try {
      const scenario = parseScenario(mixed(one.scenario, other.scenario, this.#draw));
      return { property: `${one.property} and ${other.property}`, scenario };
    } catch {
      return undefined;
    }
  }
}

/** Runs so many of them; what is no case, since steps of another one make no sense in it, is left out. */
export async function* judgedMixes(
  runner: Pick<Executor, 'run'>,
  mixes: MixedCases,
  tries: number,
): AsyncGenerator<{ one: MixedCase; violations: readonly Violation[] }> {
  for (let tried = 0; tried < tries; tried++) {
    const one = mixes.next();
    const outcome = one && (await runner.run(one.scenario));
    if (one !== undefined && outcome?.kind === 'judged')
      yield { one, violations: outcome.judgement.violations };
  }
}
