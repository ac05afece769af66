import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { textsOf } from './texts.ts';

/** A word that is not to come back, and what to write instead. */
export interface Word {
  readonly pattern: RegExp;
  readonly better: string;
}

/** `scripts/words/words.yaml`. */
export function loadWords(): Word[] {
  const text = readFileSync(fileURLToPath(new URL('words.yaml', import.meta.url)), 'utf8');
  const entries = parse(text) as { word: string; better: string }[];
  return entries.map(({ word, better }) => ({
    // neither a part of a name, such as rc-sound or sound.yaml, nor a value that is written `sound:`
    pattern: new RegExp(String.raw`(?<![\w./:=-])(?:${word})(?![\w=:-]|\.\w)`, 'i'),
    better,
  }));
}

/** Each line of a file that has one of the words, with advice. */
export function wordsIn(path: string, source: string, words: readonly Word[]): string[] {
  return textsOf(path, source).flatMap(({ line, text }) =>
    words.flatMap(({ pattern, better }) => {
      const [found] = pattern.exec(text) ?? [];
      return found === undefined ? [] : [`${path}:${line}: "${found}"; better: ${better}`];
    }),
  );
}
