/**
 * `npm run net -- BASE`: holds two builds against each other, that in folder BASE and this one, on the whole judgement of every
 * trace of a corpus, and on what their reference NICs do. Exit status 0: nothing differs but what `differences.yaml` names.
 */
import { fork } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isStale } from './build.ts';
import { judgeAgain } from './judge-again.ts';
import { readNames, type Names } from './names.ts';
import { corpora, runPart, type PartResult, type Terms } from './part.ts';
import { keep, recordsFile } from './records.ts';
import { record } from './record.ts';
import { shownGroups, text } from './report.ts';
import { add, emptyTally, type Tally } from './tally.ts';
import { whole } from '../whole.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cases: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    suite: { type: 'string' },
    known: { type: 'string', default: join(root, 'scripts', 'net', 'differences.yaml') },
    'no-nic': { type: 'boolean', default: false },
    bail: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    // one case, as a difference names it, and all that differs in it
    case: { type: 'string' },
    // another build than this checkout's
    after: { type: 'string', default: root },
    only: { type: 'string' },
    // writes the fixture of the test instead
    record: { type: 'string' },
    // judges the traces of the fixture anew instead, by this checkout
    'judge-again': { type: 'string' },
    part: { type: 'string' },
  },
});

/** This script again, for one part of the corpus; gives what it came to. */
async function another(part: string): Promise<PartResult> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [...process.argv.slice(2), '--part', part]);
    let last: PartResult | undefined;
    child.on('message', (result: PartResult) => {
      last = result;
    });
    child.on('exit', (code) => {
      if (last === undefined || code !== 0) reject(new Error(`part ${part} ended with ${code}`));
      else resolve(last);
    });
  });
}

async function all(terms: Terms, names: Names, jobs: number): Promise<Tally> {
  const tally = emptyTally(names);
  const others = Array.from({ length: jobs - 1 }, async (_, i) => another(`${i + 1}/${jobs}`));
  const progress = ({ cases, differ }: Tally): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r${cases * jobs} cases, ${differ * jobs} differ `);
  };
  const results = await Promise.all([runPart(terms, names, { i: 0, n: jobs }, progress), ...others]);
  if (process.stderr.isTTY) process.stderr.write('\n');
  for (const result of results) {
    add(tally, result.tally);
    keep(terms.records, result.added);
  }
  return tally;
}

async function main(): Promise<void> {
  const again = values['judge-again'];
  if (again !== undefined) {
    const { cases, changed } = judgeAgain(again);
    const lines = [...changed].toSorted(([, n], [, m]) => m - n).map(([what, n]) => `  ${n}  ${what}`);
    process.stdout.write([`${cases} cases judged anew; judgements that changed in`, ...lines, ''].join('\n'));
    return;
  }
  const [before] = positionals;
  if (before === undefined || positionals.length > 1)
    throw new Error(
      'usage: npm run net -- BASE [--cases N] [--seed S] [--jobs N] [--suite S] [--known FILE] [--only generated|captures|mutants] [--no-nic] [--after FOLDER] [--all] [--bail] [--case NAME]',
    );
  if (values.record !== undefined) {
    process.stdout.write(`${await record(before, values.record)} cases recorded\n`);
    return;
  }
  const terms: Terms = {
    before,
    after: values.after,
    bail: values.bail,
    nic: !values['no-nic'],
    seed: whole('seed', values.seed),
    cases: whole('cases', values.cases),
    corpora: corpora.filter((one) => values.only === undefined || one === values.only),
    records: recordsFile(before, whole('seed', values.seed)),
    ...(values.case !== undefined && { case: values.case }),
    ...(values.suite !== undefined && { suite: values.suite }),
  };
  if (terms.corpora.length === 0) throw new Error(`--only: one of ${corpora.join(', ')} is wanted`);
  const names = readNames(values.known);
  if (values.part !== undefined) {
    const [i = 0, n = 1] = values.part.split('/').map(Number);
    // without the process that it works for
    process.once('disconnect', () => process.exit());
    const result = await runPart(terms, names, { i, n }, () => undefined);
    // what is not sent yet would be lost with the channel
    await new Promise((resolve) => process.send?.(result, resolve));
    process.disconnect();
    return;
  }
  if (isStale(values.after))
    process.stderr.write(`dist/ of ${values.after} is older than its sources: npm run build there\n`);
  const begun = performance.now();
  const tally = await all(terms, names, terms.case === undefined ? whole('jobs', values.jobs) : 1);
  process.stdout.write(text(tally, names, performance.now() - begun, values.all ? Infinity : shownGroups));
  process.exitCode = tally.differ > 0 ? 1 : 0;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`net: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 64;
}
