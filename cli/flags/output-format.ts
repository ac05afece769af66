import { usageError } from '../exit-codes.ts';
import { unknownWord } from './nearest.ts';
import type { Arguments } from './parse.ts';

export type OutputFormat = 'pretty' | 'json';

const formats: readonly OutputFormat[] = ['pretty', 'json'];

/** Value of `--format`; default pretty. */
export function selectedFormat(args: Arguments): OutputFormat {
  const value = args.text('format') ?? 'pretty';
  const format = formats.find((candidate) => candidate === value);
  if (format === undefined) throw usageError(unknownWord('format', value, formats));
  return format;
}
