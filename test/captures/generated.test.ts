import { describe, expect, it } from 'vitest';
import { referenceAdapter } from '../../adapters/reference/index.ts';
import { loadRules } from '../../oracle/index.ts';
import { brokenIn, knownOf, pcapOf } from '../../scripts/captured-mutants/judged.ts';
import { Scenarios } from '../../suites/corpus/aim.ts';
import { drive } from '../../suites/corpus/drive.ts';
import { BenchSession, generateChunk, properties } from '../../suites/index.ts';
import { testSeed } from '../seed.ts';
import { reconnection, stretched } from './poor-sight.ts';

/** Cases of each property; a campaign takes `RUNS=20 FC_SEED=2`, half a minute of CPU for a thousand captures. */
const runs = Number(process.env['RUNS'] ?? 1);
/** Times that connecting a QP anew takes, nanoseconds; the suites do it at once, and most captures show that nevertheless. */
const reconnections = [0, reconnection];
/** What a QP sends that is connected anew at once, though nothing was refused for good, may look like more of the same connection. */
const secondLife = 'rc-responder/second-life';
const judged = /^(rc-|uc|ud)/;
/** Where a reconnection takes long, what the QP has sent before the call stands behind it in the trace. */
const midway = 'rc-responder/calls-midway';

function timesOf(property: string): readonly number[] {
  if (property === midway) return [0];
  return property === secondLife ? [reconnection] : reconnections;
}

const rules = loadRules();
const device = referenceAdapter();
const { capabilities } = await device.describe();
const scenarios = new Scenarios(generateChunk, await device.describe(), testSeed);
const able = properties.filter(
  ({ id, requires = [] }) => judged.test(id) && requires.every((word) => capabilities.includes(word)),
);

describe('captures of generated cases on a conformant device', () => {
  it.each(['rc-responder', 'rc-requester', 'u'])(
    '%s: nothing that the device sends is called broken, lossy or complete',
    async (suite) => {
      const alarms: string[] = [];
      let captures = 0;
      for (const property of able.filter(({ id }) => id.startsWith(suite)))
        for (let i = 0; i < runs; i++) {
          const run = (await drive({ BenchSession }, device, scenarios.at(property, i))).drive;
          if (run === undefined) continue;
          const addresses = run.header.dut?.addresses ?? [];
          for (const taken of timesOf(property.id)) {
            const capture = pcapOf(stretched(run.events, taken));
            if (capture === undefined) break;
            captures++;
            for (const known of [{}, knownOf(run)])
              for (const rule of await brokenIn(capture, rules, addresses, known))
                alarms.push(
                  `${property.id} ${i}, ${taken} ns${'complete' in known ? ' --complete' : ''}: ${rule}`,
                );
          }
        }
      expect(alarms).toEqual([]);
      expect(captures).toBeGreaterThan(10 * runs);
    },
    3_600_000,
  );
});
