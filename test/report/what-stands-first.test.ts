import { describe, expect, it } from 'vitest';
import type { ReportContext } from '../../report/reporter.ts';
import { reporters } from '../../report/reporters.ts';
import type { RunResult } from '../../report/results.ts';
import { sampleFailure, sampleRule, sampleRun } from './sample.ts';

const context: ReportContext = { version: '1.2.3', width: 100, colour: false, now: 1_700_000_000_000 };

function report(name: string, result: RunResult): string {
  const reporter = reporters.find((candidate) => candidate.name === name);
  if (reporter === undefined) throw new Error(`no reporter ${name}`);
  return reporter.run(result, context);
}

describe('the first words of the HTML', () => {
  const known = sampleRule({ id: 'b', verdict: 'fail', known: { reason: 'as documented' } });
  const first = (rules: RunResult['rules'], inconclusive = 0): string => {
    const { counts } = sampleRun();
    return report('html', sampleRun({ rules, failures: [], counts: { ...counts, fail: 0, inconclusive } }));
  };

  it('do not say that no rule is broken where known divergences show', () => {
    expect(first([sampleRule({ verdict: 'pass' })])).toContain('No rule broken');
    expect(first([known])).toContain('Nothing new, 1 known divergence');
    expect(first([known])).not.toContain('No rule broken');
    expect(first([known], 2)).toContain('Nothing new seen, 1 known divergence; 2 rules inconclusive');
  });
});

describe('an error in the HTML', () => {
  const console = Array.from({ length: 40 }, (_, i) => `[ ${i}] call trace`);
  const [folded = '', plain = ''] = [
    ['the agent did not answer:', ...console],
    ['x', 'y'],
  ].map((lines) => report('html', sampleRun({ errors: [lines.join('\n')] })));

  it('is its first line, and what a machine has printed behind it is folded', () => {
    expect(folded).toMatch(/<summary>the agent did not answer:<\/summary>\s*<pre>\[ 0\] call trace\n\[ 1\]/);
    expect(plain).toMatch(/<li>x\s+y\b/);
  });
});

describe('the file of a rule', () => {
  const broken = sampleRun({
    rules: [sampleRule({ verdict: 'fail', location: { file: 'spec/machines/x.yaml', line: 3 } })],
    failures: [sampleFailure],
  });
  const inFolder = (packagePath: string): string[] =>
    ['github', 'sarif', 'html'].map((name) => {
      const reporter = reporters.find((one) => one.name === name);
      return reporter?.run(broken, { ...context, packagePath }) ?? '';
    });

  it('is found from the folder of the reader', () => {
    for (const text of inFolder('node_modules/rdma-conform'))
      expect(text).toContain('node_modules/rdma-conform/spec/machines/x.yaml');
  });

  it.each(['../clone', '..', '/opt/clone'])('names no path of a machine: %s', (packagePath) => {
    const [github = '', sarif = '', html = ''] = inFolder(packagePath);
    // an annotation of a file that the repository does not have would lead nowhere
    expect(github).toMatch(/^::error title=/m);
    for (const text of [sarif, html]) {
      expect(text).toContain('spec/machines/x.yaml');
      expect(text).not.toContain(`${packagePath}/spec`);
    }
  });
});
