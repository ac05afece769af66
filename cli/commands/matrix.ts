import { basename } from 'node:path';
import { printableAll } from '../../report/printable.ts';
import { matrixHtml } from '../../report/matrix/html.ts';
import { matrixOf, type Matrix } from '../../report/matrix/matrix.ts';
import { matrixMarkdown, matrixText } from '../../report/matrix/text.ts';
import { styleFor } from '../../report/style.ts';
import { exitCode, usageError } from '../exit-codes.ts';
import { unknownWord } from '../flags/nearest.ts';
import { readResults } from '../files/read-checked.ts';
import { packageVersion } from '../version.ts';
import type { CommandContext, RunCommand } from './command.ts';

type Form = (matrix: Matrix, streams: CommandContext['streams']) => string;

const forms: Readonly<Record<string, Form>> = {
  pretty: (matrix, { width, colour }) => matrixText(matrix, width, styleFor(colour)),
  markdown: (matrix) => matrixMarkdown(matrix),
  html: (matrix) => matrixHtml(matrix, packageVersion()),
  json: (matrix) => `${JSON.stringify(matrix, undefined, 2)}\n`,
};

/** `matrix FILES`: any number of runs beside each other, by their json reports; columns are named after the files. */
// oxlint-disable-next-line require-await -- commands are asynchronous, this one has nothing to wait for
export const matrixCommand: RunCommand = async (args, { streams, directory }) => {
  const asked = args.text('matrixFormat') ?? 'pretty';
  const form = forms[asked];
  if (form === undefined) throw usageError(unknownWord('format', asked, Object.keys(forms)));
  const runs = args.operands.map((file) => printableAll(readResults(file, directory, 'matrix')));
  const names = args.operands.map((file) => basename(file, '.json'));
  streams.out(form(matrixOf(runs, names), streams));
  return exitCode.ok;
};
