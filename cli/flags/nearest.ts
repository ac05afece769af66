import { editDistance } from '../../oracle/compile/suggest.ts';

/** How far a word is from a candidate; below 1 where it is a part of it. */
function distance(word: string, candidate: string): number {
  const [a, b] = [word.toLowerCase(), candidate.toLowerCase()];
  return word.length >= 3 && b.includes(a) ? 0.5 : editDistance(a, b);
}

/** Edits beyond which a word is no slip of another. */
function allowed(word: string): number {
  return Math.max(2, Math.ceil(word.length / 3));
}

/** The candidate that `word` is likely a slip of, if any: one that it is a part of, or at most a third of it edited. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  return nearestFew(word, candidates, 1)[0];
}

/** The likeliest such candidates, the nearest first. */
export function nearestFew(word: string, candidates: Iterable<string>, most = 5): string[] {
  return (
    [...candidates]
      .map((candidate) => ({ candidate, far: distance(word, candidate) }))
      // of a word that shares nothing with it, none is a slip
      .filter(({ far }) => far <= allowed(word) && far < word.length)
      .toSorted((a, b) => a.far - b.far)
      .slice(0, most)
      .map(({ candidate }) => candidate)
  );
}

/** Where a list of things is that is too long for a message. */
const listed: ReadonlyMap<string, string> = new Map([
  ['command', '"rdma-conform --help" lists them'],
  ['rule', '"rdma-conform rules" lists them'],
  ['mutant', 'spec/mutants/ of the package lists them'],
  ['conformant variant', 'spec/sound.yaml of the package lists them'],
]);

/** `unknown THING "word"`, with the nearest candidate or, where there are few, all of them, or where they are listed. */
export function unknownWord(thing: string, word: string, candidates: readonly string[]): string {
  const close = nearest(word, candidates);
  const place = listed.get(thing);
  const wherever = place === undefined ? '' : `; ${place}`;
  const hint =
    close !== undefined
      ? `; did you mean "${close}"?`
      : candidates.length > 0 && candidates.length <= 12
        ? `; there are: ${candidates.join(', ')}`
        : wherever;
  return `unknown ${thing} "${word}"${hint}`;
}
