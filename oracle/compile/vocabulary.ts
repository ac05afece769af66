import type { Diagnostic, DiagnosticCode } from './diagnostic.ts';
import type { Path } from './document.ts';
import { didYouMean } from './suggest.ts';
import type { WordSource } from './words.ts';

export interface FactWords {
  readonly name: string;
  readonly about: string;
  /** meaning by value, in file order */
  readonly values: ReadonlyMap<string, string>;
}

/** `one`: exactly one of the values; `set`: any one of a list of them; `table`: the id of another table. */
export type OutcomeKind = 'one' | 'set' | 'table';

export interface OutcomeWords {
  readonly name: string;
  readonly about: string;
  readonly kind: OutcomeKind;
  readonly default?: string | readonly string[];
  readonly values: ReadonlyMap<string, string>;
  /** by value: the outcome that must be given along with it */
  readonly needs: ReadonlyMap<string, string>;
}

export interface TableWords {
  readonly id: string;
  readonly about: string;
  readonly facts: readonly string[];
  readonly outcomes: readonly string[];
}

/** The closed vocabulary. Words keep the order of their file. */
export interface Vocabulary {
  readonly facts: ReadonlyMap<string, FactWords>;
  readonly outcomes: ReadonlyMap<string, OutcomeWords>;
  readonly tables: ReadonlyMap<string, TableWords>;
  /** words for `requires:`, by meaning; absent: any word is taken */
  readonly capabilities?: ReadonlyMap<string, string>;
}

/** Facts may have this many values, so that a set of them fits a bit mask. */
const maxFactValues = 31;
/** Cells of one table. */
const maxCells = 4_194_304;

type Word = string | number | boolean;
interface RawVocabulary {
  facts: Record<string, { about: string; values: Record<string, string | null> }>;
  outcomes: Record<
    string,
    {
      about: string;
      kind: OutcomeKind;
      default?: Word | Word[];
      values?: Record<string, string | null>;
      needs?: Record<string, string>;
    }
  >;
  tables: Record<string, { about: string; facts: Word[]; outcomes: Word[] }>;
  capabilities?: Record<string, string | null>;
}

/** Builds the vocabulary of files that the schema has accepted; pushes what does not fit together to `report`. */
export function readVocabulary(source: WordSource, report: (diagnostic: Diagnostic) => void): Vocabulary {
  const raw = source.value as RawVocabulary;
  const say = (path: Path, code: DiagnosticCode, message: string): void =>
    report({ ...source.placeOf(path), code, message });
  const words = (path: Path, values: Record<string, string | null> | undefined): Map<string, string> =>
    new Map(source.keysAt(path).map((value) => [value, values?.[value] ?? '']));

  const facts = new Map<string, FactWords>();
  for (const name of source.keysAt(['facts'])) {
    const fact = raw.facts[name];
    if (fact === undefined) continue;
    const values = words(['facts', name, 'values'], fact.values);
    if (values.size > maxFactValues) {
      say(
        ['facts', name, 'values'],
        'schema',
        `fact "${name}" has ${values.size} values; at most ${maxFactValues} fit`,
      );
    }
    facts.set(name, { name, about: fact.about, values });
  }

  const outcomes = new Map<string, OutcomeWords>();
  for (const name of source.keysAt(['outcomes'])) {
    const outcome = raw.outcomes[name];
    if (outcome === undefined) continue;
    const values = words(['outcomes', name, 'values'], outcome.values);
    const given = outcome.default;
    const list = given === undefined ? [] : (Array.isArray(given) ? given : [given]).map(String);
    for (const value of list) {
      if (outcome.kind === 'table' || values.has(value)) continue;
      say(
        ['outcomes', name, 'default'],
        'unknown-outcome-value',
        `default "${value}" is no value of outcome "${name}"${didYouMean(value, values.keys())}`,
      );
    }
    if (outcome.kind !== 'set' && Array.isArray(given)) {
      say(
        ['outcomes', name, 'default'],
        'schema',
        `outcome "${name}" takes one value; its default is a list`,
      );
    }
    const needs = new Map(Object.entries(outcome.needs ?? {}));
    for (const [value, needed] of needs) {
      const path: Path = ['outcomes', name, 'needs', value];
      if (!values.has(value))
        say(
          path,
          'unknown-outcome-value',
          `"${value}" is no value of outcome "${name}"${didYouMean(value, values.keys())}`,
        );
      if (raw.outcomes[needed] === undefined)
        say(
          path,
          'unknown-outcome',
          `unknown outcome "${needed}"${didYouMean(needed, Object.keys(raw.outcomes))}`,
        );
    }
    const base = { name, about: outcome.about, kind: outcome.kind, values, needs };
    const first = list[0];
    if (first === undefined) outcomes.set(name, base);
    else outcomes.set(name, { ...base, default: outcome.kind === 'set' ? list : first });
  }

  const tables = new Map<string, TableWords>();
  for (const id of source.keysAt(['tables'])) {
    const table = raw.tables[id];
    if (table === undefined) continue;
    const known = (key: 'facts' | 'outcomes', map: ReadonlyMap<string, unknown>): string[] =>
      table[key].map(String).filter((name, i) => {
        if (map.has(name)) return true;
        const code = key === 'facts' ? 'unknown-fact' : 'unknown-outcome';
        say(
          ['tables', id, key, i],
          code,
          `unknown ${key.slice(0, -1)} "${name}"${didYouMean(name, map.keys())}`,
        );
        return false;
      });
    const dimensions = known('facts', facts);
    const cells = dimensions.reduce((n, name) => n * (facts.get(name)?.values.size ?? 1), 1);
    if (cells > maxCells) {
      const message = `table "${id}" has ${cells} cells; at most ${maxCells} fit: split it, with an outcome of kind table`;
      say(['tables', id, 'facts'], 'table-too-large', message);
    }
    tables.set(id, { id, about: table.about, facts: dimensions, outcomes: known('outcomes', outcomes) });
  }
  for (const outcome of outcomes.values()) {
    if (outcome.kind !== 'table' || outcome.default === undefined) continue;
    const target = String(outcome.default);
    if (tables.has(target)) continue;
    const message = `default "${target}" of outcome "${outcome.name}" is no table${didYouMean(target, tables.keys())}`;
    say(['outcomes', outcome.name, 'default'], 'unknown-table', message);
  }

  const base: Vocabulary = { facts, outcomes, tables };
  if (raw.capabilities === undefined) return base;
  return { ...base, capabilities: words(['capabilities'], raw.capabilities) };
}
