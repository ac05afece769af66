import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { RunResult } from '../../report/results.ts';
import { parseScenario } from '../../suites/case/index.ts';
import { writeWhole } from '../../suites/case/whole.ts';
import type { KeptCase } from '../../suites/campaign/round.ts';
import type { CampaignState } from '../../suites/campaign/state.ts';
import { messageOf, usageError } from '../exit-codes.ts';
import { cannotWrite } from '../files/file-trouble.ts';
import { makeFolder } from '../files/make-folder.ts';
import { readChecked, readResults } from '../files/read-checked.ts';

/** Cases that are kept at most; those with the fewest news go first. */
const mostKept = 2000;

function isKept(value: unknown): value is { property: string; news: number; scenario: unknown } {
  if (typeof value !== 'object' || value === null) return false;
  const { property, news, scenario } = value as Partial<Record<string, unknown>>;
  return typeof property === 'string' && Number.isInteger(news) && scenario !== undefined;
}

/** The folder of a campaign: `campaign.json`, `results.json`, `kept/` and, by round, `cases/`. Usage errors name the file. */
export class CampaignFolder {
  /** as on the command line */
  readonly name: string;
  readonly #directory: string;
  readonly #path: string;

  constructor(name: string, directory: string) {
    this.name = name;
    this.#directory = directory;
    this.#path = resolve(directory, name);
  }

  /** Makes it where it is not there. */
  make(): void {
    this.#writing(() => {
      makeFolder(join(this.#path, 'kept'));
    });
  }

  /** How far the campaign has come; nothing before its first round. */
  state(): CampaignState | undefined {
    const file = join(this.name, 'campaign.json');
    if (!existsSync(resolve(this.#directory, file))) return undefined;
    return readChecked(file, this.#directory, 'campaign.schema.json', 'campaign') as CampaignState;
  }

  /** What all rounds found. */
  results(): RunResult | undefined {
    const file = join(this.name, 'results.json');
    return existsSync(resolve(this.#directory, file))
      ? readResults(file, this.#directory, 'campaign')
      : undefined;
  }

  kept(): KeptCase[] {
    const folder = join(this.#path, 'kept');
    if (!existsSync(folder)) return [];
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return names.toSorted().map((name): KeptCase => {
      try {
        const value: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'));
        if (!isKept(value)) throw new Error('it is no case of a campaign');
        return { property: value.property, news: value.news, scenario: parseScenario(value.scenario) };
      } catch (thrown) {
        throw usageError(`${join(this.name, 'kept', name)} cannot be read: ${messageOf(thrown)}`);
      }
    });
  }

  /** Where the cases of the findings of a round go, below the working directory. */
  casesOf(round: number): string {
    return relative(this.#directory, join(this.#path, 'cases', String(round)));
  }

  /** Keeps what a round came to; gives the cases that are kept from now on. */
  write(state: CampaignState, results: RunResult, kept: readonly KeptCase[]): KeptCase[] {
    const ranked = kept.toSorted((a, b) => b.news - a.news);
    const staying = ranked.slice(0, mostKept);
    this.#writing(() => {
      // first: one that stays may be the same case
      for (const one of ranked.slice(mostKept)) rmSync(this.#fileOf(one), { force: true });
      for (const one of staying) {
        const path = this.#fileOf(one);
        if (!existsSync(path)) writeWhole(path, `${JSON.stringify(one)}\n`);
      }
      writeWhole(join(this.#path, 'results.json'), `${JSON.stringify(results, undefined, 2)}\n`);
      // last: what it lists is there
      writeWhole(join(this.#path, 'campaign.json'), `${JSON.stringify(state)}\n`);
    });
    return staying;
  }

  #fileOf({ property, scenario }: KeptCase): string {
    const digest = createHash('sha256').update(JSON.stringify(scenario)).digest('hex').slice(0, 12);
    return join(this.#path, 'kept', `${property.replaceAll('/', '-')}-${digest}.json`);
  }

  #writing(write: () => void): void {
    try {
      write();
    } catch (thrown) {
      throw usageError(cannotWrite(this.name, thrown));
    }
  }
}
