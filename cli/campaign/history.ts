import type { RunResult } from '../../report/results.ts';
import { mergeRounds } from '../../report/merge.ts';
import { Pairs } from '../../suites/campaign/pairs.ts';
import { campaignRound, type KeptCase, type RoundOptions } from '../../suites/campaign/round.ts';
import { begun, type CampaignState, type Round } from '../../suites/campaign/state.ts';
import { usageError } from '../exit-codes.ts';
import type { CampaignFolder } from './folder.ts';

/** All rounds of a campaign: those that its folder holds, and those of this call. */
export class CampaignHistory {
  /** the rounds of the folder were of other rules, and count no longer */
  readonly outdated: boolean;
  readonly #folder: CampaignFolder;
  readonly #pairs: Pairs;
  #state: CampaignState;
  #result: RunResult | undefined;
  #kept: readonly KeptCase[];

  /** `spec`: digest of the rules. Throws a usage error where the folder is of another device, or cannot be read or made. */
  constructor(folder: CampaignFolder, adapter: string, spec: string) {
    const left = folder.state();
    if (left !== undefined && left.adapter !== adapter)
      throw usageError(
        `${folder.name} holds a campaign on ${left.adapter}; take another folder for ${adapter}`,
      );
    this.outdated = left !== undefined && left.spec !== spec;
    const before = this.outdated ? undefined : left;
    this.#folder = folder;
    this.#state = before ?? begun(adapter, spec);
    this.#result = before && folder.results();
    this.#kept = folder.kept();
    this.#pairs = new Pairs(this.#state.pairs);
    folder.make();
  }

  get rounds(): readonly Round[] {
    return this.#state.rounds;
  }

  /** What all rounds found; nothing before the first. */
  get result(): RunResult | undefined {
    return this.#result;
  }

  /** How many pairs of rules were exercised together, and how many cases are kept. */
  get reached(): { pairs: number; kept: number } {
    return { pairs: this.#pairs.size, kept: this.#kept.length };
  }

  /** Number of the round that comes next, and where its cases go. */
  get next(): { number: number; cases: string } {
    const number = this.rounds.length + 1;
    return { number, cases: this.#folder.casesOf(number) };
  }

  /** Runs a round and keeps it. Gives whether the device can go on. */
  async round(options: RoundOptions): Promise<boolean> {
    const before = this.#result;
    const began = performance.now();
    const begunAt = new Date().toISOString();
    const round = await campaignRound(options, {
      kept: this.#kept,
      pairs: this.#pairs,
      ...(before !== undefined && { result: before }),
    });
    const { cases, failures, errors } = round.result;
    const summary: Round = {
      seed: options.seed,
      cases,
      seconds: Math.round(performance.now() - began) / 1000,
      news: round.kept.reduce((sum, { news }) => sum + news, 0),
      findings: failures.length,
    };
    const own = { ...round.result, begun: begunAt };
    const result = before === undefined ? own : mergeRounds(before, own);
    this.#result = result;
    this.#state = { ...this.#state, rounds: [...this.rounds, summary], pairs: this.#pairs.data() };
    this.#kept = this.#folder.write(this.#state, result, [...this.#kept, ...round.kept]);
    return errors.length === 0;
  }
}
