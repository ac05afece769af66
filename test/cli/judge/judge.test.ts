import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { CheckResult } from '../../../report/check-results.ts';
import type { RunResult } from '../../../report/results.ts';
import { runHere } from '../command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'rdma-judge-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const inFolder = async (...args: string[]) => runHere(args, { cwd: folder });

describe('judge', () => {
  it('judges what a run has recorded as the run did', async () => {
    const device = 'reference:mutant=nak-psn-of-request';
    const asked = '--suite rc-responder --runs 150 --trace run.ndjson --reporter json=run.json'.split(' ');
    const ran = await inFolder('--adapter', device, ...asked);
    expect(ran.code).toBe(1);
    const judged = await inFolder(
      'judge',
      'run.ndjson',
      '--reporter',
      'json=judged.json',
      '--reporter',
      'pretty',
    );
    expect(judged.code).toBe(1);
    expect(judged.stdout).toMatch(/line [\d,]+ \(rc-responder\/[\w-]+ \d+\) at/);
    const of = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const [live, later] = [of('run.json') as RunResult, of('judged.json') as CheckResult];
    expect(later.traces).toBe(150);
    const counts = ({ rules }: Pick<RunResult, 'rules'>): unknown =>
      rules
        .filter(({ exercised }) => exercised > 0)
        .map(({ id, exercised, violations }) => [id, exercised, violations]);
    expect(counts(later)).toEqual(counts(live));
    const [violation] = later.violations;
    expect(violation).toMatchObject({ rule: 'rc-request-ahead', qp: 'qp 0x000011' });
    const guilty = readFileSync(join(folder, 'run.ndjson'), 'utf8').split('\n')[(violation?.line ?? 0) - 1];
    expect(JSON.parse(guilty ?? '')).toMatchObject({ kind: 'frame', direction: 'from-dut' });
  }, 120_000);

  it('says which line is wrong, and what was found before', async () => {
    const lines = readFileSync(join(folder, 'run.ndjson'), 'utf8').split('\n');
    const broken = [...lines.slice(0, 4000), '{"kind":"call"}', ...lines.slice(4000)];
    writeFileSync(join(folder, 'broken.ndjson'), broken.join('\n'));
    const { code, stdout, stderr } = await inFolder('judge', 'broken.ndjson');
    expect(code).toBe(64);
    expect(stderr).toMatch(/broken\.ndjson, line 4001: event\.\w+ must be/);
    expect(stdout).toContain('rc-request-ahead');
  }, 60_000);

  it('takes no clean verdict from nothing, and no stack trace from a file that is not there', async () => {
    writeFileSync(join(folder, 'empty.ndjson'), '');
    expect((await inFolder('judge', 'empty.ndjson')).code).toBe(2);
    const missing = await inFolder('judge', 'missing.ndjson');
    expect(missing.code).toBe(64);
    expect(missing.stderr).toMatch(/^rdma-conform: .*missing\.ndjson/);
    expect(missing.stderr).not.toContain('    at ');
  }, 60_000);
});
