import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import type { Stream } from 'node:stream';
import type { Channel } from '../agent/client.ts';
import { killMarked } from './stray.ts';

/**
 * Milliseconds that a process has to end by itself once its stdin has ended, and once it has been asked to; and that the system has to end
 * one that was killed.
 */
const graceMs = { closed: 2000, asked: 1000, killed: 2000 };
/** In the environment of a device and of all that it starts. */
const markName = 'RDMA_CONFORM_DEVICE';
const tailLength = 2000;

/** How a process ended: its exit code, or the signal that ended it. */
export type Ending = { code: number } | { signal: string };

/** A program on the other end of two pipes. */
export interface PipedProcess {
  readonly channel: Channel;
  readonly pid: number | undefined;
  /** what it last said on stderr */
  tail(): string;
  /** characters that it has said there in all */
  said(): number;
  /** is called whenever it has said something there */
  onSaid: () => void;
  /** Settles when it has gone; never rejects. */
  readonly ended: Promise<Ending>;
  /** Ends it: closes its stdin, asks it to end, kills it. Settles when it has gone, or cannot be killed. */
  end(how: 'politely' | 'now'): Promise<void>;
}

/** Neither the process nor its pipes keep this process from ending. */
function unreference(stream: Stream): void {
  if (stream instanceof Socket) stream.unref();
}

/**
 * Starts a command line of the shell, as the leader of a process group of its own, so that Ctrl-C is for this process to deal with. What it
 * starts ends with it: its process group, and on Linux what went to sessions of its own as well. Does not throw where the command does
 * not exist: it then ends with 127.
 */
export function startPiped(command: string, directory?: string): PipedProcess {
  const mark = randomUUID();
  const child = spawn(command, {
    shell: true,
    env: { ...process.env, [markName]: mark },
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(directory !== undefined && { cwd: directory }),
  });
  const { stdin, stdout, stderr } = child;
  let tail = '';
  let said = 0;
  stderr.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text.slice(-tailLength)).slice(-tailLength);
    said += text.length;
    piped.onSaid();
  });
  child.unref();
  for (const stream of [stdin, stdout, stderr]) unreference(stream);

  const signal = (name: NodeJS.Signals): void => {
    const { pid } = child;
    if (pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, name);
    } catch {
      // has gone already
    }
  };
  const killAll = (): void => {
    signal('SIGKILL');
    killMarked(`${markName}=${mark}`);
  };
  process.on('exit', killAll);

  const ended = new Promise<Ending>((resolve) => {
    child.on('exit', (code, name) => {
      // what it started must not outlive it
      killAll();
      process.off('exit', killAll);
      resolve(code === null ? { signal: name ?? 'unknown' } : { code });
    });
    child.on('error', () => {
      process.off('exit', killAll);
      resolve({ code: 127 });
    });
  });
  // ended in time, or not; the timer keeps this process alive until it is known
  const within = (ms: number): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      void ended.then(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  let ending: Promise<void> | undefined;
  const finish = async (how: 'politely' | 'now'): Promise<void> => {
    stdin.destroy();
    if (how === 'politely' && (await within(graceMs.closed))) return;
    signal('SIGTERM');
    if (await within(how === 'politely' ? graceMs.asked : graceMs.asked / 5)) return;
    killAll();
    await within(graceMs.killed);
  };
  const piped: PipedProcess = {
    channel: { input: stdout, output: stdin },
    pid: child.pid,
    tail: () => tail.trim(),
    said: () => said,
    onSaid: () => undefined,
    ended,
    end: (how) => (ending ??= finish(how).finally(() => stdout.destroy())),
  };
  return piped;
}
