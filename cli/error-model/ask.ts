import { opcodeByName } from '../../spec/constants.ts';
import { byteText } from '../../oracle/device/byte-text.ts';
import { outcomeWords } from '../../oracle/rulebook/outcome.ts';
import type { DecisionTable, Outcome, Rule, RuleSet } from '../../oracle/rules.ts';

/** What the rules say to a question: the words, in the order of the rules, and the rules that were asked. */
export interface Answer {
  words: readonly string[];
  rules: readonly Rule[];
}

interface Question {
  table: DecisionTable;
  /** allowed words by fact or outcome */
  given: ReadonlyMap<string, readonly string[]>;
  key: string;
  rename: (word: string) => string;
}

// A WQE whose fault an event reports is flushed as all others are: that is no report of the fault.
const flushed = 'IBV_WC_WR_FLUSH_ERR';

const shape = /^([\w-]+)\{([^}]*)\}\.(\w+)(?: as (\S+))?$/;

function question(text: string, set: RuleSet): Question {
  const [, id = '', conditions = '', key = '', as] = shape.exec(text) ?? [];
  const table = set.tables.get(id);
  if (table === undefined) throw new RangeError(`"${text}" asks for no table of the rules`);
  const given = new Map(
    conditions.split(', ').map((condition): [string, string[]] => {
      const [name = '', values = ''] = condition.split('=');
      return [name, values.split('|')];
    }),
  );
  const known = new Set([
    ...table.facts.map(({ name }) => name),
    ...table.rules.flatMap(({ outcomes }) => outcomes.flatMap((outcome) => Object.keys(outcome))),
  ]);
  for (const name of [...given.keys(), key])
    if (!known.has(name)) throw new RangeError(`${id} has no ${name}`);
  const [from, to] = as?.split('=') ?? [];
  const rename = (word: string): string =>
    from === undefined || (to !== undefined && word !== from) ? word : (to ?? from);
  return { table, given, key, rename };
}

/** The bits of the words that a fact may have. RangeError for a word that the fact does not have. */
function maskOf({ name, values }: DecisionTable['facts'][number], words: readonly string[]): number {
  return words.reduce((mask, word) => {
    const index = values.indexOf(word);
    if (index < 0) throw new RangeError(`${name} is never ${word}`);
    return mask | (1 << index);
  }, 0);
}

function chosen({ table, given }: Question, also?: { fact: string; word: string }): readonly Rule[] {
  return table.decideAny(
    table.facts.map((fact) => {
      if (fact.name === also?.fact) return maskOf(fact, [also.word]);
      const words = given.get(fact.name);
      return words === undefined ? -1 : maskOf(fact, words);
    }),
  );
}

/** Outcomes of a rule that have one of the words that the question gives for each outcome. */
function outcomesOf(rule: Rule, { table, given }: Question): Outcome[] {
  const facts = new Set(table.facts.map(({ name }) => name));
  return rule.outcomes.filter((outcome) =>
    [...given].every(
      ([key, words]) => facts.has(key) || outcomeWords(outcome, key).some((word) => words.includes(word)),
    ),
  );
}

/**
 * Asks the rules: `TABLE{fact=word|word, outcome=word}.KEY`, with ` as WORD` or ` as WORD=WORD` behind it, gives all words of a fact or
 * an outcome that some rule has for such a case; `opcode NAME` gives the opcode of that operation on RC. RangeError for a question that no table can answer.
 */
export function ask(text: string, set: RuleSet): Answer {
  const [, operation] = /^opcode (\w+)$/.exec(text) ?? [];
  if (operation !== undefined) return { words: [byteText(opcodeByName(`RC_${operation}`))], rules: [] };
  const asked = question(text, set);
  const { table, given, key, rename } = asked;
  const fact = table.facts.find(({ name }) => name === key);
  if (fact === undefined) {
    const found = chosen(asked)
      .map((rule) => ({
        rule,
        words: outcomesOf(rule, asked)
          .flatMap((outcome) => outcomeWords(outcome, key))
          .filter((word) => word !== flushed),
      }))
      .filter(({ words }) => words.length > 0);
    return {
      words: [...new Set(found.flatMap(({ words }) => words.map(rename)))],
      rules: found.map(({ rule }) => rule),
    };
  }
  const found = (given.get(key) ?? fact.values).map((word) => ({
    word: rename(word),
    rules: chosen(asked, { fact: key, word }).filter((rule) => outcomesOf(rule, asked).length > 0),
  }));
  const holding = found.filter(({ rules }) => rules.length > 0);
  return {
    words: [...new Set(holding.map(({ word }) => word))],
    rules: [...new Set(holding.flatMap(({ rules }) => rules))],
  };
}
