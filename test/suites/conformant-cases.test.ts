import { describe, expect, it } from 'vitest';
import { referenceAdapter, type SoundId } from '../../adapters/reference/index.ts';
import { loadRules } from '../../oracle/index.ts';
import { parseScenario } from '../../suites/case/index.ts';
import { Executor } from '../../suites/runner/executor.ts';
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
