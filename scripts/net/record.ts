import { writeFileSync } from 'node:fs';
import type { RuleSet } from '../../oracle/index.ts';
import { loadMakingBuild, type MakingBuild } from './build.ts';
import { drive } from './drive.ts';
import { packed, type RecordedCase } from './fixture.ts';
import { generatedCases } from './generated.ts';
import { seenOf, type Case } from './hold.ts';
import { aimedCases } from './mutants.ts';
import type { Names } from './names.ts';

/** Cases of each property that are looked at, of which the one that decides most is kept. */
const looked = 6;
/** Every so many mutants one is recorded. */
const everyMutant = 4;
/** Longest trace that is kept, in bytes. */
const longest = 12_000;
const seed = 1;

const noNames: Names = { rules: new Map(), texts: new Map(), mutants: new Map(), differences: [] };

function sizeOf({ events }: RecordedCase): number {
  return events.reduce((sum, event) => sum + (event.kind === 'packet' ? event.packet.frame.length : 100), 0);
}

/** Runs and judges a case on one build. */
async function recorded(build: MakingBuild, rules: RuleSet, item: Case): Promise<RecordedCase | undefined> {
  const { name, property, mutant, devices, scenario } = item;
  const { drive: driven } = await drive(build, devices.before, scenario);
  if (driven === undefined) return undefined;
  const { header, events } = driven;
  const judged = seenOf({ header, events }, name).map(({ view, trace }) => ({
    ...(view !== undefined && { view }),
    judgement: build.judgeTrace(trace.header, trace.events, rules),
  }));
  return { name, property, ...(mutant !== undefined && { mutant }), header, events, judged };
}

function decidedBy({ judged }: RecordedCase): number {
  return judged[0]?.judgement.exercised.size ?? 0;
}

function brokenIn({ judged }: RecordedCase): string[] {
  return judged[0]?.judgement.violations.map(({ rule }) => rule) ?? [];
}

/** Short traces of all properties and of some mutants, judged by one build, in a file for a test. Gives their number. */
export async function record(folder: string, file: string): Promise<number> {
  const build = await loadMakingBuild(folder);
  const rules = build.loadRules();
  const { properties } = build;
  const mutants = build.mutants(rules);
  const kept = new Map<string, RecordedCase>();
  const sound = { before: build.referenceAdapter(), after: build.referenceAdapter() };
  const part = { i: 0, n: 1 };
  const source = { build, devices: [sound], properties };
  for await (const item of generatedCases(source, { seed, cases: looked * properties.length, part })) {
    const found = await recorded(build, rules, item);
    if (found === undefined || sizeOf(found) > longest) continue;
    const before = kept.get(item.property);
    if (before === undefined || decidedBy(found) > decidedBy(before)) kept.set(item.property, found);
  }
  const own = new Map(mutants.map((mutant) => [mutant.id, mutant.rules]));
  const some = { seed, mutants, properties, part: { i: 0, n: everyMutant } };
  await aimedCases({ before: build, after: build, names: noNames }, some, async (item) => {
    const { mutant = '' } = item;
    // one of each is enough
    const found = kept.has(mutant) ? undefined : await recorded(build, rules, item);
    const broken = found === undefined ? own.get(mutant) : brokenIn(found);
    const aimed = broken?.some((rule) => own.get(mutant)?.includes(rule)) === true;
    if (found !== undefined && aimed && sizeOf(found) <= longest) kept.set(mutant, found);
    return { judged: 0, differences: [], broken: kept.has(mutant) ? [...(own.get(mutant) ?? [])] : [] };
  });
  writeFileSync(file, packed([...kept.values()]));
  return kept.size;
}
