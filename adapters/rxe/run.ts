import { spawn } from 'node:child_process';

export interface RunResult {
  code: number;
  stdout: Buffer;
  stderr: string;
}

/** Runs a program to its end, within `limitMs` (default 10 minutes). A program that does not exist has code 127. */
export function run(
  argv: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; input?: Uint8Array; limitMs?: number } = {},
): Promise<RunResult> {
  const [program = '', ...rest] = argv;
  return new Promise((resolve) => {
    const child = spawn(program, rest, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, LC_ALL: 'C', ...options.env },
      ...(options.cwd !== undefined && { cwd: options.cwd }),
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const timer = setTimeout(() => child.kill('SIGKILL'), options.limitMs ?? 600_000);
    const end = (code: number, extra = ''): void => {
      clearTimeout(timer);
      resolve({ code, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString() + extra });
    };
    child.stdout.on('data', (d: Buffer) => out.push(d));
    child.stderr.on('data', (d: Buffer) => err.push(d));
    child.stdin.on('error', () => undefined); // a program may stop reading before its input ends
    child.on('error', (error) => end(127, error.message));
    child.on('close', (code) => end(code ?? 137));
    child.stdin.end(options.input);
  });
}
