import { fstatSync, writeSync } from 'node:fs';
import { usageError } from './exit-codes.ts';
import { cannotWrite } from './files/file-trouble.ts';

/** Where a command reads and writes; tests hand in their own. */
export interface Streams {
  /** the report */
  out: (text: string) => void;
  /** the log: one or more whole lines */
  err: (text: string) => void;
  /** columns of stdout */
  width: number;
  colour: boolean;
  /** stderr is a terminal: progress may be drawn there */
  progress: boolean;
  errWidth: number;
  env: Readonly<Record<string, string | undefined>>;
}

const defaultWidth = 100;
const narrowest = 48;
const widest = 160;

/** Whether nobody reads any more: a pipe that is closed, or a terminal that has gone. */
function isUnread(thrown: unknown): boolean {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined;
  return code === 'EPIPE' || code === 'EIO';
}

/** Writes everything, also to a pipe that is full for the moment. Returns false if nobody reads any more. */
function writeAll(descriptor: number, text: string): boolean {
  const bytes = Buffer.from(text, 'utf8');
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (thrown) {
      if (isUnread(thrown)) return false;
      const again =
        typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'EAGAIN';
      if (!again)
        throw usageError(cannotWrite(descriptor === 1 ? 'standard output' : 'standard error', thrown));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
  return true;
}

function wantsColour(tty: boolean, env: Streams['env']): boolean {
  const no = env['NO_COLOR'];
  if (no !== undefined && no !== '') return false;
  const force = env['FORCE_COLOR'];
  if (force !== undefined && force !== '' && force !== '0') return true;
  return tty && env['TERM'] !== 'dumb';
}

function isPipe(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFIFO();
  } catch {
    return false;
  }
}

/**
 * Columns of a report. `out`: of the terminal that it is written to; `asked`: the variable COLUMNS; `err`: of the terminal in front of which
 * it is written to a pipe, as of `| less`.
 */
export function reportWidth({
  out,
  asked,
  err,
}: {
  out: number | undefined;
  asked: string | undefined;
  err: number | undefined;
}): number {
  const named = Number(asked);
  const columns = out ?? (Number.isInteger(named) && named > 0 ? named : (err ?? 0));
  return Math.max(narrowest, Math.min(widest, columns > 0 ? columns : defaultWidth));
}

/**
 * The process's own streams. Writes are synchronous, so that a report is complete when the process exits; a reader
 * that went away (`| head`) is no error: what remains is dropped.
 */
export function processStreams(): Streams {
  const env = process.env;
  const open = { out: true, err: true };
  return {
    out: (text) => {
      open.out &&= writeAll(1, text);
    },
    err: (text) => {
      open.err &&= writeAll(2, text);
    },
    width: reportWidth({
      out: process.stdout.isTTY ? process.stdout.columns : undefined,
      asked: env['COLUMNS'],
      err: process.stderr.isTTY && isPipe(1) ? process.stderr.columns : undefined,
    }),
    colour: wantsColour(process.stdout.isTTY, env),
    progress: process.stderr.isTTY && env['TERM'] !== 'dumb',
    errWidth: process.stderr.isTTY ? process.stderr.columns : defaultWidth,
    env,
  };
}
