import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Adapter } from '../../adapters/adapter.ts';
import { loadRules } from '../../oracle/index.ts';
import { drawLadder } from '../../report/ladder/ladder.ts';
import { styleFor } from '../../report/style.ts';
import { decodeToken, readCase, replayCase, shrinkCase, type ReplayCase } from '../../suites/index.ts';
import { CaseStore } from '../../suites/case/index.ts';
import { count } from '../../report/text.ts';
import type { Arguments } from '../flags/parse.ts';
import { looksLikePath, resolveAdapter } from '../adapter/registry.ts';
import type { CommandContext, RunCommand } from './command.ts';
import { CliError, exitCode, messageOf, usageError, type ExitCode } from '../exit-codes.ts';
import { catchInterrupt } from '../interrupt.ts';
import { runExit } from '../outcome.ts';
import { createProgress } from '../progress.ts';
import { replayResults } from '../replay-results.ts';
import { reportExtras } from '../report-context.ts';
import { renderRun, mustTakeReports, reportTargets, writeReports } from '../report-output.ts';

function isToken(operand: string, directory: string): boolean {
  return /^rdc\d/.test(operand) && !existsSync(resolve(directory, operand));
}

function readOperand(operand: string, directory: string): ReplayCase {
  const path = resolve(directory, operand);
  const token = isToken(operand, directory);
  if (!token && !existsSync(path)) {
    throw usageError(`"${operand}" is neither a replay token nor a file`);
  }
  if (!token && !statSync(path).isFile()) throw usageError(`${operand}: it is no file`);
  try {
    return token ? decodeToken(operand) : readCase(path);
  } catch (thrown) {
    const message = messageOf(thrown).replace(`${path}: `, '');
    throw usageError(token ? message : `${operand}: ${message}`);
  }
}

/** The device of the case, unless another one is asked for. */
async function adapterFor(found: ReplayCase, asked: string | undefined, directory: string): Promise<Adapter> {
  if (asked !== undefined) return resolveAdapter(asked, directory);
  try {
    return await resolveAdapter(found.adapter, directory);
  } catch (thrown) {
    if (!(thrown instanceof CliError) || thrown.code !== exitCode.usage) throw thrown;
    throw usageError(`the case was found on adapter "${found.adapter}"; say with --adapter where that is`);
  }
}

const usualShrinkTime = 60;
const caseDirectory = '.rdma-conform/cases';

/** The case made smaller, and kept in a file; as it was where it does not show its finding any more. */
async function smaller(
  found: ReplayCase,
  adapter: Adapter,
  args: Arguments,
  { streams, directory }: CommandContext,
  options: { log: (line: string) => void; signal: AbortSignal },
): Promise<ReplayCase> {
  const seconds = args.seconds('shrinkTime') ?? usualShrinkTime;
  const shrunk = await shrinkCase(adapter, found, { seconds, ...options });
  if (shrunk === undefined) return found;
  const size = ({ scenario: { steps, faults } }: ReplayCase): string =>
    [count(steps.length, 'step'), ...(faults.length > 0 ? [count(faults.length, 'fault')] : [])].join(
      ' and ',
    );
  const [before, now] = [size(found), size(shrunk.found)];
  const { expected, observed } = shrunk;
  new CaseStore(resolve(directory, caseDirectory), options.log).sighted(shrunk.found, { expected, observed });
  streams.err(
    `the case has ${now}${now === before ? '' : ` (before: ${before})`}, and is kept in ${caseDirectory}; ` +
      `${shrunk.whole ? 'nothing simpler shows it' : 'not fully shrunk: --shrink-time gives it longer'}\n`,
  );
  return shrunk.found;
}

/** What `git bisect run` makes of it: it takes each code from 1 to 127 but 125 for "bad", also those of a broken build. */
function bisectCode(code: ExitCode, reproduced: boolean): ExitCode {
  if (code === exitCode.interrupted) return code;
  if (reproduced) return exitCode.fail;
  return code === exitCode.ok || code === exitCode.fail ? exitCode.ok : exitCode.skip;
}

/** A module of the tree that is bisected: some commits may not have it yet. */
const isMissingModule = (adapter: string | undefined, directory: string): boolean =>
  adapter !== undefined && looksLikePath(adapter) && !existsSync(resolve(directory, adapter));

/** `replay TOKEN|FILE`: one case, once. */
export const replayCommand: RunCommand = async (args, context: CommandContext) => {
  if (!args.has('bisect')) return (await replay(args, context)).code;
  try {
    const { code, reproduced } = await replay(args, context);
    return bisectCode(code, reproduced);
  } catch (thrown) {
    const message = messageOf(thrown);
    const wrongUsage = thrown instanceof CliError && thrown.code === exitCode.usage;
    // wrong usage is the same for each commit, all of which would be skipped
    if (wrongUsage && !isMissingModule(args.text('adapter'), context.directory))
      throw new CliError(exitCode.stop, message, { cause: thrown });
    context.streams.err(`${message}\n`);
    return exitCode.skip;
  }
};

async function replay(
  args: Arguments,
  context: CommandContext,
): Promise<{ code: ExitCode; reproduced: boolean }> {
  const [operand = ''] = args.operands;
  const { streams, directory } = context;
  const targets = reportTargets(args.texts('reporter'));
  const given = readOperand(operand, directory);
  const rules = loadRules();
  const asked = args.text('adapter');
  mustTakeReports(targets, directory, 'run');
  const adapter = await adapterFor(given, asked, directory);
  const progress = createProgress({
    write: streams.err,
    terminal: streams.progress,
    width: streams.errWidth,
  });
  const interrupt = catchInterrupt(() => {
    progress.log('interrupted');
  });
  try {
    const { log } = progress;
    const open = { log, signal: interrupt.signal };
    const found = args.has('shrink') ? await smaller(given, adapter, args, context, open) : given;
    const start = performance.now();
    const replayed = await replayCase(adapter, found, {
      rules,
      log: progress.log,
      signal: interrupt.signal,
    });
    progress.end();
    const durationMs = performance.now() - start;
    const file = isToken(operand, directory) ? undefined : operand;
    const device = { name: adapter.name, profile: replayed.profile };
    const result = replayResults({ replayed, rules, adapter: device, durationMs, file });
    const extras = {
      ...(await reportExtras(targets, directory, {
        adapter: asked,
        run: result,
        isPart: true,
        verbose: args.has('verbose'),
      })),
      replayed: true,
    };
    writeReports(targets, renderRun(result, extras), context);
    if (!replayed.reproduced) {
      const pretty = targets.some(({ reporter, file }) => reporter.name === 'pretty' && file === undefined);
      const drawn = drawLadder(replayed.ladder, streams.width, styleFor(streams.colour)).join('\n');
      if (pretty) streams.out(`\n${drawn}\n`);
      const what = found.rule === undefined ? 'there was no error' : `${found.rule} was not broken`;
      streams.err(`${what} this time\n`);
    }
    const code = runExit(result, { strict: args.has('strict'), requireCoverage: false });
    return { code: interrupt.signal.aborted ? exitCode.interrupted : code, reproduced: replayed.reproduced };
  } finally {
    progress.end();
    interrupt.release();
  }
}
