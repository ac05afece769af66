import { describe, expect, it } from 'vitest';
import { referenceAdapter, type SoundId } from '../../adapters/reference/index.ts';
import { loadRules } from '../../oracle/index.ts';
import { parseScenario } from '../../suites/case/index.ts';
import { Executor } from '../../suites/runner/executor.ts';
import { brokenIn, knownOf, pcapOf } from '../../scripts/captured-mutants/judged.ts';
import { drive } from '../../suites/corpus/drive.ts';
import { BenchSession } from '../../suites/index.ts';
import { reconnection, stretched } from '../captures/poor-sight.ts';
import { readProjectFile } from '../project/files.ts';

const rules = loadRules();
/** Cases that were once called broken on a conformant device: steps of two properties mixed, and made small. */
const cases = JSON.parse(readProjectFile('test/fixtures/conformant-cases.json')) as {
  says: string;
  /** the conformant variant that it was; the reference NIC as it is otherwise */
  sound?: SoundId;
  scenario: unknown;
}[];

describe('no rule is broken where', () => {
  it.each(cases)('$says', async ({ sound, scenario }) => {
    const adapter = referenceAdapter(sound === undefined ? {} : { sound });
    const executor = await Executor.open(adapter, rules, {});
    const outcome = await executor.run(parseScenario(scenario));
    await executor.close();
    expect(outcome).toMatchObject({ kind: 'judged', judgement: { violations: [] } });
  });
});

describe('a capture at the port of the device shows nothing broken where', () => {
  let captures = 0;

  it.each(cases)('$says', async ({ sound, scenario }) => {
    const adapter = referenceAdapter(sound === undefined ? {} : { sound });
    const { drive: run } = await drive({ BenchSession }, adapter, parseScenario(scenario));
    const events = stretched(run?.events ?? [], reconnection);
    const capture = pcapOf(events);
    if (run === undefined || capture === undefined) return;
    captures++;
    for (const known of [{}, knownOf(run)])
      expect([...(await brokenIn(capture, rules, run.header.dut?.addresses ?? [], known))]).toEqual([]);
  });

  it('packets pass at all, in most of them', () => {
    expect(captures).toBeGreaterThan(0.7 * cases.length);
  });
});
