import { loadBuild, type Build } from './build.ts';
import { caseOf, generatedCases } from './generated.ts';
import { hold, type Pair, type Side } from './hold.ts';
import type { Names } from './names.ts';
import { count, emptyTally, type Tally } from './tally.ts';

/** What is to be held against each other, and on which part of the corpus. Plain data. */
export interface Terms {
  before: string;
  after: string;
  nic: boolean;
  seed: number;
  cases: number;
  /** only properties of this suite */
  suite?: string;
  /** only this case, PROPERTY/SEED/INDEX */
  case?: string;
}

export async function openPair({ before, after, nic }: Terms, names: Names): Promise<Pair> {
  const side = async (folder: string): Promise<Side> => {
    const build: Build = await loadBuild(folder);
    return { build, rules: build.loadRules() };
  };
  return { before: await side(before), after: await side(after), names, nic };
}

/** Holds the builds against each other on part `i` of `n`; `progress` is called now and then. */
export async function runPart(
  terms: Terms,
  names: Names,
  part: { i: number; n: number },
  progress: (tally: Tally) => void,
): Promise<Tally> {
  const pair = await openPair(terms, names);
  const tally = emptyTally(names);
  const { build } = pair.before;
  const devices = { before: build.referenceAdapter(), after: pair.after.build.referenceAdapter() };
  const profile = await devices.before.describe();
  const properties = build.properties.filter(({ suite }) => (terms.suite ?? suite) === suite);
  if (properties.length === 0) throw new Error(`no property is of suite ${terms.suite}`);
  const cases =
    terms.case === undefined
      ? generatedCases(build, properties, profile, { ...terms, part })
      : [caseOf(build, terms.case, profile)];
  for (const made of cases) {
    const { property, seed, index } = made;
    const held = await hold(pair, devices, made.scenario);
    count(tally, names, { name: `${property}/${seed}/${index}`, property }, held);
    if (tally.cases % 100 === 0) progress(tally);
  }
  return tally;
}
