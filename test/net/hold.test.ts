import { describe, expect, it } from 'vitest';
import * as adapters from '../../adapters/index.ts';
import { judgeTrace, loadRules, type Judgement } from '../../oracle/index.ts';
import type { Build, MakingBuild } from '../../scripts/net/build.ts';
import { allDevices } from '../../scripts/net/devices.ts';
import { caseOf, generatedCases } from '../../scripts/net/generated.ts';
import { hold, type Case, type Held, type Pair } from '../../scripts/net/hold.ts';
import { aimedCases } from '../../scripts/net/mutants.ts';
import type { Names } from '../../scripts/net/names.ts';
import { Records } from '../../scripts/net/records.ts';
import { BenchSession, generateChunk, loadMutants, properties } from '../../suites/index.ts';
import * as wire from '../../wire/index.ts';

const rules = loadRules();
const names: Names = { rules: new Map(), texts: new Map(), mutants: new Map(), differences: [] };
const before: MakingBuild = {
  ...wire,
  folder: 'before',
  loadRules,
  judgeTrace,
  BenchSession,
  properties,
  generateChunk,
  defaultConfig: adapters.defaultConfig,
  referenceAdapter: adapters.referenceAdapter,
  mutants: loadMutants,
};

/** One case of each of some properties, held against a build that is like this one but for what is given. */
async function held(change: Partial<Build>, known: Pair['records'] = new Records('none')): Promise<Held[]> {
  const after = { ...before, ...change };
  const pair: Pair = {
    before: { build: before, rules },
    after: { build: after, rules },
    names,
    nic: true,
    records: known,
  };
  const some = properties.filter((_, i) => i % 20 === 0);
  const source = { build: before, devices: allDevices(before, after), properties: some };
  const all: Held[] = [];
  const options = { seed: 1, cases: some.length, part: { i: 0, n: 1 } };
  for await (const item of generatedCases(source, options)) all.push(await hold(pair, item));
  return all;
}

const fieldsOf = (all: readonly Held[]): Set<string> =>
  new Set(all.flatMap(({ differences }) => differences.map(({ field }) => field)));

/** An oracle that counts one packet more in longer traces. */
const miscounts: Build['judgeTrace'] = (header, events, set) => {
  const list = [...events];
  const judgement: Judgement = judgeTrace(header, list, set);
  return { ...judgement, packets: judgement.packets + (list.length > 20 ? 1 : 0) };
};

/** A device that takes its time. */
const late: Build['referenceAdapter'] = (options) =>
  adapters.referenceAdapter({ ...options, responder: { ...options?.responder, processingDelay: 1234 } });

describe('two builds', () => {
  it('that are the same do not differ, and traces are judged in two ways', async () => {
    const all = await held({});
    expect(all.length).toBeGreaterThan(8);
    expect(fieldsOf(all)).toEqual(new Set());
    expect(all.every(({ judged }) => judged === 2)).toBe(true);
  });

  it('differ where one judges otherwise', async () => {
    expect(fieldsOf(await held({ judgeTrace: miscounts }))).toEqual(new Set(['packets']));
  });

  it('differ in the trace alone where the devices do, since both judge the same one', async () => {
    expect(fieldsOf(await held({ referenceAdapter: late }))).toEqual(new Set(['trace']));
  });

  it('differ where one cannot judge', async () => {
    const judgeNothing: Build['judgeTrace'] = () => {
      throw new RangeError('no');
    };
    expect(fieldsOf(await held({ judgeTrace: judgeNothing }))).toContain('thrown');
  });
});

describe('what is known of the build before', () => {
  it('serves as long as nothing differs, and hides no difference', async () => {
    const known = new Records('none');
    expect(fieldsOf(await held({}, known))).toEqual(new Set());
    expect(Object.keys(known.added).length).toBeGreaterThan(8);
    const again = await held({}, known);
    expect(again.every(({ judged, differences }) => judged === 2 && differences.length === 0)).toBe(true);
    expect(fieldsOf(await held({ judgeTrace: miscounts }, known))).toEqual(new Set(['packets']));
    expect(fieldsOf(await held({ referenceAdapter: late }, known))).toEqual(new Set(['trace']));
  });
});

describe('cases', () => {
  const source = { build: before, devices: allDevices(before, before), properties };

  it('are made again by their name', async () => {
    const all: Case[] = [];
    const options = { seed: 3, cases: properties.length * 21, part: { i: 0, n: 50 } };
    for await (const item of generatedCases(source, options)) all.push(item);
    const last = all.at(-1);
    expect(last?.name).toMatch(/\/3\/20$/);
    const again = await caseOf(source, last?.name ?? '');
    expect(again.scenario).toEqual(last?.scenario);
    expect(again.devices).toBe(last?.devices);
  });

  it('of a mutant go on until its rules are broken', async () => {
    const mutants = loadMutants(rules).filter(({ id }) => id === 'nak-per-packet');
    const part = { i: 0, n: 1 };
    const seen: string[] = [];
    await aimedCases(
      { before, after: before, names },
      { seed: 1, mutants, properties, part },
      async (item) => {
        seen.push(item.name);
        const broken = seen.length < 20 ? [] : [...(mutants[0]?.rules ?? [])];
        return Promise.resolve({ judged: 0, differences: [], broken });
      },
    );
    expect(seen).toHaveLength(20);
    expect(seen.every((name) => name.startsWith('nak-per-packet:'))).toBe(true);
  });
});
