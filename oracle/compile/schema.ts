// oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema and of the rule files
import { impacts } from '../../spec/impacts.ts';
import type { OutcomeWords, Vocabulary } from './vocabulary.ts';

export type JsonSchema = { readonly [key: string]: unknown };

const text = (description: string): JsonSchema => ({ type: 'string', minLength: 1, description });
const ids = (description: string): JsonSchema => ({
  type: 'array',
  uniqueItems: true,
  items: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]*$' },
  description,
});
const word: JsonSchema = { type: ['string', 'number', 'boolean'] };
const words: JsonSchema = {
  type: ['string', 'number', 'boolean', 'array'],
  items: word,
  minItems: 1,
  uniqueItems: true,
};

/** `default` values and meanings as a list for people. */
function meanings(about: string, values: ReadonlyMap<string, string>): string {
  return [about, ...[...values].map(([value, meaning]) => `${value}: ${meaning}`)].join('\n');
}

const impact = {
  description: meanings('What it means that the rule is broken.', new Map(Object.entries(impacts))),
  enum: Object.keys(impacts),
};

function factSchema(about: string, values: ReadonlyMap<string, string>): JsonSchema {
  const one = { enum: [...values.keys()] };
  return {
    description: meanings(about, values),
    if: { type: 'array' },
    then: { type: 'array', items: one, minItems: 1, uniqueItems: true },
    else: one,
  };
}

function outcomeSchema(outcome: OutcomeWords, vocabulary: Vocabulary): JsonSchema {
  const description = meanings(outcome.about, outcome.values);
  const one = { enum: [...(outcome.kind === 'table' ? vocabulary.tables : outcome.values).keys()] };
  if (outcome.kind !== 'set') return { description, ...one };
  return { description, type: 'array', items: one, minItems: 1, uniqueItems: true };
}

function map(properties: Record<string, JsonSchema> | undefined, description: string): JsonSchema {
  if (properties === undefined) return { type: 'object', description, additionalProperties: words };
  return { type: 'object', description, additionalProperties: false, properties };
}

/**
 * JSON Schema of a rule file. Without a vocabulary: its shape alone, which is what the compiler has ajv check before it
 * looks at the words itself. With one: facts and outcomes enumerated, per table, for editors (`rules.schema.json`).
 */
export function rulesSchema(vocabulary?: Vocabulary): JsonSchema {
  const facts =
    vocabulary &&
    Object.fromEntries(
      [...vocabulary.facts.values()].map((f) => [f.name, { $ref: `#/$defs/fact-${f.name}` }]),
    );
  const outcomes =
    vocabulary &&
    Object.fromEntries(
      [...vocabulary.outcomes.values()].map((o) => [o.name, { $ref: `#/$defs/outcome-${o.name}` }]),
    );
  const definitions =
    vocabulary &&
    Object.fromEntries([
      ...[...vocabulary.facts.values()].map((f) => [`fact-${f.name}`, factSchema(f.about, f.values)]),
      ...[...vocabulary.outcomes.values()].map((o) => [`outcome-${o.name}`, outcomeSchema(o, vocabulary)]),
    ]);
  const when = map(
    facts,
    'Condition: a value or a list of values by fact; a fact left out may have any value. Without it: any cell.',
  );
  const then = map(outcomes, 'What must be seen; keys left out take their default.');
  const only = (names: readonly string[]): JsonSchema => ({
    type: 'object',
    propertyNames: { enum: names },
  });
  const entries = (properties: Record<string, JsonSchema>): JsonSchema => ({
    type: 'array',
    items: { type: 'object', properties },
  });
  const perTable = [...(vocabulary?.tables.values() ?? [])].map(({ id, facts: own, outcomes: keys }) => ({
    if: { type: 'object', properties: { table: { const: id } } },
    then: {
      type: 'object',
      properties: {
        impossible: entries({ when: only(own) }),
        rules: entries({ when: only(own), then: only(keys), oneOf: { type: 'array', items: only(keys) } }),
      },
    },
  }));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'rdma-conform/rules/1',
    title: 'Decision table',
    description: 'One table of rules. Generated from the vocabulary: npm run generate.',
    type: 'object',
    additionalProperties: false,
    required: ['table', 'on', 'hit', 'rules'],
    properties: {
      table: vocabulary ? { enum: [...vocabulary.tables.keys()] } : text('Id of the table.'),
      on: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'For people: what the table is asked about.',
      },
      hit: {
        enum: ['first', 'unique', 'any', 'all'],
        description:
          'first: the first rule that matches decides; unique: no two rules match one cell; any: one of those that match applies, whichever; all: all that match apply.',
      },
      impact: { ...impact, description: `Of the rules that name none.\n${impact.description}` },
      impossible: {
        type: 'array',
        description: 'Cells that cannot arise.',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['when', 'because'],
          properties: { when: { ...when, minProperties: 1 }, because: text('Why it cannot arise.') },
        },
      },
      rules: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['id', 'says', 'level', 'covers'],
          properties: {
            id: {
              type: 'string',
              pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$',
              description: 'Unique over all tables.',
            },
            says: text('The rule in one sentence.'),
            level: { enum: ['must', 'should', 'may'] },
            impact,
            covers: ids('Ids of the statements that the rule puts to the test.'),
            uncovered: text('Why the rule covers no statement; only with an empty covers.'),
            source: text('Section of the specification.'),
            erratum: text('Where the documents and the specification disagree.'),
            latitude: text('Why the rule is as loose as it is.'),
            requires: ids('Capabilities that bind a device to the rule.'),
            when,
            then,
            oneOf: {
              type: 'array',
              minItems: 2,
              items: then,
              description: 'Several outcomes, each of them allowed.',
            },
          },
        },
      },
    },
    ...(vocabulary ? { allOf: perTable, $defs: definitions } : {}),
  };
}
