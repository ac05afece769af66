import type { FactDef } from '../../rules.ts';
import { UnaskedFact } from '../../unasked-fact.ts';

/** By how much the number of a cell rises with each fact: cells are numbered in mixed radix, the last fact fastest. */
export function stridesOf(facts: readonly FactDef[]): number[] {
  const strides: number[] = [];
  let total = 1;
  for (const { values } of facts.toReversed()) {
    strides.unshift(total);
    total *= values.length;
  }
  return strides;
}

/** Beyond so many values a map finds one sooner. */
const fewValues = 8;

/** Text of what the word of a fact adds to the number of a cell, where `given` holds the words. It names `x`, `lacking` and `indexes`. */
export function wordText({ name, values }: FactDef, stride: number): string {
  const key = JSON.stringify(name);
  const lacking = `lacking(${key}, x)`;
  if (values.length > fewValues)
    return `((indexes(${key}).get(x = given?.[${key}]) ?? ${lacking}) * ${stride})`;
  const [first, ...others] = values.map((value, i) => `${JSON.stringify(value)} ? ${i * stride} : `);
  return `((x = given?.[${key}]) === ${first}${others.map((other) => `x === ${other}`).join('')}${lacking})`;
}

/** What such text names besides: it fails with a RangeError where a word is missing or unknown. */
export function wordHelpers(table: string, facts: readonly FactDef[]): Readonly<Record<string, unknown>> {
  const maps = new Map(
    facts.map(({ name, values }) => [name, new Map(values.map((value, i) => [value, i]))]),
  );
  return {
    indexes: (name: string) => maps.get(name),
    lacking: (name: string, word: string | undefined) => {
      if (word === undefined) throw new UnaskedFact(table, name);
      throw new RangeError(`the vocabulary has no value ${word} of the fact ${name}`);
    },
  };
}
