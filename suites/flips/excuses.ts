import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSource } from '../../oracle/compile/document.ts';
import { formatDiagnostic } from '../../oracle/compile/diagnostic.ts';
import { checkShape } from '../../oracle/compile/shape.ts';
import { specDirectory } from '../../spec/load.ts';

/** Flips that nobody can notice, as `spec/flips.yaml` has them. */
export interface Excuses {
  /** how many there may be */
  readonly most: number;
  /** why nobody can notice it, by the name of the flip */
  readonly reasons: ReadonlyMap<string, string>;
}

interface RawExcuses {
  most: number;
  excused: { because: string; flips: string[] }[];
}

const schema = {
  type: 'object',
  required: ['most', 'excused'],
  additionalProperties: false,
  properties: {
    most: { type: 'integer', minimum: 0 },
    excused: {
      type: 'array',
      items: {
        type: 'object',
        required: ['because', 'flips'],
        additionalProperties: false,
        properties: {
          because: { type: 'string', minLength: 20 },
          flips: { type: 'array', minItems: 1, items: { type: 'string' } },
        },
      },
    },
  },
};

/** Throws an Error with file, line and column of each mistake in the form of the file. */
export function parseExcuses(text: string): Excuses {
  const source = parseSource('spec/flips.yaml', text);
  const wrong = source.errors.length > 0 ? source.errors : checkShape(schema, source);
  if (wrong.length > 0) throw new Error(wrong.map(formatDiagnostic).join('\n'));
  // the schema has looked closer
  const { most, excused } = source.value as RawExcuses;
  const reasons = excused.flatMap(({ because, flips }) =>
    flips.map((flip): [string, string] => [flip, because]),
  );
  return { most, reasons: new Map(reasons) };
}

/** The package's own. */
export function loadExcuses(): Excuses {
  return parseExcuses(readFileSync(join(specDirectory, 'flips.yaml'), 'utf8'));
}

/**
 * What is wrong with the excuses: there are more or fewer than the file says, one is for no flip, or for one that was noticed.
 * `known`: names of all flips; `noticed`: of those that were.
 */
export function staleExcuses(
  { most, reasons }: Pick<Excuses, 'most' | 'reasons'>,
  known: ReadonlySet<string>,
  noticed: ReadonlySet<string>,
): string[] {
  const excused = [...reasons.keys()];
  return [
    ...(excused.length > most ? [`${excused.length} are excused, and may be ${most} at most`] : []),
    ...(excused.length < most ? [`only ${excused.length} are excused: let "most" say so`] : []),
    ...excused.filter((name) => !known.has(name)).map((name) => `no such flip: ${name}`),
    ...excused.filter((name) => noticed.has(name)).map((name) => `excused, and noticed: ${name}`),
  ];
}
