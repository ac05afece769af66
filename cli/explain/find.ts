import { readWords } from '../../oracle/compile/compile.ts';
import { readSources } from '../../oracle/compile/sources.ts';
import { statementsWhere, type Statement } from '../../oracle/compile/statements.ts';
import type { Vocabulary } from '../../oracle/compile/vocabulary.ts';
import type { Outcome, Rule, RuleSet } from '../../oracle/rules.ts';
import type { BuiltTable } from '../error-model/build.ts';
import type { TableDraft } from '../error-model/load.ts';
import { rowsOf, type CauseRow } from './rows.ts';
import type { Topic } from './topic.ts';
import { answersOf } from './wire.ts';

/** Where the rules name a topic. */
export interface Found {
  /** rules of the tables of effects: what must be wrong so that it is seen */
  causes: Rule[];
  /** rows of the document's tables of causes and effects that name it */
  rows: CauseRow[];
  /** other rules that call for it or allow it */
  demands: Rule[];
  /** rules that hold where it is the case */
  conditions: Rule[];
  statements: Statement[];
}

/** The vocabulary of the package's own rules, with what it says of each value. */
export function loadVocabulary(): Vocabulary {
  const vocabulary = readWords(readSources());
  if (vocabulary === undefined) throw new Error('the vocabulary does not compile');
  return vocabulary;
}

/**
 * The statements that may say something of a topic, and those whose tables the error model has: a part of all, which take most of a second to
 * parse.
 */
export function statementsOn(topic: Topic, model: readonly TableDraft[]): Statement[] {
  const cited = new Set(model.map(({ statement }) => statement));
  const words = [...topic.words, ...topic.aliases];
  return statementsWhere((id, text) => cited.has(id) || words.some((word) => text.includes(word)));
}

type Meanings = ReadonlyMap<string, string> | undefined;

/** Whether a value stands for the topic: by its name, or by a whole word of what the vocabulary says of it. */
function standsFor(topic: Topic, value: string, meanings: Meanings): boolean {
  if (topic.words.includes(value)) return true;
  const named = meanings?.get(value)?.split(/[^\w-]+/) ?? [];
  return topic.words.some((word) => named.includes(word));
}

function inOutcome(topic: Topic, outcome: Outcome, vocabulary: Vocabulary): boolean {
  return Object.entries(outcome).some(([key, value]) => {
    const meanings = vocabulary.outcomes.get(key)?.values;
    // a default that stands everywhere, such as "unchanged", is no effect
    const values = typeof value === 'string' ? [value] : value;
    return values.some((one) => standsFor(topic, one, meanings));
  });
}

function inCondition(topic: Topic, rule: Rule, vocabulary: Vocabulary): boolean {
  return Object.entries(rule.when).some(([fact, values]) => {
    const meanings = vocabulary.facts.get(fact)?.values;
    return values.some((one) => standsFor(topic, one, meanings));
  });
}

/** Whether a table tells cause and effect at both ends of a connection. */
export function isEffects(table: string): boolean {
  return table.endsWith('-effects');
}

/** Whether a table says when something comes: it names that in its `on:`. */
function isAbout(topic: Topic, { seen = '' }: Readonly<Record<string, string>>): boolean {
  const named = seen.split(/[^\w]+/);
  return topic.words.some((word) => word.startsWith('IBV_EVENT_') && named.includes(word));
}

/** Everything that rules and statements say of a topic, in the order of the files. */
export function findTopic(
  topic: Topic,
  set: RuleSet,
  vocabulary: Vocabulary,
  statements: readonly Statement[],
  tables: readonly BuiltTable[],
): Found {
  const judged = new Set(
    [...set.tables.values()].filter((table) => isAbout(topic, table.on)).map(({ id }) => id),
  );
  const demanding = set.rules.filter(
    (rule) =>
      judged.has(rule.table) ||
      rule.outcomes.some(
        (outcome) =>
          inOutcome(topic, outcome, vocabulary) ||
          (isEffects(rule.table) && answersOf(rule, outcome, set).some((word) => topic.words.includes(word))),
      ),
  );
  const covering = new Set(demanding.flatMap((rule) => rule.covers));
  return {
    rows: rowsOf(topic, tables),
    causes: demanding.filter((rule) => isEffects(rule.table)),
    demands: demanding.filter((rule) => !isEffects(rule.table)),
    conditions: set.rules.filter((rule) => !demanding.includes(rule) && inCondition(topic, rule, vocabulary)),
    statements: statements.filter(({ id, statement }) => {
      const named = topic.words.some((word) => new RegExp(`\\b${word}\\b`).test(statement));
      return named || (covering.has(id) && topic.aliases.some((alias) => statement.includes(alias)));
    }),
  };
}
