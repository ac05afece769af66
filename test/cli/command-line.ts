import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import { runProgram } from '../../cli/program.ts';
import { root } from '../project/files.ts';

// esbuild keeps the folder that it was loaded in, for good, and tsx loads it in a thread of its own, for the first module in TypeScript:
// not in a folder that a test takes away.
await tsImport('../project/files.ts', import.meta.url);

export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** The built command, started as npx starts it. */
export const command = join(root, 'dist', 'cli', 'main.js');

function start(
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string>; extraPipe?: boolean } = {},
): { child: ReturnType<typeof spawn>; finished: Promise<Finished> } {
  const env: NodeJS.ProcessEnv = { ...process.env, ...options.env };
  for (const name of ['FORCE_COLOR', 'NODE_OPTIONS', 'RDMA_CONFORM_DEBUG']) {
    if (options.env?.[name] === undefined) delete env[name];
  }
  const child = spawn(process.execPath, [command, ...args], {
    cwd: options.cwd ?? root,
    env,
    stdio: ['pipe', 'pipe', 'pipe', options.extraPipe === true ? 'pipe' : 'ignore'],
  });
  const finished = new Promise<Finished>((resolve, reject) => {
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      resolve({ code, signal, stdout, stderr });
    });
  });
  return { child, finished };
}

/** Runs the command to its end. */
export async function run(
  args: readonly string[],
  options: Parameters<typeof start>[1] = {},
): Promise<Finished> {
  return start(args, options).finished;
}

const home = process.cwd();
// Folders that calls are under way in: a process is in one at a time.
const inside: string[] = [];

/**
 * Runs the command to its end in this process, where nothing of the process matters: some ten times as fast. Calls at the same time are
 * in the same folder.
 */
export async function runHere(
  args: readonly string[],
  { cwd = root }: { cwd?: string } = {},
): Promise<Finished> {
  if (inside.some((other) => other !== cwd)) throw new Error('calls in two folders at the same time');
  let stdout = '';
  let stderr = '';
  process.chdir(cwd);
  inside.push(cwd);
  try {
    const code = await runProgram(args, {
      directory: cwd,
      streams: {
        out: (text) => void (stdout += text),
        err: (text) => void (stderr += text),
        width: 100,
        colour: false,
        progress: false,
        errWidth: 100,
        env: {},
      },
    });
    return { code, signal: null, stdout, stderr };
  } finally {
    inside.pop();
    if (inside.length === 0) process.chdir(home);
  }
}

// Tells through the fourth stream when the process takes Ctrl-C and the like for itself.
const tellOfHandler = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  process.on('newListener', (name) => name === 'beforeExit' && writeSync(3, '.'));
`)}`;

/** Starts the command, and presses Ctrl-C (or sends `signal`) `ms` milliseconds after it began to listen to that. */
export async function interrupted(
  args: readonly string[],
  ms: number,
  options: { cwd?: string; signal?: NodeJS.Signals } = {},
): Promise<Finished> {
  const env = { NODE_OPTIONS: `--import=${tellOfHandler}` };
  const { child, finished } = start(args, { ...options, env, extraPipe: true });
  child.stdio[3]?.once('data', () => setTimeout(() => child.kill(options.signal ?? 'SIGINT'), ms));
  return finished;
}

/** A folder of its own for a test file; `remove` takes it away. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'rdma-conform-test-'));
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true });
    },
  };
}
