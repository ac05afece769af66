import { describe, expect, it } from 'vitest';
import { reportExtras } from '../../cli/report-context.ts';
import { reportTargets } from '../../cli/report-output.ts';
import { statementIds } from '../../oracle/compile/statements.ts';
import { sampleRule, sampleRun } from './sample.ts';

const [cited = '', other = ''] = statementIds();
const run = sampleRun({ rules: [sampleRule({ statements: [cited] })], failures: [] });

describe('what a report may know of statements', () => {
  it('is that of its rules only, where it shows no coverage: the others are not read', async () => {
    for (const [reporter, isPart] of [
      ['html', true],
      ['upstream', false],
    ] as const) {
      const { statement, coverage } = await reportExtras(reportTargets([reporter]), '.', { run, isPart });
      expect(statement?.(cited)?.id).toBe(cited);
      expect(statement?.(other)).toBeUndefined();
      expect(coverage).toBeUndefined();
    }
  });

  it('is that of all where a page shows what covers them, or nothing says which are needed', async () => {
    const whole = await reportExtras(reportTargets(['html']), '.', { run });
    expect(whole.statement?.(other)?.id).toBe(other);
    expect(whole.coverage?.()).toBeDefined();
    const ofCheck = await reportExtras(reportTargets(['html']), '.');
    expect(ofCheck.statement?.(other)?.id).toBe(other);
  });
});
