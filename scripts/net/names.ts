import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** Differences of one kind that are meant. What is left out fits anything. */
export interface NamedDifference {
  /** why it is right that the builds differ here */
  reason: string;
  /** of the judgement (`violations`, `exercised`, `observed`...), or `trace`: what the reference NIC did */
  field: string;
  /** rule, or what else stands first in the field, as it was before */
  key?: string;
  /** id of the property, and of the mutant */
  property?: string;
  mutant?: string;
  /** the way in which the trace was seen */
  view?: string;
}

/** What the two builds call differently, and what differs between them on purpose. */
export interface Names {
  /** id after -> id before, of rules; several may have become of one */
  rules: ReadonlyMap<string, string>;
  /** text after -> text before: choices, reasons, what was expected and observed */
  texts: ReadonlyMap<string, string>;
  /** id before -> id after, of mutants */
  mutants: ReadonlyMap<string, string>;
  differences: readonly NamedDifference[];
}

const kinds = ['rules', 'texts', 'mutants', 'differences'];

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Pairs [before, after] of a map before -> after, or -> several after. */
function pairs(value: unknown, what: string): [string, string][] {
  if (value === undefined || value === null) return [];
  if (!isRecord(value)) throw new Error(`${what}: a map is wanted, of what was to what is`);
  return Object.entries(value).flatMap(([before, after]) =>
    (Array.isArray(after) ? after : [after]).map((one: unknown): [string, string] => {
      if (typeof one !== 'string')
        throw new Error(`${what}: ${before} must lead to a name, or to a list of them`);
      return [before, one];
    }),
  );
}

const wanted = ['reason', 'field'];
const possible = [...wanted, 'key', 'property', 'mutant', 'view'];

function isNamed(value: unknown): value is NamedDifference {
  return (
    isRecord(value) &&
    wanted.every((word) => typeof value[word] === 'string' && value[word] !== '') &&
    Object.entries(value).every(([word, text]) => possible.includes(word) && typeof text === 'string')
  );
}

/** Reads such a file; throws an Error that says what is wrong with it. */
export function readNames(file: string): Names {
  const found: unknown = parse(readFileSync(file, 'utf8')) ?? {};
  if (!isRecord(found)) throw new Error(`${file}: a map is wanted`);
  const strange = Object.keys(found).find((key) => !kinds.includes(key));
  if (strange !== undefined) throw new Error(`${file}: "${strange}" is none of ${kinds.join(', ')}`);
  const backwards = (key: string): Map<string, string> =>
    new Map(pairs(found[key], `${file}: ${key}`).map(([before, after]) => [after, before]));
  const differences: unknown = found['differences'] ?? [];
  if (!Array.isArray(differences) || !differences.every(isNamed))
    throw new Error(
      `${file}: differences: each has ${wanted.join(', ')}, and of ${possible.join(', ')} no others`,
    );
  return {
    rules: backwards('rules'),
    texts: backwards('texts'),
    mutants: new Map(pairs(found['mutants'], `${file}: mutants`)),
    differences,
  };
}

/** The entry of the list that a difference is, by its place; -1 if none. */
export function placeOf(
  difference: { field: string; key: string; view?: string },
  where: { property?: string; mutant?: string },
  { differences }: Names,
): number {
  const fits = (wanted: string | undefined, found: string | undefined): boolean =>
    wanted === undefined || wanted === found;
  return differences.findIndex(
    ({ field, key, property, mutant, view }) =>
      field === difference.field &&
      fits(key, difference.key) &&
      fits(view, difference.view) &&
      fits(property, where.property) &&
      fits(mutant, where.mutant),
  );
}
