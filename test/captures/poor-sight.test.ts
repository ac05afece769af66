import { expect, it } from 'vitest';
import { referenceAdapter } from '../../adapters/reference/index.ts';
import { loadRules } from '../../oracle/index.ts';
import { brokenIn, othersUntil, pcapFrom, trafficOfOthers } from '../../scripts/captured-mutants/judged.ts';
import { Scenarios } from '../../suites/corpus/aim.ts';
import { drive } from '../../suites/corpus/drive.ts';
import { BenchSession, generateChunk, properties } from '../../suites/index.ts';
import { testSeed } from '../seed.ts';
import { passedThrough, reconnection, seenPoorly, stretched, type Passed } from './poor-sight.ts';

/** Cases of each property, and poor sights of each case; a campaign takes `RUNS=70 FC_SEED=2`: a hundred thousand captures. */
const runs = Number(process.env['RUNS'] ?? 1);
const sights = runs === 1 ? 2 : 10;

/**
 * Left out. `calls-midway`: what the QP has sent before a call would stand behind it. `duplicates-with-errors`: its peer sends two different
 * requests with one PSN; where one of them is missed, what the device answers looks wrong. The others connect a QP anew: where the first packets
 * of the second connection are missed, its PSNs may go on where the first one ended, which no capture can tell from one connection.
 */
const leftOut =
  /calls-midway$|^rc-responder\/(duplicates-with-errors|established)$|^rc-requester\/second-life$|^device\/requesters$/;

/** So that a requester may be called early, which takes many requests that are seen once. */
const others = trafficOfOthers.map(({ time, data }, i): Passed => ({
  t: Number(time) - othersUntil,
  frame: data,
  fromDevice: i % 2 === 0,
}));

it('nothing that a conformant device sends is called broken, however poorly it is seen', async () => {
  const rules = loadRules();
  const device = referenceAdapter();
  const profile = await device.describe();
  const scenarios = new Scenarios(generateChunk, profile, testSeed);
  const able = properties.filter(
    ({ id, requires = [] }) =>
      !leftOut.test(id) && requires.every((word) => profile.capabilities.includes(word)),
  );
  const alarms: string[] = [];
  let captures = 0;
  for (const property of able)
    for (let i = 0; i < runs; i++) {
      const run = (await drive({ BenchSession }, device, scenarios.at(property, i))).drive;
      const passed = passedThrough(stretched(run?.events ?? [], reconnection));
      if (passed.length === 0) continue;
      for (let sight = 0; sight < sights; sight++) {
        captures++;
        const whole = sight % 2 === 0 ? passed : [...others, ...passed];
        const seen = seenPoorly(whole, testSeed * 100_000 + i * sights + sight);
        const capture = pcapFrom(seen.map(({ t, frame }) => ({ t: t + othersUntil, frame })));
        for (const rule of await brokenIn(capture, rules, run?.header.dut?.addresses ?? []))
          alarms.push(`${property.id} ${i}, sight ${sight}: ${rule}`);
      }
    }
  expect(alarms).toEqual([]);
  expect(captures).toBeGreaterThan(sights * runs * 50);
}, 36_000_000);
