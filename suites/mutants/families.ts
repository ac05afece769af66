import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSource, type SourceDocument } from '../../oracle/compile/document.ts';
import { checkShape } from '../../oracle/compile/shape.ts';
import type { Place } from '../../oracle/rules.ts';
import { specDirectory } from '../../spec/load.ts';
import type { MutantMistake } from './mistake.ts';

/** A mutant as it is written (`spec/schema/mutant-family.schema.json`): either `rules` or `notJudged` is there. */
export interface MutantEntry {
  readonly id: string;
  readonly says: string;
  readonly breaks: string;
  readonly statements: readonly string[];
  readonly rules?: readonly string[];
  readonly properties?: readonly string[];
  readonly notJudged?: string;
}

/** One file of mutants. */
export interface Family {
  /** path below `mutants/`, without extension */
  readonly name: string;
  readonly source: SourceDocument;
  readonly entries: readonly MutantEntry[];
}

const orderFile = 'mutants/order.yaml';
const orderSchema = { type: 'array', items: { type: 'string' }, uniqueItems: true };

function familySchema(): Record<string, unknown> {
  const path = join(specDirectory, 'schema', 'mutant-family.schema.json');
  const schema: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (typeof schema !== 'object' || schema === null) throw new Error(`${path} holds no schema`);
  return { ...schema };
}

// the schemas have looked closer
function isFamily(value: unknown): value is readonly MutantEntry[] {
  return Array.isArray(value);
}

function isOrder(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}

function duplicates(families: readonly Family[]): MutantMistake[] {
  const first = new Map<string, Place>();
  return families.flatMap(({ source, entries }) =>
    entries.flatMap(({ id }, i) => {
      const place = source.placeOf([i, 'id']);
      const before = first.get(id);
      if (before !== undefined)
        return [{ ...place, message: `mutant "${id}" is in ${before.file}:${before.line} as well` }];
      first.set(id, place);
      return [];
    }),
  );
}

/** Mistakes in the list of families, which names each file once. */
function orderMistakes(source: SourceDocument, order: readonly string[], names: readonly string[]) {
  return [
    ...order.flatMap((name, i) =>
      names.includes(name)
        ? []
        : [{ ...source.placeOf([i]), message: `there is no file mutants/${name}.yaml` }],
    ),
    ...names
      .filter((name) => !order.includes(name))
      .map((name) => ({ ...source.placeOf([]), message: `mutants/${name}.yaml is not in this list` })),
  ];
}

/**
 * All families in the order of `mutants/order.yaml`, and every mistake in the form of their files. A file with mistakes has
 * no entries.
 */
export function readFamilies(texts: ReadonlyMap<string, string>): {
  families: readonly Family[];
  mistakes: readonly MutantMistake[];
} {
  const schema = familySchema();
  const mistakes: MutantMistake[] = [];
  const parsed = new Map<string, Family>();
  for (const [path, text] of texts) {
    if (path === orderFile) continue;
    const source = parseSource(`spec/${path}`, text);
    const wrong = source.errors.length > 0 ? source.errors : checkShape(schema, source);
    mistakes.push(...wrong);
    const name = path.slice('mutants/'.length, -'.yaml'.length);
    const entries = wrong.length === 0 && isFamily(source.value) ? source.value : [];
    parsed.set(name, { name, source, entries });
  }
  const list = parseSource(`spec/${orderFile}`, texts.get(orderFile) ?? '[]');
  const wrong = list.errors.length > 0 ? list.errors : checkShape(orderSchema, list);
  mistakes.push(...wrong);
  const order = wrong.length === 0 && isOrder(list.value) ? list.value : [...parsed.keys()];
  mistakes.push(...orderMistakes(list, order, [...parsed.keys()]));
  const families = order.flatMap((name) => parsed.get(name) ?? []);
  return { families, mistakes: [...mistakes, ...duplicates(families)] };
}
