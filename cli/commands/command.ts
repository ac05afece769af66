import type { Arguments } from '../flags/parse.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { FlagKey } from '../flags/flags.ts';
import type { Streams } from '../streams.ts';

/** What a command runs in. */
export interface CommandContext {
  streams: Streams;
  /** working directory: relative paths are taken from here */
  directory: string;
  /** what was typed, as a line for a shell */
  commandLine?: string;
}

export type RunCommand = (args: Arguments, context: CommandContext) => Promise<ExitCode>;

/** One command of the command line; help is written from these. */
export interface Command {
  name: string;
  /** operands as shown in help, e.g. "FILE" */
  operands: string;
  minOperands: number;
  maxOperands: number;
  says: string;
  flags: readonly FlagKey[];
  /** Imported when asked for, so that start-up is fast. */
  load(): Promise<RunCommand>;
}
