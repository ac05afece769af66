import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../cli/command-line.ts';
import { root } from '../project/files.ts';
import { installExample, pack } from './packed.ts';

const folder = temporaryFolder();
const project = join(folder.path, 'project');
let tarball = '';
beforeAll(() => {
  tarball = pack(folder.path);
  installExample(tarball, project);
});
afterAll(() => {
  folder.remove();
});

function tool(name: string, ...args: string[]): { code: number | null; output: string } {
  const file = join(root, 'node_modules', '.bin', name);
  const env = { ...process.env, CI: '1', NO_COLOR: '1', DEVICE: undefined, VITEST: undefined };
  const { status, stdout, stderr } = spawnSync(file, args, { cwd: project, encoding: 'utf8', env });
  return { code: status, output: `${stdout}${stderr}` };
}

interface Report {
  numTotalTests: number;
  testResults: { name: string; assertionResults: { fullName: string; status: string; meta: unknown }[] }[];
}

/** Every test of a json report: its file, its name, what became of it, and what it counted. */
function testsOf(file: string): { file: string; fullName: string; status: string; meta: unknown }[] {
  const report = JSON.parse(readFileSync(join(project, file), 'utf8')) as Report;
  return report.testResults
    .flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, status, meta }) => ({
        file: name.replace(/.*\/project\//, ''),
        fullName,
        status,
        meta,
      })),
    )
    .toSorted((a, b) => (a.file + a.fullName < b.file + b.fullName ? -1 : 1));
}

describe('the packed package', () => {
  it('has entry points that publint finds nothing wrong with', async () => {
    const { messages } = await publint({
      pkgDir: join(project, 'node_modules', 'rdma-conform'),
      strict: true,
    });
    expect(messages).toEqual([]);
  });

  it('has types that every resolution of ES modules finds', async () => {
    const found = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
    if (!found.types) throw new Error('no types at all');
    // It has no CommonJS to offer, and resolution as before Node 12 knows no exports.
    const minded = found.problems.filter(
      (problem) =>
        problem.kind !== 'CJSResolvesToESM' &&
        !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
    );
    expect(minded).toEqual([]);
    expect(Object.keys(found.entrypoints)).toContain('./vitest');
  });
});

describe('a project with the packed package', () => {
  it('compiles against its types', () => {
    expect(tool('tsc', '-p', '.')).toEqual({ code: 0, output: '' });
  });

  it(
    'passes on the reference NIC in two shards whose blobs merge, and alike without them',
    { timeout: 600_000 },
    () => {
      const json = (name: string): string[] => ['--reporter=json', `--outputFile=${name}`];
      for (const i of [1, 2]) {
        const blob = `.vitest-reports/blob-${i}.json`;
        const shard = tool('vitest', 'run', `--shard=${i}/2`, '--reporter=blob', `--outputFile=${blob}`);
        expect(shard).toMatchObject({ code: 0 });
      }
      expect(tool('vitest', '--merge-reports', ...json('merged.json'))).toMatchObject({ code: 0 });
      const merged = testsOf('merged.json');
      expect(merged.length).toBeGreaterThan(200);
      const file = 'conformance/rc-responder.test.ts';
      expect(tool('vitest', 'run', file, ...json('alone.json'))).toMatchObject({ code: 0 });
      expect(merged.filter((test) => test.file === file)).toEqual(testsOf('alone.json'));
      expect(merged).toContainEqual({
        file,
        fullName: 'rdma-conform: reference rc-responder/psn-walk',
        status: 'passed',
        meta: {
          rdmaConform: expect.objectContaining({
            property: 'rc-responder/psn-walk',
            cases: 2,
            exercised: expect.objectContaining({ 'rc-request-ahead': expect.any(Number) }) as unknown,
          }) as unknown,
        },
      });
    },
  );

  it('serves the test runner of Node, and fast-check alone', () => {
    const node = (device: string, ...args: string[]): { status: number | null; output: string } => {
      const env: NodeJS.ProcessEnv = { ...process.env, DEVICE: device, NODE_TEST_CONTEXT: undefined };
      const { status, stdout, stderr } = spawnSync(process.execPath, args, {
        cwd: project,
        encoding: 'utf8',
        env,
      });
      return { status, output: `${stdout}${stderr}` };
    };
    const mutant = 'reference:mutant=nak-psn-of-request';
    const passed = node('reference', '--test', '--test-reporter=tap', 'node/responder.test.js');
    expect(passed.output).toMatch(/ok \d+ - rc-responder\/psn-walk/);
    expect(passed.status).toBe(0);
    const only = '--test-name-pattern=psn-walk';
    const failed = node(mutant, '--test', '--test-reporter=tap', only, 'node/responder.test.js');
    expect(failed.output).toMatch(/not ok \d+ - rc-responder\/psn-walk/);
    expect(failed.status).toBe(1);
    expect(node('', 'node/plain.js')).toEqual({ status: 0, output: 'rc-request-ahead holds\n' });
    const plain = node('', 'node/plain.js', mutant);
    expect(plain.output).toMatch(/rc-request-ahead[^]*replay +rdma-conform replay rdc1/);
    expect(plain.status).toBe(1);
  }, 300_000);

  it('fails by the property that a fault breaks, with the exchange; not where the divergence is a known one', () => {
    writeFileSync(
      join(project, 'known.yaml'),
      '- { rule: rc-request-ahead, adapter: reference, reason: planted }\n',
    );
    const conformance = (known: string): string => `
      import { describeConformance } from 'rdma-conform/vitest';
      const properties = ['rc-responder/psn-walk', 'rc-responder/send'];
      describeConformance('reference:mutant=nak-psn-of-request', { properties, runs: 40, ${known} });`;
    writeFileSync(join(project, 'test', 'new.test.ts'), conformance(''));
    writeFileSync(join(project, 'test', 'known.test.ts'), conformance("known: 'known.yaml'"));
    const { code, output } = tool('vitest', 'run', 'test/new.test.ts', 'test/known.test.ts');
    expect(code).toBe(1);
    expect(output).toMatch(/FAIL +test\/new\.test\.ts > rdma-conform: .* > rc-responder\/psn-walk/);
    expect(output).toMatch(/>> .* <= RC ACKNOWLEDGE psn \d+ .* NAK PSN sequence error/);
    expect(output).toMatch(/replay +npx rdma-conform replay/);
    expect(output).not.toMatch(/FAIL +test\/known/);
  });

  it('skips with the reason what a device cannot be tried with, and fails for a known divergence that is gone', () => {
    const conformance = (device: string, options: string): string => `
      import { describeConformance } from 'rdma-conform/vitest';
      describeConformance('${device}', { runs: 1, ${options} });`;
    writeFileSync(
      join(project, 'test', 'blind.test.ts'),
      conformance('reference:wire=none', "properties: ['rc-responder/psn-walk', 'effects/rc-sound']"),
    );
    writeFileSync(
      join(project, 'test', 'gone.test.ts'),
      conformance('reference', "known: [{ rule: 'rc-request-ahead', reason: 'it was so once' }]"),
    );
    const files = ['test/blind.test.ts', 'test/gone.test.ts'];
    const { code, output } = tool('vitest', 'run', '--reporter=verbose', ...files);
    expect(code).toBe(1);
    expect(output).toMatch(/↓.*rc-responder\/psn-walk.*its packets can neither be sent nor seen/);
    expect(output).toMatch(/FAIL +test\/gone\.test\.ts > .* > known divergences show/);
    expect(output).toMatch(/no longer broken[^\n]*: rc-request-ahead/);
    expect(output).toMatch(/Tests +1 failed/);
  });
});
