import type { SuiteProperty } from '../../suites/index.ts';
import { loadBuild, loadMakingBuild } from './build.ts';
import { captureName, capturesIn, holdCapture } from './captures.ts';
import { allDevices } from './devices.ts';
import { caseOf, generatedCases, type Source } from './generated.ts';
import { hold, type Case, type Held, type Pair } from './hold.ts';
import { aimedCases, mutantCase } from './mutants.ts';
import type { Names } from './names.ts';
import { Records } from './records.ts';
import { count, emptyTally, type Tally } from './tally.ts';

export const corpora = ['generated', 'captures', 'mutants'] as const;
export type Corpus = (typeof corpora)[number];

/** What is to be held against each other, and on what. Plain data. */
export interface Terms {
  /** folders of the checkouts */
  before: string;
  after: string;
  nic: boolean;
  seed: number;
  /** generated cases */
  cases: number;
  corpora: readonly Corpus[];
  /** only properties of this suite */
  suite?: string;
  /** ends at the first difference */
  bail: boolean;
  /** only this case */
  case?: string;
  /** file of what is known of the build before */
  records: string;
}

/** What a part came to. Plain data. */
export interface PartResult {
  tally: Tally;
  added: Readonly<Record<string, string>>;
}

async function openPair(terms: Terms, names: Names): Promise<Pair> {
  const [before, after] = [await loadMakingBuild(terms.before), await loadBuild(terms.after)];
  return {
    before: { build: before, rules: before.loadRules() },
    after: { build: after, rules: after.loadRules() },
    names,
    nic: terms.nic,
    records: new Records(terms.records),
  };
}

function chosen(
  properties: readonly SuiteProperty[],
  { suite, case: name }: Terms,
): readonly SuiteProperty[] {
  if (suite === undefined || name !== undefined) return properties;
  const found = properties.filter((property) => property.suite === suite);
  const suites = new Set(properties.map((property) => property.suite));
  if (found.length === 0) throw new Error(`--suite ${suite}: the suites are ${[...suites].join(', ')}`);
  return found;
}

/** Holds the builds against each other on part `i` of `n`; `progress` is called now and then. */
export async function runPart(
  terms: Terms,
  names: Names,
  part: { i: number; n: number },
  progress: (tally: Tally) => void,
): Promise<PartResult> {
  const pair = await openPair(terms, names);
  const builds = { before: pair.before.build, after: pair.after.build, names };
  const tally = emptyTally(names);
  const properties = chosen(builds.before.properties, terms);
  const source: Source = {
    build: builds.before,
    devices: allDevices(builds.before, builds.after),
    properties,
  };
  const take = async (item: Case): Promise<Held> => {
    const held = await hold(pair, item);
    count(tally, names, item, held);
    if (tally.cases % 100 === 0) progress(tally);
    return held;
  };
  const over = (): boolean => terms.bail && tally.differ > 0;
  const result = { tally, added: pair.records.added };
  if (terms.case !== undefined) {
    await take(
      await (terms.case.includes(':') ? mutantCase(builds, terms.case) : caseOf(source, terms.case)),
    );
    return result;
  }
  if (terms.corpora.includes('captures') && part.i === 0) {
    for (const file of capturesIn(terms.after))
      count(tally, names, { name: captureName(terms.after, file) }, holdCapture(pair, file));
  }
  if (terms.corpora.includes('generated')) {
    for await (const item of generatedCases(source, { ...terms, part })) {
      if (over()) break;
      await take(item);
    }
  }
  if (terms.corpora.includes('mutants')) {
    const mutants = builds.before.mutants(pair.before.rules);
    await aimedCases(builds, { seed: terms.seed, mutants, properties, part, over }, take);
  }
  return result;
}
