import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { RunResult } from '../../report/results.ts';
import { root } from '../project/files.ts';
import { run, temporaryFolder, type Finished } from './command-line.ts';

const folders: { remove(): void }[] = [];
afterAll(() => {
  for (const folder of folders) folder.remove();
});

function fresh(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder.path;
}

interface Reported extends Finished {
  /** the json report without its times */
  report: string;
  traces: string;
}

async function reported(...args: string[]): Promise<Reported> {
  const cwd = fresh();
  const finished = await run([...args, '--trace', 'traces.ndjson', '--reporter', 'json=report.json'], {
    cwd,
  });
  const read = (name: string): string => readFileSync(join(cwd, name), 'utf8');
  return {
    ...finished,
    report: read('report.json').replaceAll(/"(?:durationMs|begun|command)": .*/g, ''),
    traces: read('traces.ndjson'),
  };
}

describe('several devices at a time', () => {
  it.each([
    { what: 'a conformant device', adapter: 'reference', code: 0, counts: ['3'] },
    { what: 'a device with a fault', adapter: 'reference:mutant=nak-psn-of-request', code: 1, counts: ['2'] },
  ])(
    '$what: the report is the same, and so are the traces',
    { timeout: 300_000 },
    async ({ adapter, code, counts }) => {
      // so many that what cases came to has a say in what is tried
      const args = ['--adapter', adapter, '--suite', 'rc-responder', '--runs', '150', '--seed', '3'];
      const one = await reported(...args);
      expect(one).toMatchObject({ code, stderr: '' });
      for (const jobs of counts) {
        const several = await reported(...args, '--jobs', jobs);
        expect(several).toMatchObject({ code, stderr: '' });
        expect(several.report).toBe(one.report);
        expect(several.traces).toBe(one.traces);
      }
    },
  );

  it.each([
    {
      what: 'a device on a real clock that there is one of',
      apart: '',
      code: 64,
      says: '--jobs is for devices on virtual time and for guests: that of timed is real, and there is one of it',
    },
    {
      what: 'more of them than this machine has memory for',
      apart: 'apart: { megabytes: 1e9 },',
      code: 69,
      says: /timed: 2 devices take up to 2,000,000,000 MB of memory, and [\d,]+ MB are free; take fewer --jobs/,
    },
  ])('refuses $what', async ({ apart, code, says }) => {
    const cwd = fresh();
    const source = `export default {
      name: 'timed',
      ${apart}
      describe: async () => ({
        name: 'timed', capabilities: ['rc'], pathMtus: [256], ipVersions: [4], clock: 'real', responseTime: 1e6,
        minTimeout: 1, wireJitter: 1e6, concurrency: 4,
        limits: { maxDestRdAtomic: 4, maxMessageBytes: 1 << 20, maxQps: 8 },
      }),
      open: async () => { throw new Error('opened all the same'); },
    };`;
    writeFileSync(join(cwd, 'timed.mjs'), source);
    const finished = await run(['--adapter', './timed.mjs', '--jobs', '2'], { cwd });
    expect(finished.code).toBe(code);
    expect(finished.stderr).toMatch(says);
  });
});

/** A module with a device that breaks one rule; one of its instances does something worse in its 40th case. */
function spoiled(folder: string, worse: string): string {
  const adapters = JSON.stringify(join(root, 'dist', 'adapters', 'index.js'));
  const mark = JSON.stringify(join(folder, 'worse'));
  const source = `
    import { existsSync, writeFileSync } from 'node:fs';
    import { referenceAdapter } from ${adapters};
    const device = referenceAdapter({ mutant: 'nak-psn-of-request' });
    let cases = 0;
    export default {
      name: 'spoiled',
      describe: () => device.describe(),
      open: (options) => {
        if (++cases === 40 && !existsSync(${mark})) { writeFileSync(${mark}, ''); ${worse} }
        return device.open(options);
      },
    };`;
  const file = join(folder, 'spoiled.mjs');
  writeFileSync(file, source);
  return file;
}

const many = ['--jobs', '2', '--suite', 'rc-responder', '--rule', 'rc-request-ahead', '--runs', '120'];

describe('a thread', () => {
  it.each([
    {
      what: 'waits for ever',
      worse: 'return new Promise(() => undefined);',
      why: 'it waits for something that never comes',
    },
    { what: 'ends', worse: 'process.exit(9);', why: 'it ended with exit code 9' },
    {
      what: 'throws where nobody catches it',
      worse: "queueMicrotask(() => { throw new Error('out of order'); });",
      why: 'out of order',
    },
  ])('that $what: the run says so, and tells what was found', async ({ worse, why }) => {
    const cwd = fresh();
    const adapter = spoiled(cwd, worse);
    const args = ['--adapter', adapter, ...many, '--reporter', 'json=report.json'];
    const { code, stderr } = await run(args, { cwd });
    expect(code).toBe(70);
    expect(stderr).toContain(`a thread of --jobs is gone, and the device with it: ${why}`);
    const result = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8')) as RunResult;
    expect(result.cases).toBeGreaterThan(20);
    expect(result.partial).toContain('stopped early');
    expect(result.rules).toMatchObject([
      { id: 'rc-request-ahead', violations: expect.any(Number) as number },
    ]);
    expect(result.rules[0]?.violations).toBeGreaterThan(0);
  });

  it('that hangs does not keep Ctrl-C from being heard, nor what was found from being told', async () => {
    const cwd = fresh();
    const adapter = spoiled(cwd, "process.kill(process.pid, 'SIGINT'); for (;;);");
    const { code, stdout, stderr } = await run(['--adapter', adapter, ...many], { cwd });
    expect(code).toBe(130);
    expect(stderr).toMatch(/^interrupted: /);
    expect(stdout).toContain('seen, but the run ended before it could be seen again');
  });
});
