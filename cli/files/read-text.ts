import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { usageError } from '../exit-codes.ts';
import { cannotRead } from './file-trouble.ts';

/**
 * What a text file holds, without the byte order mark that editors on Windows put in front. Throws what `fs` throws, and an Error for
 * UTF-16, which a redirection in PowerShell writes.
 */
export function fileText(path: string): string {
  const bytes = readFileSync(path);
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new Error('it is UTF-16; save it as UTF-8');
  return withoutMark(bytes.toString('utf8'));
}

/** Text without a byte order mark at its start. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** The text of a file that the command line names; a usage error with its name where it cannot be read. */
export function readText(file: string, directory: string): string {
  try {
    return fileText(resolve(directory, file));
  } catch (thrown) {
    throw usageError(cannotRead(file, thrown));
  }
}
