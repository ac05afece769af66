import { referenceAdapter, type MutantId } from '../../adapters/reference/index.ts';
import type { Adapter } from '../../adapters/adapter.ts';
import { judgeTrace, type RuleSet } from '../../oracle/index.ts';
import { aim, Scenarios } from '../../suites/corpus/aim.ts';
import { drive } from '../../suites/corpus/drive.ts';
import {
  BenchSession,
  generateChunk,
  properties,
  type DriveResult,
  type Mutant,
} from '../../suites/index.ts';
import type { Scenario } from '../../suites/scenario.ts';
import { inConnection } from './in-connection.ts';
import { brokenIn, knownOf, pcapFrom, pcapOf } from './judged.ts';
import { conversations, timeout } from './traffic.ts';

/** What captures show of a mutant. */
export interface Captured {
  readonly mutant: string;
  /** cases tried in which it broke one of its rules, as the packets, calls and completions of the run show */
  readonly killing: number;
  /** rules that `check` finds broken by its packets, in the first case in which it does; undefined: in none */
  readonly alone?: readonly string[];
  /** likewise, with everything said that is known at the port of the device */
  readonly complete?: readonly string[];
  /** rules that are called broken in captures of the conformant device in the same cases */
  readonly falseAlarms: readonly string[];
}

/** Cases that are tried: so many in which it breaks a rule of its own, and so many to get there. */
const effort = { killing: 5, cases: 800 };

/** Tries the cases that aim at the rules of a mutant, until `check` finds it without flags or there were enough. */
export class CapturedHunt {
  readonly #rules: RuleSet;
  readonly #scenarios: Scenarios;

  private constructor(rules: RuleSet, scenarios: Scenarios) {
    this.#rules = rules;
    this.#scenarios = scenarios;
  }

  static async open(rules: RuleSet, seed: number): Promise<CapturedHunt> {
    const profile = await referenceAdapter().describe();
    return new CapturedHunt(rules, new Scenarios(generateChunk, profile, seed));
  }

  async hunt({ id, rules }: Pick<Mutant, 'id' | 'rules'>): Promise<Captured> {
    const device = referenceAdapter({ mutant: id });
    const { capabilities } = await device.describe();
    const able = properties.filter(({ requires = [] }) =>
      requires.every((word) => capabilities.includes(word)),
    );
    let found: Omit<Captured, 'mutant'> = { killing: 0, falseAlarms: [] };
    const { cases: limit } = effort;
    await aim(rules, able, { fewest: limit, most: limit, limit }, async (property, index) => {
      const scenario = this.#scenarios.at(property, index);
      const run = (await drive({ BenchSession }, device, scenario)).drive;
      if (run === undefined) return [];
      const { violations } = judgeTrace(run.header, run.events, this.#rules);
      if (!violations.some(({ rule }) => rules.includes(rule))) return [];
      found = await this.#captured({ ...found, killing: found.killing + 1 }, run, scenario);
      const connected = found.alone === undefined ? inConnection(scenario) : undefined;
      if (connected !== undefined) found = await this.#connected(found, device, connected);
      return found.alone !== undefined || found.killing >= effort.killing ? undefined : [];
    });
    return { mutant: id, ...found };
  }

  /** What long conversations show of a mutant, of whose short cases `before` is known. */
  async converse(before: Captured, id: MutantId): Promise<Captured> {
    let found = before;
    for await (const { address, passed } of conversations(id)) {
      if (found.alone !== undefined) break;
      const capture = pcapFrom(passed);
      const alone = await brokenIn(capture, this.#rules, [address]);
      const known = { complete: { addresses: [address], timeout } };
      const complete = await brokenIn(capture, this.#rules, [address], known);
      found = {
        ...found,
        ...(alone.size > 0 && { alone: [...alone] }),
        ...(found.complete === undefined && complete.size > 0 && { complete: [...complete] }),
      };
    }
    return found;
  }

  /** What captures show of the same case in a connection. */
  async #connected(
    found: Omit<Captured, 'mutant'>,
    device: Adapter,
    scenario: Scenario,
  ): Promise<Omit<Captured, 'mutant'>> {
    const run = (await drive({ BenchSession }, device, scenario)).drive;
    return run === undefined ? found : this.#captured(found, run, scenario);
  }

  async #captured(
    found: Omit<Captured, 'mutant'>,
    run: DriveResult,
    scenario: Scenario,
  ): Promise<Omit<Captured, 'mutant'>> {
    const sound = (await drive({ BenchSession }, referenceAdapter(), scenario)).drive;
    const [alone, excused] = await this.#twice(run, sound, false);
    const [complete, excusedComplete] = await this.#twice(run, sound, true);
    const falseAlarms = [...new Set([...found.falseAlarms, ...excused, ...excusedComplete])];
    return {
      ...found,
      falseAlarms,
      ...(found.alone === undefined && alone.length > 0 && { alone }),
      ...(found.complete === undefined && complete.length > 0 && { complete }),
    };
  }

  /** Rules broken by the mutant and not by the conformant device, and those broken by that one. */
  async #twice(
    run: DriveResult,
    sound: DriveResult | undefined,
    whole: boolean,
  ): Promise<readonly [string[], string[]]> {
    const broken = await this.#broken(run, whole);
    const excused = sound === undefined ? new Set<string>() : await this.#broken(sound, whole);
    return [[...broken].filter((rule) => !excused.has(rule)), [...excused]];
  }

  async #broken(run: DriveResult, whole: boolean): Promise<Set<string>> {
    const capture = pcapOf(run.events);
    if (capture === undefined) return new Set();
    const addresses = run.header.dut?.addresses ?? [];
    return brokenIn(capture, this.#rules, addresses, { vendorOpcodes: 'ooo', ...(whole && knownOf(run)) });
  }
}
