import { describe, expect, it } from 'vitest';
import { testsFor } from '../../scripts/changed/tests.ts';
import { projectFiles } from './files.ts';

const all = projectFiles().filter((path) => path.startsWith('test/') && path.endsWith('.test.ts'));

describe('npm run test:changed', () => {
  it.each([
    ['spec/machines/rc-responder/psn.yaml', /^test\/oracle\/rc-responder\//],
    ['oracle/ooo/judge.ts', /^test\/oracle\/ooo\//],
    ['cli/vectors/lines.ts', /^test\/cli\/vectors\/vectors\.test\.ts$/],
    ['wire/psn.ts', /^test\/wire\/codec/],
    ['docs/ci.md', /^test\/docs\/pages\.test\.ts$/],
    ['test/wire/capture.test.ts', /^test\/wire\/capture\.test\.ts$/],
    ['test/oracle/srq/some-helper.ts', /^test\/oracle\/srq\//],
  ])('takes the tests that belong to %s, and not all', (path, expected) => {
    const tests = testsFor([path], all);
    expect(tests.filter((test) => expected.test(test))).not.toEqual([]);
    expect(tests.length).toBeLessThan(all.length / 3);
  });

  it('holds verdicts on the net where a judge may have changed', () => {
    for (const path of ['oracle/srq/limit.ts', 'spec/machines/cq/lost.yaml', 'wire/psn.ts'])
      expect(testsFor([path], all)).toContain('test/net/hold.test.ts');
    expect(testsFor(['report/html.ts'], all)).not.toContain('test/net/hold.test.ts');
  });

  it('finds tests for every source', () => {
    const sources = projectFiles().filter((path) =>
      /^(spec|wire|oracle|adapters|suites|report|cli)\/.*\.ts$/.test(path),
    );
    const without = sources.filter(
      (path) => testsFor([path], all).filter((test) => test !== 'test/project/rooms.test.ts').length === 0,
    );
    expect(without).toEqual([]);
  });
});
