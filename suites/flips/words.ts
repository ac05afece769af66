import type { AnyFlip } from './flip.ts';
import type { Trial } from './trials.ts';

/** One word of the YAML, with every flip that was tried of it. */
export interface Word {
  /** see `AnyFlip.word` */
  readonly name: string;
  readonly machine: string;
  /** file and line */
  readonly place: string;
  readonly from: string;
  /** what was put in its place; empty: it was left out */
  readonly others: readonly string[];
  /** the trial that noticed it, if any did */
  readonly noticed?: Trial;
  /** traces that were judged with any of its flips */
  readonly tried: number;
}

function wordOf(name: string, all: readonly { flip: AnyFlip; trial: Trial }[]): Word | undefined {
  const [first] = all;
  if (first === undefined) return undefined;
  const { machine, place, from } = first.flip;
  const shown = all.find(({ trial }) => trial.notice !== undefined && trial.notice !== 'compiler');
  // one that the compiler refuses says nothing of the word, unless no other is left
  const refused = all.every(({ trial }) => trial.notice === 'compiler') ? first : undefined;
  const noticed = (shown ?? refused)?.trial;
  return {
    name,
    machine,
    place,
    from,
    others: all.map(({ flip }) => flip.to),
    ...(noticed !== undefined && { noticed }),
    tried: all.reduce((sum, { trial }) => sum + trial.tried, 0),
  };
}

/** The words that flips are of, in the order of the flips: a word is noticed if one of its flips is. */
export function wordsOf(tried: readonly { flip: AnyFlip; trial: Trial }[]): Word[] {
  const byName = new Map<string, { flip: AnyFlip; trial: Trial }[]>();
  for (const one of tried) {
    const all = byName.get(one.flip.word) ?? [];
    all.push(one);
    byName.set(one.flip.word, all);
  }
  return [...byName].flatMap(([name, all]) => wordOf(name, all) ?? []);
}
