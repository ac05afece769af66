import { printable } from '../report/printable.ts';

/** Exit codes; scripts rely on them. */
export const exitCode = {
  ok: 0,
  fail: 1,
  inconclusive: 2,
  usage: 64,
  unavailable: 69,
  error: 70,
  config: 78,
  skip: 125,
  stop: 128,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** What each code means, for help and README. */
export const exitMeanings: readonly { code: ExitCode; means: string }[] = [
  { code: 0, means: 'no violation' },
  {
    code: 1,
    means:
      'a MUST was broken (with --strict: or a SHOULD), a mutant survived, two devices differ (diff), or coverage --check found something not done',
  },
  {
    code: 2,
    means:
      'inconclusive: seen once and not again, nothing to judge, a case ended by IBV_EVENT_DEVICE_FATAL, a rule of --rule never exercised (with --require-coverage: or any MUST or SHOULD)',
  },
  { code: 64, means: 'wrong usage, or a file named on the command line cannot be read' },
  { code: 69, means: 'the adapter is not available on this machine' },
  { code: 70, means: 'internal error, of the adapter or of rdma-conform' },
  {
    code: 78,
    means: 'a mistake in the rules, the mutants, the coverage excuses, or the file of known divergences',
  },
  {
    code: 125,
    means: 'with replay --bisect: nothing can be said of the case, so that git bisect skips the step',
  },
  {
    code: 128,
    means: 'with replay --bisect: wrong usage, such as a case file that is not there; git bisect run stops',
  },
  { code: 130, means: 'interrupted; what was found so far is reported' },
];

/** Ends a command with one line on stderr and this code. The message is for people and has no trailing period. */
export class CliError extends Error {
  readonly code: ExitCode;
  constructor(code: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CliError';
    this.code = code;
  }
}

export function usageError(message: string): CliError {
  return new CliError(exitCode.usage, message);
}

/** Message of whatever was thrown, on one line, without what a terminal would obey. */
export function messageOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
  return printable(message.replaceAll(/\s*\n\s*/g, ' ').trim());
}
