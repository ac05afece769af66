import { isCollection, isMap, isSeq } from 'yaml';
import type { YAMLMap } from 'yaml';
import type { Outcome, RuleSet } from '../rules.ts';
import { holdTogether } from './check-table.ts';
import { parseSource } from './document.ts';
import type { Path, SourceDocument } from './document.ts';
import { lacking, outcomeKey } from './draft.ts';
import type { TableDraft } from './draft.ts';
import { compileSources, factsOf } from './compile.ts';
import { readSources } from './sources.ts';
import type { LoadOptions } from './sources.ts';
import type { OutcomeWords } from './vocabulary.ts';

/** A mutant of the rules: one outcome of one rule says something else. */
export interface Flip {
  /** id of the rule */
  readonly rule: string;
  /** which of its allowed outcomes; 0 for `then` */
  readonly alternative: number;
  /** outcome key */
  readonly key: string;
  readonly from: string;
  readonly to: string;
  /** for loadRules({ files }): the one file that differs */
  readonly files: Readonly<Record<string, string>>;
}

/** Plain scalars need quotes where YAML would read them as something else. */
function scalar(word: string): string {
  return /^[A-Za-z][A-Za-z0-9_-]*$/.test(word) && !/^(true|false|null)$/i.test(word)
    ? word
    : JSON.stringify(word);
}

function splice(text: string, from: number, to: number, inserted: string): string {
  return text.slice(0, from) + inserted + text.slice(to);
}

/** Text with the value at a path replaced; a key that is absent is added to its map. */
function rewrite(source: SourceDocument, path: Path, key: string, value: string): string | undefined {
  const map = source.document.getIn(path, true);
  if (!isMap(map)) return undefined;
  const node = map.get(key, true) as { range?: [number, number, number] | null } | undefined;
  if (node?.range) {
    const [start, end] = node.range;
    // A block list ends behind its last entry; in its place stands a flow list on one line less or more.
    const tail = isCollection(node) && !node.flow && source.text.slice(start, end).endsWith('\n') ? '\n' : '';
    return splice(source.text, start, end, value + tail);
  }
  return addKey(source, map, key, value);
}

function addKey(source: SourceDocument, map: YAMLMap, key: string, value: string): string | undefined {
  if (map.range == null) return undefined;
  const [start] = map.range;
  if (map.flow === true) {
    return splice(source.text, start + 1, start + 1, ` ${key}: ${value}${map.items.length > 0 ? ',' : ' '}`);
  }
  // Block map: one line more, at the indent of its first key.
  const lineStart = source.text.lastIndexOf('\n', start - 1) + 1;
  const indent = ' '.repeat(start - lineStart);
  return splice(source.text, start, start, `${key}: ${value}\n${indent}`);
}

/** Values that stand for the opposite of what is allowed: each value not in it. */
function others(words: OutcomeWords, now: string | readonly string[] | undefined): string[] {
  const held = now === undefined ? [] : typeof now === 'string' ? [now] : now;
  return [...words.values.keys()].filter((value) => !held.includes(value));
}

/**
 * Every change of one outcome value of one rule to another value of the vocabulary, as a changed text of its file: other
 * rules stay as they are, and where they stand, save that a key added to a block map takes a line. Keys that the rule
 * leaves to their default count, keys without a value do not; of rules that lead to another table, neither do defaults. A list of
 * allowed values becomes a list of one value that it does not hold; what another alternative of the rule allows is no
 * mutant, nor is a value that needs an outcome which the rule does not give, or that another rule of an `all` table contradicts. `options` are those that loaded the rules;
 * throws RangeError if the files have changed since.
 */
export function flips(rules: RuleSet, options: LoadOptions = {}): Flip[] {
  const sources = readSources(options);
  const { vocabulary, drafts } = compileSources(sources);
  if (vocabulary === undefined || sources.digest !== rules.digest) {
    throw new RangeError(
      'these are not the files that the rules were compiled from: pass the options of loadRules',
    );
  }
  const holds = (draft: TableDraft, rule: number, outcomes: readonly Outcome[]): boolean => {
    const rules = draft.rules.map((other, n) => (n === rule ? { ...other, outcomes } : other));
    return holdTogether({ ...draft, rules }, factsOf(draft.table, vocabulary), (key) => {
      return vocabulary.outcomes.get(key)?.default;
    });
  };
  const found: Flip[] = [];
  const seen = new Set<string>();
  for (const [name, text] of sources.rules) {
    const source = parseSource(sources.display(name), text);
    const draft = drafts.find((d) => d.location.file === source.file);
    const allowed = vocabulary.tables.get(draft?.table ?? '')?.outcomes ?? [];
    for (const [i, rule] of (draft?.rules ?? []).entries()) {
      const several = isSeq(source.document.getIn(['rules', i, 'oneOf'], true));
      for (const [alternative, outcome] of rule.outcomes.entries()) {
        const path: Path = ['rules', i, ...(several ? ['oneOf', alternative] : ['then'])];
        const leads = allowed.some(
          (key) => vocabulary.outcomes.get(key)?.kind === 'table' && outcome[key] !== undefined,
        );
        for (const key of allowed) {
          // of a rule that leads to another table, its defaults say nothing
          if (leads && !source.document.hasIn([...path, key])) continue;
          const words = vocabulary.outcomes.get(key);
          const now = outcome[key];
          if (words === undefined || words.kind === 'table' || now === undefined) continue;
          for (const to of others(words, now)) {
            const next = { ...outcome, [key]: words.kind === 'set' ? [to] : to };
            if (lacking(next, vocabulary) !== undefined) continue;
            const flipped = outcomeKey(next);
            if (rule.outcomes.some((other) => outcomeKey(other) === flipped)) continue;
            if (draft?.hit === 'all' && !holds(draft, i, rule.outcomes.with(alternative, next))) continue;
            const value = words.kind === 'set' ? `[${scalar(to)}]` : scalar(to);
            const changed = rewrite(source, path, key, value);
            if (changed === undefined || seen.has(changed)) continue;
            seen.add(changed);
            const from = typeof now === 'string' ? now : now.join('|');
            found.push({ rule: rule.id, alternative, key, from, to, files: { [name]: changed } });
          }
        }
      }
    }
  }
  return found;
}
