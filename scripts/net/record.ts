import { writeFileSync } from 'node:fs';
import type { RuleSet } from '../../oracle/index.ts';
import { loadMakingBuild, type MakingBuild } from './build.ts';
import { allDevices } from './devices.ts';
import { packed, type RecordedCase } from './fixture.ts';
import { generatedCases } from './generated.ts';
import type { Case } from './hold.ts';
import { aimedCases } from './mutants.ts';
import type { Names } from './names.ts';
import { drive } from '../../suites/corpus/drive.ts';
import { seenOf } from '../../suites/corpus/views/index.ts';

/** Generated cases of each property that are looked at. */
const looked = 60;
/** Longest trace that is kept, in bytes. */
const longest = 60_000;
const seed = 1;

const noNames: Names = { rules: new Map(), texts: new Map(), mutants: new Map(), differences: [] };

function sizeOf({ events }: RecordedCase): number {
  return events.reduce((sum, event) => sum + (event.kind === 'packet' ? event.packet.frame.length : 100), 0);
}

/** What a case shows: rules that decide, that are broken, choices, and reasons for which nothing was judged. */
function* featuresOf({ judged }: RecordedCase): Generator<string> {
  for (const { view, judgement } of judged) {
    if (view !== undefined) yield `view ${view}`;
    for (const rule of judgement.exercised.keys()) yield `exercised ${rule}`;
    for (const { rule } of judgement.violations) yield `broken ${rule}`;
    for (const [rule, choices] of judgement.observed)
      for (const choice of choices.keys()) yield `observed ${rule} ${choice}`;
    for (const reason of judgement.notJudged.keys()) yield `not judged ${reason}`;
  }
}

/** Keeps the cases that show something which none before them did. */
class Collection {
  readonly kept: RecordedCase[] = [];
  private readonly shown = new Set<string>();

  offer(one: RecordedCase): void {
    if (sizeOf(one) > longest) return;
    const features = [...featuresOf(one)];
    if (features.every((feature) => this.shown.has(feature))) return;
    for (const feature of features) this.shown.add(feature);
    this.kept.push(one);
  }
}

/** Runs and judges a case on one build. */
async function recorded(build: MakingBuild, rules: RuleSet, item: Case): Promise<RecordedCase | undefined> {
  const { name, property, mutant, devices, scenario } = item;
  const { drive: driven } = await drive(build, devices.before, scenario);
  if (driven === undefined) return undefined;
  const { header, events } = driven;
  const judged = seenOf({ header, events }, name, build).map(({ view, trace }) => ({
    ...(view !== undefined && { view }),
    judgement: build.judgeTrace(trace.header, trace.events, rules),
  }));
  return { name, property, ...(mutant !== undefined && { mutant }), header, events, judged };
}

/** Short traces of sound devices and of mutants, judged by one build, in a file for a test. Gives their number. */
export async function record(folder: string, file: string): Promise<number> {
  const build = await loadMakingBuild(folder);
  const rules = build.loadRules();
  const { properties } = build;
  const collection = new Collection();
  const take = async (item: Case): Promise<string[]> => {
    const found = await recorded(build, rules, item);
    if (found === undefined) return [];
    collection.offer(found);
    return found.judged[0]?.judgement.violations.map(({ rule }) => rule) ?? [];
  };
  const source = { build, devices: allDevices(build, build), properties };
  const part = { i: 0, n: 1 };
  for await (const item of generatedCases(source, { seed, cases: looked * properties.length, part }))
    await take(item);
  const some = { seed, mutants: build.mutants(rules), properties, part };
  await aimedCases({ before: build, after: build, names: noNames }, some, async (item) => ({
    judged: 0,
    differences: [],
    broken: await take(item),
  }));
  writeFileSync(file, packed(collection.kept));
  return collection.kept.length;
}
