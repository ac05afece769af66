import { describe, expect, it } from 'vitest';
import { askedOf } from '../../cli/files/asked-of.ts';
import { reportExtras } from '../../cli/report-context.ts';
import { reportTargets } from '../../cli/report-output.ts';
import { encodeToken, parseScenario } from '../../suites/case/index.ts';
import { finding } from '../suites/reproducer/findings.ts';
import { sampleRun } from './sample.ts';

describe('what the texts for maintainers have beside them', () => {
  const found = finding('rc-send-unacknowledged');

  async function beside(
    token: string,
    asked?: string,
  ): Promise<{ text: string | undefined; program: unknown }> {
    const failure = { ...found, token };
    const adapter = { name: 'rxe', profile: {} };
    const run = sampleRun({ adapter, failures: [failure] });
    const extras = await reportExtras(reportTargets(['upstream']), '.', { run, adapter: asked });
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
    // a device may have one name with all of its versions
    const named = await beside(token, 'rxe:kernel=6.1');
    expect(JSON.parse(named.text ?? '')).toMatchObject({ adapter: 'rxe:kernel=6.1' });
  });

  it('is told which device the run was asked for by its command line', () => {
    for (const [command, asked] of [
      ['npx rdma-conform --adapter rxe:kernel=6.12 --seed 1', 'rxe:kernel=6.12'],
      ['npx rdma-conform --seed 1 --adapter=rxe', 'rxe'],
      ["npx rdma-conform --adapter 'stdio:python3 x.py'", 'stdio:python3 x.py'],
      ["npx rdma-conform '--adapter=stdio:python3 x.py'", 'stdio:python3 x.py'],
      ['npx rdma-conform --seed 1', undefined],
    ] as const)
      expect(askedOf({ command })).toBe(asked);
    expect(askedOf({})).toBeUndefined();
  });

  it('is nothing where the results do not hold the case, and the text says so', async () => {
    expect(await beside('')).toEqual({
      text: undefined,
      program: { why: 'the results do not hold the case' },
    });
  });
});
