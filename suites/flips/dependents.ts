import { flat } from '../../oracle/compile/machine/statements.ts';
import type { MachineDraft, StatementDraft } from '../../oracle/machine-draft.ts';

/** Texts of statements. */
function textsOf(drafts: readonly StatementDraft[]): string[] {
  return flat(drafts).flatMap((draft) =>
    typeof draft === 'string' ? [draft] : [draft.if, ...textsOf(draft.do), ...textsOf(draft.else ?? [])],
  );
}

/** Every word of a machine that is asked by name, with the texts that give it its meaning. */
function* wordsOf({ facts, effects, demands, steps, values }: MachineDraft): Generator<[string, string[]]> {
  for (const [name, { is, unknown, may = {} }] of Object.entries(facts)) {
    const texts = typeof is === 'string' ? [is] : Object.values(is);
    yield [`facts.${name}`, [...texts, ...Object.values(may), unknown ?? '']];
  }
  for (const [name, byValue] of Object.entries(effects))
    for (const [value, statements] of Object.entries(byValue))
      yield [`outcomes.${name}.${value}`, textsOf(statements)];
  for (const [name, byValue] of Object.entries(demands))
    for (const [value, text] of Object.entries(byValue)) yield [`outcomes.${name}.${value}`, [text]];
  for (const [name, statements] of Object.entries(steps)) yield [`steps.${name}`, textsOf(statements)];
  for (const [name, { is }] of Object.entries(values)) yield [`values.${name}`, [is]];
}

function names(texts: readonly string[], name: string): boolean {
  const found = new RegExp(`(?<![\\w-])${name}(?![\\w-])`);
  return texts.some((text) => found.test(text));
}

/**
 * Marks of traces (see `Watch`) that may show a change at a place of `machine.yaml`: those of the words that read it, directly or
 * by a named value.
 */
export function dependents(draft: MachineDraft, where: string): string[] {
  const [section = '', name = '', , value = ''] = where.split('.');
  const mark = (word: string): string => `${draft.id} ${word}`;
  switch (section) {
    case 'facts':
    case 'steps':
      return [mark(`${section}.${name}`)];
    case 'outcomes':
      return [mark(`outcomes.${name}.${value}`)];
    default: {
      const words = [...wordsOf(draft)];
      const wanted = [name];
      const found = new Set(section === 'values' ? [`values.${name}`] : []);
      for (const one of wanted)
        for (const [word, texts] of words) {
          if (found.has(word) || !names(texts, one)) continue;
          found.add(word);
          if (word.startsWith('values.')) wanted.push(word.slice('values.'.length));
        }
      if (section === 'timers') for (const part of ['phase', 'from']) found.add(`values.${name} ${part}`);
      // what built-in words read of the variables has no word of its own
      return [...found].map(mark).concat(mark('start'));
    }
  }
}
