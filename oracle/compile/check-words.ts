import type { Diagnostic } from './diagnostic.ts';
import type { TableDraft } from './table/draft.ts';
import type { Path } from './document.ts';
import type { OutcomeWords, Vocabulary } from './vocabulary.ts';
import type { WordSource } from './words.ts';

/** A vocabulary with its files, and all tables that speak it. */
export interface Spoken {
  readonly source: WordSource;
  readonly vocabulary: Vocabulary;
  readonly drafts: readonly TableDraft[];
}

/**
 * Words that no rule uses: a fact or an outcome of no table, an outcome that a table lists and no rule of it gives, a fact that
 * a table lists and no condition in it names (unless it is the only one), a value of an outcome that no rule gives, a capability
 * that no rule requires. A value of a fact that no condition names is not: it is what is left of the others.
 */
export function unusedWords(spoken: Spoken): Diagnostic[] {
  return [...unlisted(spoken), ...unnamed(spoken), ...valuesNeverGiven(spoken), ...neverRequired(spoken)];
}

function unused({ source }: Spoken, path: Path, key: string, message: string): Diagnostic {
  return { ...source.placeOfKey(path, key), code: 'unused-word', message };
}

/** Facts and outcomes that no table lists. */
function unlisted(spoken: Spoken): Diagnostic[] {
  const tables = [...spoken.vocabulary.tables.values()];
  return (['facts', 'outcomes'] as const).flatMap((section) => {
    const listed = new Set(tables.flatMap((table) => table[section]));
    return [...spoken.vocabulary[section].keys()]
      .filter((name) => !listed.has(name))
      .map((name) => unused(spoken, [section], name, `no table lists "${name}" among its ${section}`));
  });
}

/** Facts and outcomes that a table lists in vain. */
function unnamed(spoken: Spoken): Diagnostic[] {
  const { vocabulary, drafts, source } = spoken;
  return drafts.flatMap(({ table, rules, impossible }) => {
    const { facts = [], outcomes = [] } = vocabulary.tables.get(table) ?? {};
    const say = (section: 'facts' | 'outcomes', index: number, message: string): Diagnostic => {
      return { ...source.placeOf(['tables', table, section, index]), code: 'unused-word', message };
    };
    const conditions = [...rules, ...impossible];
    const idle = facts.flatMap((name, i) =>
      facts.length === 1 || conditions.some(({ when }) => when[name] !== undefined)
        ? []
        : say('facts', i, `no rule of table "${table}" asks for fact "${name}"`),
    );
    const silent = outcomes.flatMap((name, i) => {
      const words = vocabulary.outcomes.get(name);
      const given = rules.some((rule) =>
        rule.outcomes.some((outcome) => outcome[name] !== undefined && !isDefault(words, outcome[name])),
      );
      return given ? [] : say('outcomes', i, `no rule of table "${table}" gives outcome "${name}"`);
    });
    return [...idle, ...silent];
  });
}

function isDefault(words: OutcomeWords | undefined, value: string | readonly string[]): boolean {
  const usual = words?.default;
  return usual !== undefined && String(usual) === String(value);
}

function valuesNeverGiven(spoken: Spoken): Diagnostic[] {
  const given = new Map<string, Set<string>>();
  const outcomes = spoken.drafts.flatMap(({ rules }) => rules.flatMap((rule) => rule.outcomes));
  for (const [name, value] of outcomes.flatMap((outcome) => Object.entries(outcome))) {
    const values = given.get(name) ?? new Set();
    given.set(name, values);
    for (const word of typeof value === 'string' ? [value] : value) values.add(word);
  }
  return [...spoken.vocabulary.outcomes.values()].flatMap(({ name, values }) =>
    [...values.keys()]
      .filter((value) => given.get(name)?.has(value) !== true)
      .map((value) => {
        const message = `no rule gives "${name}: ${value}"`;
        return unused(spoken, ['outcomes', name, 'values'], value, message);
      }),
  );
}

function neverRequired(spoken: Spoken): Diagnostic[] {
  const required = new Set(spoken.drafts.flatMap(({ rules }) => rules.flatMap((rule) => rule.requires)));
  return [...(spoken.vocabulary.capabilities?.keys() ?? [])]
    .filter((word) => !required.has(word))
    .map((word) => unused(spoken, ['capabilities'], word, `no rule requires capability "${word}"`));
}
