import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { referenceAdapter } from '../../adapters/reference/index.ts';
import type { JournalLine } from '../../cli/journal/lines.ts';
import { readJournal } from '../../cli/journal/read.ts';
import { JournalState } from '../../cli/journal/state.ts';
import { JournalWriter, lastRun } from '../../cli/journal/writer.ts';
import type { RunResult } from '../../report/results.ts';
import { runConformance } from '../../suites/index.ts';
import { root } from '../project/files.ts';
import { interrupted, run, temporaryFolder } from './command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});

const place = (name: string): string => join(folder.path, name);

function inFolder(name: string): { cwd: string } {
  mkdirSync(place(name));
  return { cwd: place(name) };
}

function linesOf(file: string): JournalLine[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as JournalLine);
}

/** A device with a fault that takes this process with it in its `last`-th case. */
function deadlyAdapter(last: number): string {
  const library = pathToFileURL(join(root, 'dist', 'adapters', 'index.js')).href;
  const file = place('deadly.mjs');
  writeFileSync(
    file,
    `import { referenceAdapter } from '${library}';
    const device = referenceAdapter({ mutant: 'nak-psn-of-request' });
    let cases = 0;
    export default {
      name: 'deadly',
      describe: () => device.describe(),
      open: async (options) => {
        if (++cases === ${last}) process.kill(process.pid, 'SIGKILL');
        return device.open(options);
      },
    };`,
  );
  return file;
}

const arguments_ = (adapter: string): string[] => [
  '--adapter',
  adapter,
  '--seed',
  '1',
  '--suite',
  'rc-responder',
  '--rule',
  'rc-request-ahead',
];

/** What of a result is there however its run ended, as long as it ran the same cases. */
function found({ rules, packets, notJudged }: RunResult): unknown {
  return {
    packets,
    notJudged,
    rules: rules.map(({ id, exercised, violations, choices }) => ({ id, exercised, violations, choices })),
  };
}

describe('a run that is killed', () => {
  const last = 81;

  it('loses the case in flight, and nothing else', async () => {
    const killed = inFolder('killed');
    const adapter = deadlyAdapter(last);
    const dead = await run(arguments_(adapter), killed);
    expect(dead).toMatchObject({ signal: 'SIGKILL', stdout: '' });

    const report = await run(['report', '--reporter', 'pretty', '--reporter', 'json=found.json'], killed);
    expect(report.code).toBe(130);
    expect(report.stderr).toMatch(/last-run\.ndjson: the run was cut off; this is what it had found\n$/);
    expect(report.stdout).toMatch(/inconclusive +rc-request-ahead [^]*before it could be seen again/);
    expect(report.stdout).toMatch(/^ {3}reproduced +seen once, and not run again/m);
    expect(report.stdout).toMatch(/>> +[\d.]+ \S+ \| <= RC ACKNOWLEDGE .* NAK PSN sequence error/);
    const result = JSON.parse(readFileSync(join(killed.cwd, 'found.json'), 'utf8')) as RunResult;
    expect(result).toMatchObject({ cases: last - 1, interrupted: true, partial: ['cut off'] });

    // A run of as many cases that came to its end has found the same: four chunks of 20, one of each property.
    const mutant = 'reference:mutant=nak-psn-of-request';
    const args = [...arguments_(mutant), '--runs', String(last - 1), '--reporter', 'json=whole.json'];
    expect((await run(args, inFolder('whole-run'))).code).toBe(1);
    const whole = JSON.parse(readFileSync(join(place('whole-run'), 'whole.json'), 'utf8')) as RunResult;
    expect(found(result)).toEqual(found(whole));

    // It had its file from the moment it was seen, and the run after this one makes a smaller one of it.
    const kept = readdirSync(join(killed.cwd, '.rdma-conform/cases'));
    for (const name of kept) expect(name).toMatch(/^rc-request-ahead-\w+\.json$/);
    expect(result.failures.map(({ caseFile = '' }) => caseFile).toSorted()).toEqual(
      kept.map((name) => `.rdma-conform/cases/${name}`).toSorted(),
    );
    for (const failure of result.failures)
      expect(failure).toMatchObject({
        rule: 'rc-request-ahead',
        unshrunk: true,
        unconfirmed: true,
        expected: expect.stringMatching(/./) as string,
      });

    // What was seen can be run again, from the token of the report.
    const token = result.failures.find(({ rule }) => rule === 'rc-request-ahead')?.token ?? '';
    const again = await run(['replay', token, '--adapter', mutant], killed);
    expect(again.code).toBe(1);
  });
});

describe('a run that is interrupted', () => {
  it('reports what it has, and again when it is asked later', async () => {
    const there = inFolder('interrupted');
    const device = 'reference:mutant=nak-psn-of-request';
    const args = ['--runs', '1000000', '--adapter', device, '--rule', 'rc-request-ahead'];
    const first = await interrupted(args, 2000, there);
    expect(first.code).toBe(130);
    expect(first.stdout).toMatch(/FAIL +rc-request-ahead[^]*Interrupted: this is what was found/);
    const again = await run(['report'], there);
    expect(again).toMatchObject({ code: 130, stdout: first.stdout, stderr: '' });
  });
});

describe('a journal', () => {
  const adapter = referenceAdapter({ mutant: 'nak-psn-of-request' });
  const log = (line: string): void => {
    throw new Error(line);
  };

  async function written(name: string): Promise<{ file: string; result: RunResult }> {
    const journal = new JournalWriter(lastRun, { directory: inFolder(name).cwd, asked: 'here', log });
    const result = await runConformance({ adapter, runs: 150, suite: 'rc-responder', record: journal });
    journal.end(result);
    return { file: join(place(name), lastRun), result };
  }

  it('holds the results of a run that came to its end', async () => {
    const { file, result } = await written('whole');
    const journal = await readJournal(file, 'x');
    expect(journal).toMatchObject({ whole: true, asked: 'here' });
    expect(journal.result).toEqual(JSON.parse(JSON.stringify(result)));
    expect(result.failures.map(({ rule }) => rule)).toContain('rc-request-ahead');
  });

  it('tells the same where its end is cut off, and where its lines are written anew in a few', async () => {
    const { file, result } = await written('cut');
    const lines = linesOf(file).slice(0, -1);
    const text = (some: readonly JournalLine[]): string =>
      some.map((line) => `${JSON.stringify(line)}\n`).join('');
    const state = new JournalState();
    for (const line of lines) state.apply(line);
    const few = state.lines();
    expect(few.length).toBeLessThan(10);
    writeFileSync(place('cut.ndjson'), `${text(lines)}{"line":"en`);
    writeFileSync(place('few.ndjson'), text(few));
    const cut = await readJournal(place('cut.ndjson'), 'cut');
    expect(cut.whole).toBe(false);
    expect(found(cut.result)).toEqual(found(result));
    expect(cut.result.failures).toEqual(JSON.parse(JSON.stringify(result.failures)));
    const shortened = await readJournal(place('few.ndjson'), 'few');
    expect(shortened.result).toEqual(cut.result);
  });

  it('is refused where it is none, or damaged before its last line', async () => {
    const { file } = await written('damaged');
    const first = readFileSync(file, 'utf8').split('\n')[0] ?? '';
    const refused = async (content: string): Promise<unknown> => {
      writeFileSync(place('bad.ndjson'), content);
      return readJournal(place('bad.ndjson'), 'bad').catch((error: unknown) => String(error));
    };
    expect(await refused('')).toMatch(/bad is no journal of a run/);
    expect(await refused('{"a":\n{}\n')).toMatch(/bad:1: is no line of a journal/);
    expect(await refused(`${first}\n{"line":"case"}\n`)).toMatch(
      /bad:2: is no line of a journal: "[a-z]+" is missing/,
    );
    expect(await refused(first.replace(/"spec":"\w+"/, '"spec":"0"'))).toMatch(
      /comes of rules 0, and these are/,
    );
    const missing = await run(['report'], inFolder('empty'));
    expect(missing).toMatchObject({ code: 64, stdout: '' });
    expect(missing.stderr).toMatch(/no run has left anything here: there is no .*last-run\.ndjson/);
  });

  it('that cannot be written is told once, and the run goes on', async () => {
    const directory = inFolder('blocked').cwd;
    writeFileSync(join(directory, '.rdma-conform'), '');
    const told: string[] = [];
    const journal = new JournalWriter(lastRun, { directory, asked: 'here', log: (line) => told.push(line) });
    const result = await runConformance({ adapter, runs: 20, suite: 'rc-responder', record: journal });
    expect(result.cases).toBe(20);
    expect(told).toEqual([expect.stringMatching(/last-run\.ndjson cannot be written/)]);
  });

  it('of a later run has a name of its own while another one goes on, and the usual one if it ends last', async () => {
    const directory = inFolder('two').cwd;
    const told: string[] = [];
    const options = { directory, log: (line: string) => told.push(line) };
    const [one, two] = ['one', 'two'].map((asked) => new JournalWriter(lastRun, { ...options, asked }));
    if (one === undefined || two === undefined) throw new Error('two journals');
    const begin = {
      adapter: 'a',
      profile: await adapter.describe(),
      seed: 1,
      spec: 's',
      rules: [],
      properties: [],
      known: [],
    };
    one.begin(begin);
    two.begin(begin);
    one.doubt({ rule: 'of one', signature: 's' }, 'x');
    two.doubt({ rule: 'of two', signature: 's' }, 'x');
    const ofOne = [
      { line: 'begin', asked: 'one' },
      { line: 'totals', cases: 0 },
      { line: 'doubt', rule: 'of one' },
    ];
    const ofTwo = [
      { line: 'begin', asked: 'two' },
      { line: 'totals', cases: 0 },
      { line: 'doubt', rule: 'of two' },
    ];
    const own = join(directory, `.rdma-conform/last-run-${process.pid}.ndjson`);
    expect(told).toEqual([
      expect.stringMatching(/another run \(process \d+\) .* last-run-\d+\.ndjson$|in \.rdma/),
    ]);
    expect(linesOf(join(directory, lastRun))).toMatchObject(ofOne);
    expect(linesOf(own)).toMatchObject(ofTwo);
    one.close();
    two.close();
    expect(linesOf(join(directory, lastRun))).toMatchObject(ofTwo);
    expect(readdirSync(join(directory, '.rdma-conform'))).toEqual(['last-run.ndjson']);
  });
});
