import type { Profile } from '../../../adapters/adapter.ts';
import type { Scenario } from '../../scenario.ts';
import type { CaseOutcome, CaseRunner, CleanOutcome } from './case-runner.ts';

/** A runner that remembers why it can run nothing any more: who runs a finding again only sees that it does not show. */
export class Watched implements CaseRunner {
  readonly #runner: CaseRunner;
  #broken: string | undefined;

  constructor(runner: CaseRunner) {
    this.#runner = runner;
  }

  get profile(): Profile {
    return this.#runner.profile;
  }

  get concurrency(): number {
    return this.#runner.concurrency;
  }

  get devices(): number {
    return this.#runner.devices;
  }

  get unexplainedDeath(): string | undefined {
    return this.#runner.unexplainedDeath;
  }

  /** What the device broke of; nothing as long as it can be used. */
  get broken(): string | undefined {
    return this.#broken;
  }

  async run(scenario: Scenario): Promise<CaseOutcome | CleanOutcome> {
    const outcome = await this.#runner.run(scenario);
    if (outcome.kind === 'error' && outcome.fatal) this.#broken ??= outcome.message;
    return outcome;
  }

  async close(): Promise<void> {
    return this.#runner.close();
  }
}
