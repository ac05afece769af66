import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findingName, type RunResult } from '../../../report/results.ts';
import { command, run, temporaryFolder } from '../../cli/command-line.ts';
import { root } from '../../project/files.ts';
import { hindranceHere } from './here.ts';
import { until } from './link.ts';
import { allGone, descendants, isQemu } from './processes.ts';

const reason = await hindranceHere();
const note = reason === undefined ? '' : ` (skipped: ${reason})`;

const folders: { remove(): void }[] = [];
afterAll(() => {
  for (const folder of folders) folder.remove();
});

function fresh(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder.path;
}

// what they say of rxe takes no luck, and no timer
const rules = ['rc-request-unsupported', 'rc-duplicate-read', 'rc-mig-req-migrated', 'rc-send-too-long'];
const asked = ['--adapter', 'rxe', ...rules.flatMap((rule) => ['--rule', rule]), '--shrink-time', '2'];

/** The command with two guests that have come up, and all processes below it. */
async function running(
  cwd: string,
): Promise<{ ended: Promise<unknown>; end: (signal: NodeJS.Signals) => void; pids: number[] }> {
  const args = ['--adapter', 'rxe', '--jobs', '2', '--suite', 'rc-responder', '--runs', '100000'];
  const child = spawn(process.execPath, [command, ...args], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
  const pids = await until(() => {
    const below = descendants(child.pid ?? -1);
    return below.filter(isQemu).length === 2 ? below : undefined;
  }, 60_000);
  // one more look than at the moment in which the second is started
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(pids, log).toBeDefined();
  return {
    ended,
    end: (signal) => child.kill(signal),
    pids: [...(pids ?? []), ...descendants(child.pid ?? -1)],
  };
}

describe.skipIf(reason !== undefined)(`several guests at a time${note}`, () => {
  it('find what one finds, and say what they take', { timeout: 400_000 }, async () => {
    const found = async (
      ...jobs: string[]
    ): Promise<{ stderr: string; result: RunResult; names: string[] }> => {
      const cwd = fresh();
      const args = [...asked, '--runs', '30', '--reporter', 'json=report.json', ...jobs];
      const { code, stderr } = await run(args, { cwd });
      expect(code, stderr).toBe(1);
      const result = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8')) as RunResult;
      return { stderr, result, names: result.failures.map(findingName).toSorted() };
    };
    const one = await found();
    const two = await found('--jobs', '2');
    expect(two.stderr).toMatch(/2 devices take up to 2,400 MB of memory, and [\d,]+ MB are free/);
    expect(one.names.length).toBeGreaterThanOrEqual(rules.length);
    expect(two.names).toEqual(one.names);
    expect(two.result.cases).toBe(one.result.cases);
    expect(two.result.rules.map(({ id }) => id)).toEqual(one.result.rules.map(({ id }) => id));
    // said by the device once it is open
    expect(two.result.adapter).toEqual(one.result.adapter);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGKILL', 'SIGKILL'],
  ] as const)('are gone after %s', { timeout: 120_000 }, async (signal, code) => {
    const { ended, end, pids } = await running(fresh());
    end(signal);
    expect(await ended).toBe(code);
    expect(await until(() => (allGone(pids) ? true : undefined), 8000)).toBe(true);
  });

  it('are gone while the run goes on to its end, where their thread ends', { timeout: 120_000 }, async () => {
    const cwd = fresh();
    const rxe = JSON.stringify(join(root, 'adapters', 'rxe', 'index.ts'));
    const mark = JSON.stringify(join(cwd, 'ended'));
    writeFileSync(
      join(cwd, 'ends.ts'),
      `import { existsSync, writeFileSync } from 'node:fs';
      import { rxeAdapter } from ${rxe};
      const device = rxeAdapter();
      export default {
        ...device,
        open: async (options) => {
          const bench = await device.open(options);
          if (!existsSync(${mark})) {
            writeFileSync(${mark}, '');
            setTimeout(() => process.exit(9), 4000);
          }
          return bench;
        },
      };`,
    );
    const before = descendants(process.pid).filter(isQemu);
    const args = ['--adapter', './ends.ts', '--jobs', '2', '--suite', 'rc-responder', '--runs', '5000'];
    const { code, stderr } = await run([...args, '--reporter', 'json=report.json'], { cwd });
    expect(code, stderr).toBe(70);
    expect(stderr).toContain('a thread of --jobs is gone, and the device with it: it ended with exit code 9');
    const result = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8')) as RunResult;
    expect(result.partial).toContain('stopped early');
    expect(descendants(process.pid).filter(isQemu)).toEqual(before);
  });
});
