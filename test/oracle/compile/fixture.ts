import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lintRules } from '../../../oracle/compile/load.ts';
import type { Diagnostic } from '../../../oracle/compile/load.ts';

/** A small, sound rule set laid out as `spec/`. */
export const small = fileURLToPath(new URL('../../fixtures/rules/small', import.meta.url));

/** Text of one of its files, with every edit made; an edit that finds nothing is a mistake of the test. */
export function edited(name: string, ...edits: (readonly [from: string, to: string])[]): string {
  return edits.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${name} has no ${JSON.stringify(from)}`);
      return text.replace(from, () => to);
    },
    readFileSync(join(small, name), 'utf8'),
  );
}

/** Section at the end of `machine.yaml` for what its YAML gives no meaning, and does not read or change. */
export function builtIn(words: Readonly<Record<string, string>>): string {
  const lists = Object.entries(words).map(([list, names]) => `    ${list}: [${names}]\n`);
  return `built-in:\n  toy/rest:\n    about: it is a list\n${lists.join('')}`;
}

/** Diagnostics of the small rule set with one file edited. */
export function lintEdited(name: string, ...edits: (readonly [from: string, to: string])[]): Diagnostic[] {
  return lintRules({ directory: small, files: { [name]: edited(name, ...edits) } }).diagnostics;
}

/** `rules/x.yaml:12:5 code` of each. */
export function places(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`);
}
