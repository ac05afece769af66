import { isSeq } from 'yaml';
import type { Outcome, RuleSet } from '../rules.ts';
import { holdTogether } from './check-table.ts';
import { parseSource } from './document.ts';
import type { Path } from './document.ts';
import { lacking, outcomeKey } from './draft.ts';
import type { TableDraft } from './draft.ts';
import { compileSources, factsOf } from './compile.ts';
import { rewritten, scalar, without } from './rewrite.ts';
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
  /** empty where the word is taken away */
  readonly to: string;
  /** what the rule allows then */
  readonly outcomes: readonly Outcome[];
  /** for loadRules({ files }): the one file that differs */
  readonly files: Readonly<Record<string, string>>;
}

/** Values that stand for the opposite of what is allowed: each value not in it. */
function others(words: OutcomeWords, now: string | readonly string[] | undefined): string[] {
  const held = now === undefined ? [] : typeof now === 'string' ? [now] : now;
  return [...words.values.keys()].filter((value) => !held.includes(value));
}

/**
 * Every change of one outcome value of one rule to another value of the vocabulary, or to none where it has no default, as a
 * changed text of its file: other rules stay as they are, and where they stand, save that a key added to a block map takes a
 * line. Keys that the rule leaves to their default count, keys without a value do not; of rules that lead to another table,
 * neither do defaults. A list of allowed values becomes a list of one value that it does not hold; what another alternative of
 * the rule allows is no mutant, nor is a value that needs an outcome which the rule does not give, or that another rule of an
 * `all` table contradicts. `options` are those that loaded the rules; throws RangeError if the files have changed since.
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
          const from = typeof now === 'string' ? now : now.join('|');
          const add = (to: string, next: Outcome, text: string | undefined): void => {
            if (text === undefined || lacking(next, vocabulary) !== undefined) return;
            const flipped = outcomeKey(next);
            if (rule.outcomes.some((other) => outcomeKey(other) === flipped)) return;
            const outcomes = rule.outcomes.with(alternative, next);
            if (draft?.hit === 'all' && !holds(draft, i, outcomes)) return;
            found.push({ rule: rule.id, alternative, key, from, to, outcomes, files: { [name]: text } });
          };
          for (const to of others(words, now)) {
            const value = words.kind === 'set' ? `[${scalar(to)}]` : scalar(to);
            const next = { ...outcome, [key]: words.kind === 'set' ? [to] : to };
            add(to, next, rewritten(source, path, key, value));
          }
          if (words.default === undefined) {
            const { [key]: _gone, ...next } = outcome;
            add('', next, without(source, path, key));
          }
        }
      }
    }
  }
  return found;
}
