import { describe, expect, it } from 'vitest';
import { reportExtras } from '../../cli/report-context.ts';
import { reportTargets } from '../../cli/report-output.ts';
import { encodeToken, parseScenario } from '../../suites/case/index.ts';
import { finding } from '../suites/reproducer/findings.ts';
import { sampleRun } from './sample.ts';

describe('what the texts for maintainers have beside them', () => {
  const found = finding('rc-send-unacknowledged');

  async function beside(token: string): Promise<{ text: string | undefined; program: unknown }> {
    const failure = { ...found, token };
    const adapter = { name: 'rxe', profile: {} };
    const run = sampleRun({ adapter, failures: [failure] });
    const extras = await reportExtras(reportTargets(['upstream']), '.', { run });
    return { text: extras.caseText?.(failure), program: extras.reproducer?.(failure) };
  }

  it('is the case, on the device that the run was asked for, and the program', async () => {
    const { rule, property } = found;
    const scenario = parseScenario(found.scenario);
    const token = encodeToken({ rule, property, adapter: 'rxe:kernel=6.12', scenario });
    const { text = '', program } = await beside(token);
    expect(JSON.parse(text)).toMatchObject({
      rule,
      adapter: 'rxe:kernel=6.12',
      expected: found.expected,
      scenario: JSON.parse(JSON.stringify(scenario)),
    });
    expect(program).toHaveProperty('text');
  });

  it('is nothing where the results do not hold the case, and the text says so', async () => {
    expect(await beside('')).toEqual({
      text: undefined,
      program: { why: 'the results do not hold the case' },
    });
  });
});
