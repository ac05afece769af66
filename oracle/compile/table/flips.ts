import type { Outcome, RuleSet } from '../../rules.ts';
import { holdTogether } from './check.ts';
import { lacking, outcomeKey } from './draft.ts';
import type { TableDraft } from './draft.ts';
import { compileSources, factsOf } from '../compile.ts';
import { readSources } from '../sources.ts';
import type { LoadOptions } from '../sources.ts';
import type { OutcomeWords, Vocabulary } from '../vocabulary.ts';

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
  /** the table, where `from` is what the outcome's default says: of the rules of a table, that is one word */
  readonly usual: string | undefined;
  /** what the rule allows then; `withOutcomes` makes the rules of it */
  readonly outcomes: readonly Outcome[];
}

/** Values that stand for the opposite of what is allowed: each value not in it. */
function others(words: OutcomeWords, now: string | readonly string[] | undefined): string[] {
  const held = now === undefined ? [] : typeof now === 'string' ? [now] : now;
  return [...words.values.keys()].filter((value) => !held.includes(value));
}

/**
 * Every change of one outcome value of one rule to another value of the vocabulary, or to none where it has no default. Keys that
 * the rule leaves to their default count, keys without a value do not; of rules that lead to another table, neither do defaults.
 * What the rules of a table leave to a default is one word, which stands with the outcome and not with them.
 * A list of allowed values becomes a list of one value that it does not hold; what another alternative of the rule allows is no
 * mutant, nor is a value that needs an outcome which the rule does not give, or that another rule of an `all` table contradicts.
 * `options` are those that loaded the rules; throws RangeError if the files have changed since.
 */
export function flips(rules: RuleSet, options: LoadOptions = {}): Flip[] {
  const sources = readSources(options);
  const { vocabulary, drafts } = compileSources(sources);
  if (vocabulary === undefined || sources.digest !== rules.digest) {
    throw new RangeError(
      'these are not the files that the rules were compiled from: pass the options of loadRules',
    );
  }
  return drafts.flatMap((draft) =>
    draft.rules.flatMap((rule, i) =>
      rule.outcomes.flatMap((_, alternative) => [...flipsOf({ vocabulary, draft, rule, i, alternative })]),
    ),
  );
}

/** One of the outcomes of a rule, the `i`-th of its table. */
interface Flipped {
  readonly vocabulary: Vocabulary;
  readonly draft: TableDraft;
  readonly rule: TableDraft['rules'][number];
  readonly i: number;
  readonly alternative: number;
}

function* flipsOf(flipped: Flipped): Generator<Flip> {
  const { vocabulary, draft, rule, alternative } = flipped;
  const outcome = rule.outcomes[alternative] ?? {};
  const allowed = vocabulary.tables.get(draft.table)?.outcomes ?? [];
  const leads = allowed.some(
    (key) => vocabulary.outcomes.get(key)?.kind === 'table' && outcome[key] !== undefined,
  );
  for (const key of allowed) {
    const words = vocabulary.outcomes.get(key);
    const now = outcome[key];
    if (words === undefined || words.kind === 'table' || now === undefined) continue;
    const isUsual = outcomeKey({ [key]: now }) === outcomeKey({ [key]: words.default ?? [] });
    // of a rule that leads to another table, its defaults say nothing
    if (leads && isUsual) continue;
    const usual = isUsual ? draft.table : undefined;
    const from = typeof now === 'string' ? now : now.join('|');
    const { [key]: _gone, ...without } = outcome;
    const changes = others(words, now).map((to): [string, Outcome] => [
      to,
      { ...outcome, [key]: words.kind === 'set' ? [to] : to },
    ]);
    if (words.default === undefined) changes.push(['', without]);
    for (const [to, next] of changes) {
      const outcomes = changed(flipped, next);
      if (outcomes !== undefined) yield { rule: rule.id, alternative, key, from, to, usual, outcomes };
    }
  }
}

/** The outcomes of the rule with the one that is flipped changed to `next`; `undefined`: that is no mutant. */
function changed(
  { vocabulary, draft, rule, i, alternative }: Flipped,
  next: Outcome,
): readonly Outcome[] | undefined {
  if (lacking(next, vocabulary) !== undefined) return undefined;
  const flipped = outcomeKey(next);
  if (rule.outcomes.some((other) => outcomeKey(other) === flipped)) return undefined;
  const outcomes = rule.outcomes.with(alternative, next);
  if (draft.hit !== 'all') return outcomes;
  const rules = draft.rules.with(i, { ...rule, outcomes });
  const defaultOf = (key: string): OutcomeWords['default'] => vocabulary.outcomes.get(key)?.default;
  const together = holdTogether({ ...draft, rules }, factsOf(draft.table, vocabulary), defaultOf);
  return together ? outcomes : undefined;
}
