import type { Adapter } from '../../adapters/adapter.ts';
import { loadRules, type RuleSet } from '../../oracle/index.ts';
import type { RunResult } from '../../report/results.ts';
import { Executor, unexpectedPasses, type KnownDivergence, type SuiteProperty } from '../../suites/index.ts';
import { Campaign } from '../../suites/runner/campaign.ts';
import { hindrance } from '../../suites/runner/hindrance.ts';
import { resolveAdapter } from '../adapter/registry.ts';
import { knownFor, readKnown } from '../files/known-file.ts';
import type { DescribeOptions } from './options.ts';

const defaultRuns = { virtual: 50, real: 25 };

interface Opened {
  adapter: Adapter;
  executor: Executor;
  rules: RuleSet;
  known: readonly KnownDivergence[];
}

/** The device that the tests of one block share, and what they found in it. */
export class Device {
  readonly #asked: Adapter | string;
  readonly #options: DescribeOptions;
  #opened: Opened | undefined;
  readonly #tried = new Set<string>();
  readonly #exercised = new Map<string, number>();
  readonly #found: { rule: string; signature: string }[] = [];

  constructor(adapter: Adapter | string, options: DescribeOptions) {
    this.#asked = adapter;
    this.#options = options;
  }

  /** Throws AdapterUnavailable where the device cannot be had, and CliError for a mistake in the file of known divergences. */
  async open(): Promise<void> {
    const asked = this.#asked;
    const name = typeof asked === 'string' ? asked : asked.name;
    const rules = loadRules();
    const adapter = typeof asked === 'string' ? await resolveAdapter(asked, process.cwd()) : asked;
    const { known: given = [] } = this.#options;
    const listed =
      typeof given === 'string'
        ? readKnown(
            given,
            process.cwd(),
            rules.rules.map((rule) => rule.id),
          )
        : undefined;
    const executor = await Executor.open(adapter, rules, {});
    const { version } = executor.profile;
    const known =
      listed === undefined
        ? (given as readonly KnownDivergence[])
        : knownFor(listed, { adapter: name, version }, new Date()).known;
    this.#opened = { adapter, executor, rules, known };
  }

  async close(): Promise<void> {
    await this.#opened?.executor.close();
  }

  hindrance(property: SuiteProperty): string | undefined {
    return hindrance(property, this.#device.executor.profile);
  }

  /** Tries one property: its scenarios, a smaller one for each rule that was broken, and that one again. */
  async run(property: SuiteProperty, signal: AbortSignal): Promise<RunResult> {
    const { adapter, executor, rules, known } = this.#device;
    const { seed = 1, confirmations, caseDirectory } = this.#options;
    const runs = this.#options.runs ?? defaultRuns[executor.profile.clock === 'virtual' ? 'virtual' : 'real'];
    const campaign = new Campaign(
      {
        adapter,
        runs,
        seed,
        known,
        signal,
        ...(confirmations !== undefined && { confirmations }),
        ...(caseDirectory !== undefined && { caseDirectory }),
      },
      executor,
      rules,
      { selected: rules.rules, chosen: [property], elsewhere: new Set() },
    );
    await campaign.run();
    await campaign.gather();
    const result = campaign.result();
    this.#tried.add(property.id);
    for (const { id, exercised } of result.rules)
      this.#exercised.set(id, (this.#exercised.get(id) ?? 0) + exercised);
    this.#found.push(...campaign.findings);
    return result;
  }

  /** Whether each of these was tried, but for those that this device cannot be tried with. */
  triedAll(among: readonly SuiteProperty[]): boolean {
    return among.every((property) => this.#tried.has(property.id) || this.hindrance(property) !== undefined);
  }

  unexpectedPasses(): string[] {
    return unexpectedPasses(this.#device.known, this.#exercised, this.#found);
  }

  get #device(): Opened {
    if (this.#opened === undefined) throw new Error('the device is not open');
    return this.#opened;
  }
}
