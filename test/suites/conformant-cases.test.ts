import { describe, expect, it } from 'vitest';
import { referenceAdapter } from '../../adapters/reference/index.ts';
import { loadRules } from '../../oracle/index.ts';
import { parseScenario } from '../../suites/case/index.ts';
import { Executor } from '../../suites/runner/executor.ts';
import { readProjectFile } from '../project/files.ts';

const rules = loadRules();
/** Cases that were once called broken on a conformant device: steps of two properties mixed, and made small. */
const cases = JSON.parse(readProjectFile('test/fixtures/conformant-cases.json')) as {
  says: string;
  scenario: unknown;
}[];

describe('no rule is broken where', () => {
  it.each(cases)('$says', async ({ scenario }) => {
    const executor = await Executor.open(referenceAdapter(), rules, {});
    const outcome = await executor.run(parseScenario(scenario));
    await executor.close();
    expect(outcome).toMatchObject({ kind: 'judged', judgement: { violations: [] } });
  });
});
