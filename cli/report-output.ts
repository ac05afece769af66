import { lstatSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CheckResult } from '../report/check-results.ts';
import { printableAll } from '../report/printable.ts';
import type { ReportContext, Reporter, ReportFile } from '../report/reporter.ts';
import { reporters } from '../report/reporters.ts';
import type { RunResult } from '../report/results.ts';
import type { CommandContext } from './commands/command.ts';
import { usageError } from './exit-codes.ts';
import { cannotWrite } from './files/file-trouble.ts';
import { makeFolder } from './files/make-folder.ts';
import { mustTake } from './files/must-take.ts';
import { unknownWord } from './flags/nearest.ts';
import type { ReportExtras } from './report-context.ts';
import { packageVersion } from './version.ts';

/** A reporter and where it writes; without a file, to stdout. */
export interface ReportTarget {
  reporter: Reporter;
  file?: string;
}

const fileWidth = 100;

/** A document, or the files of a folder. */
type Rendered = string | readonly ReportFile[];

function writeFolder(folder: string, files: readonly ReportFile[]): void {
  makeFolder(folder);
  for (const { name, text } of files) writeFileSync(join(folder, name), text);
}

/** What stops the writing of a file that has begun: no space, no quota, a fault of the disk, too long a file. */
const breaksOff = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EFBIG']);

/** Half a report is none: who finds the file would take it for a whole one. */
function removeHalf(file: string, thrown: unknown): void {
  const code: unknown = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  if (typeof code !== 'string' || !breaksOff.has(code)) return;
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === true) rmSync(file);
}

/** Takes `--reporter NAME[=FILE]` apart, before anything runs. Default: pretty, to stdout. */
export function reportTargets(values: readonly string[]): ReportTarget[] {
  const targets = (values.length === 0 ? ['pretty'] : values).map((value): ReportTarget => {
    const [name = '', ...rest] = value.split('=');
    const reporter = reporters.find((candidate) => candidate.name === name);
    if (reporter === undefined) {
      throw usageError(
        unknownWord(
          'reporter',
          name,
          reporters.map((candidate) => candidate.name),
        ),
      );
    }
    const file = rest.join('=');
    if (rest.length > 0 && file === '') throw usageError(`--reporter ${value}: the file's name is missing`);
    return file === '' ? { reporter } : { reporter, file };
  });
  if (targets.filter((target) => target.file === undefined).length > 1) {
    throw usageError(
      'only one reporter can write to stdout; give the others a file (--reporter json=out.json)',
    );
  }
  const files = targets.flatMap(({ file }) => (file === undefined ? [] : [resolve(file)]));
  const twice = files.find((file, at) => files.indexOf(file) !== at);
  if (twice !== undefined) throw usageError(`two reporters cannot write to the same file, ${twice}`);
  return targets;
}

/** Asks whether the reports can be written, before there is anything to write. `whole`: of a run, some of whose reports are folders */
export function mustTakeReports(
  targets: readonly ReportTarget[],
  directory: string,
  whole: 'run' | 'check',
): void {
  const files = targets.flatMap(({ reporter, file }) =>
    file === undefined ? [] : [{ file, folder: whole === 'run' && reporter.files !== undefined }],
  );
  mustTake(files, directory);
}

/** Writes every report. A file that cannot be written is a usage error, raised after all others were written. */
export function writeReports(
  targets: readonly ReportTarget[],
  render: (reporter: Reporter, context: ReportContext) => Rendered,
  { streams, directory }: CommandContext,
): void {
  const version = packageVersion();
  const troubles: string[] = [];
  for (const { reporter, file } of targets) {
    if (file === undefined) {
      const made = render(reporter, { version, width: streams.width, colour: streams.colour });
      streams.out(typeof made === 'string' ? made : made.map(({ text }) => text).join('\n'));
      continue;
    }
    try {
      const made = render(reporter, { version, width: fileWidth, colour: false });
      if (typeof made === 'string') writeFileSync(resolve(directory, file), made);
      else writeFolder(resolve(directory, file), made);
    } catch (thrown) {
      removeHalf(resolve(directory, file), thrown);
      troubles.push(cannotWrite(file, thrown));
    }
  }
  if (troubles.length > 0) throw usageError(troubles.join('; '));
}

export function renderRun(
  result: RunResult,
  extras: ReportExtras,
): (reporter: Reporter, context: ReportContext) => Rendered {
  const shown = printableAll(result);
  return (reporter, context) => {
    const whole = { ...context, ...extras };
    return reporter.files?.(shown, whole) ?? reporter.run(shown, whole);
  };
}

export function renderCheck(
  result: CheckResult,
  extras: ReportExtras,
): (reporter: Reporter, context: ReportContext) => string {
  const shown = printableAll(result);
  return (reporter, context) => reporter.check(shown, { ...context, ...extras });
}
