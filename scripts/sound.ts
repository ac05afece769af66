// `npm run sound`: tries the sound variants of the reference NIC (spec/sound.yaml), which must break no rule; with `--drawn N` N devices in
// their place that make many other choices at once, drawn from `--seed` on.
import { availableParallelism } from 'node:os';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isSoundId, referenceAdapter, soundIds, type ReferenceOptions } from '../adapters/reference/index.ts';
import { runConformance } from '../suites/index.ts';
import { loadSound } from '../suites/mutants/sound.ts';
import { drawnChoices } from './drawn-choices.ts';
import { whole } from './whole.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cases: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    suite: { type: 'string' },
    drawn: { type: 'string', default: '0' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    child: { type: 'boolean', default: false },
  },
});

/** Of a device that makes many other choices: by this word and the seed of the choices. */
const drawnPrefix = 'drawn-';

function optionsOf(id: string): ReferenceOptions {
  if (isSoundId(id)) return { sound: id };
  return { responder: drawnChoices(whole('seed of choices', id.slice(drawnPrefix.length), 1)) };
}

const variants = loadSound();

/** Tries one device; a line for each rule that it breaks and does not declare to, and for each error. */
async function tried(id: string): Promise<readonly string[]> {
  const { deviates = [] } = variants.find((variant) => variant.id === id) ?? {};
  const result = await runConformance({
    adapter: referenceAdapter(optionsOf(id)),
    seed: whole('seed', values.seed, 1),
    runs: whole('cases', values.cases, 1),
    ...(values.suite !== undefined && { suite: values.suite }),
  });
  return [
    ...result.rules
      .filter((rule) => rule.violations > 0 && !deviates.includes(rule.id))
      .map(({ id, level, violations }) => `${id} (${level}) broken ${violations} times`),
    ...result.failures
      .filter(({ rule }) => !deviates.includes(rule))
      .map(({ rule, token }) => `  ${rule}: rdma-conform replay ${token}`),
    ...result.errors.map((error) => `error: ${JSON.stringify(error)}`),
  ];
}

/** The same in a process of its own. */
async function apart(id: string): Promise<boolean> {
  const child = fork(fileURLToPath(import.meta.url), [...process.argv.slice(2), '--child', id]);
  return new Promise((resolve) => {
    child.once('exit', (code) => {
      resolve(code === 0);
    });
  });
}

async function main(): Promise<void> {
  const strange = positionals.find((id) => !isSoundId(id) && !id.startsWith(drawnPrefix));
  if (strange !== undefined) throw new Error(`there is no sound variant "${strange}"`);
  const first = whole('seed', values.seed, 1);
  const drawn = Array.from(
    { length: whole('drawn', values.drawn, 0) },
    (_, n) => `${drawnPrefix}${first + n}`,
  );
  const all = positionals.length > 0 ? positionals : [...(drawn.length > 0 ? drawn : soundIds)];
  const asked = values.child ? positionals.slice(-1) : all;
  if (!values.child) {
    const left = [...asked];
    const worker = async (): Promise<void> => {
      for (let id = left.shift(); id !== undefined; id = left.shift())
        if (!(await apart(id))) process.exitCode = 1;
    };
    await Promise.all(Array.from({ length: whole('jobs', values.jobs, 1) }, worker));
    return;
  }
  for (const id of asked) {
    const lines = await tried(id);
    process.stdout.write(
      [`${lines.length === 0 ? 'ok ' : 'NOT'} ${id}`, ...lines, ''].join('\n    ').trimEnd() + '\n',
    );
    if (lines.length > 0) process.exitCode = 1;
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`sound: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 64;
}
