import { shellQuote } from '../report/text.ts';
import type { Command, CommandContext } from './commands/command.ts';
import { fillFromConfig } from './config/apply.ts';
import { adapterFailure } from './adapter/registry.ts';
import { commands } from './commands/index.ts';
import { CliError, exitCode, messageOf, usageError, type ExitCode } from './exit-codes.ts';
import { commandHelp, generalHelp } from './help.ts';
import { unknownWord } from './flags/nearest.ts';
import { packageVersion } from './version.ts';

function findCommand(argv: readonly string[]): { command: Command; rest: readonly string[]; named: boolean } {
  const [first, ...rest] = argv;
  const fallback = commands[0];
  if (fallback === undefined) throw new Error('no commands');
  if (first === undefined || first.startsWith('-')) return { command: fallback, rest: argv, named: false };
  const command = commands.find((candidate) => candidate.name === first);
  if (command === undefined) {
    const names = commands.map((candidate) => candidate.name);
    throw usageError(unknownWord('command', first, names));
  }
  return { command, rest, named: true };
}

function checkOperands(command: Command, operands: readonly string[]): void {
  if (operands.length < command.minOperands) {
    const usage = `rdma-conform ${command.name} ${command.operands} [flags]`;
    throw usageError(`${command.name} needs ${command.operands}; usage: ${usage}`);
  }
  const extra = operands[command.maxOperands];
  if (extra === undefined) {
    if (operands.some((operand) => operand.trim() === ''))
      throw usageError(`${command.name} needs ${command.operands}; what was given is empty`);
    return;
  }
  const hint = commands.some((c) => c.name === extra) ? '; a command stands before its flags' : '';
  throw usageError(`${command.name} does not take "${extra}"${hint}`);
}

/** `help`, `help COMMAND` and `-v` by itself, as other programs have them; undefined for anything else. */
function answerOf(argv: readonly string[], { streams }: CommandContext): string | undefined {
  const [first, name, ...more] = argv;
  if (first === '-v' && name === undefined) return `rdma-conform ${packageVersion()}\n`;
  if (first !== 'help' || more.length > 0) return undefined;
  return name === undefined || name.startsWith('-')
    ? generalHelp(packageVersion(), streams.width)
    : commandHelp(findCommand([name]).command, streams.width);
}

async function execute(argv: readonly string[], context: CommandContext): Promise<ExitCode> {
  const answer = answerOf(argv, context);
  if (answer !== undefined) {
    context.streams.out(answer);
    return exitCode.ok;
  }
  const { command, rest, named } = findCommand(argv);
  const { args, from } = await fillFromConfig(command, rest, context.directory);
  const { streams } = context;
  if (args.has('help')) {
    streams.out(named ? commandHelp(command, streams.width) : generalHelp(packageVersion(), streams.width));
    return exitCode.ok;
  }
  if (args.has('version')) {
    streams.out(`rdma-conform ${packageVersion()}\n`);
    return exitCode.ok;
  }
  checkOperands(command, args.operands);
  const run = await command.load();
  const commandLine = ['npx rdma-conform', ...argv.map(shellQuote)].join(' ');
  const whole = { ...context, commandLine };
  if (from === undefined) return run(args, whole);
  try {
    return await run(args, whole);
  } catch (thrown) {
    if (!(thrown instanceof CliError) || thrown.code !== exitCode.usage) throw thrown;
    throw usageError(`${thrown.message} (${from})`);
  }
}

/** Commands that show every mistake in files of the package, by the name of the error that lists them. */
const showsAll: ReadonlyMap<string, string> = new Map([
  ['RuleError', 'rules lint'],
  ['MutantError', 'coverage'],
]);

/** Files with a mistake: one line. Of rules and mutants that do not compile, where to see the rest. */
function fileFailure(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown;
  if (thrown.name === 'CaseError') {
    return new CliError(exitCode.config, messageOf(thrown), { cause: thrown });
  }
  const command = showsAll.get(thrown.name);
  if (command === undefined) return thrown;
  const [heading = '', first = ''] = thrown.message.split('\n');
  const message = `${heading}, such as ${first}; "rdma-conform ${command}" shows all`;
  return new CliError(exitCode.config, message, { cause: thrown });
}

/** Where git bisect asks, flags that cannot be read are no verdict on a commit: it takes 64 for one. */
function codeOf(failure: unknown, argv: readonly string[]): ExitCode {
  if (!(failure instanceof CliError)) return exitCode.error;
  const forBisect = argv[0] === 'replay' && argv.includes('--bisect');
  return forBisect && failure.code === exitCode.usage ? exitCode.stop : failure.code;
}

/** Flags of every command. */
const colourless: ReadonlySet<string> = new Set(['--no-color', '--no-colour']);

/** Runs a command line and gives its exit code; whatever is thrown becomes one line on stderr. */
export async function runProgram(
  given: readonly string[],
  { streams, directory }: CommandContext,
): Promise<ExitCode> {
  const argv = given.filter((word) => !colourless.has(word));
  const colour = streams.colour && argv.length === given.length;
  const context = { directory, streams: { ...streams, colour } };
  try {
    return await execute(argv, context);
  } catch (thrown) {
    const failure = fileFailure(adapterFailure(thrown));
    context.streams.err(`rdma-conform: ${messageOf(failure)}\n`);
    if (context.streams.env['RDMA_CONFORM_DEBUG'] === '1') {
      const origin = failure instanceof Error && failure.cause instanceof Error ? failure.cause : failure;
      context.streams.err(`${origin instanceof Error ? (origin.stack ?? origin.message) : String(origin)}\n`);
    }
    return codeOf(failure, argv);
  }
}
