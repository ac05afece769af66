import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SoundId } from '../../adapters/reference/index.ts';
import { isSoundId } from '../../adapters/reference/index.ts';
import { parseSource } from '../../oracle/compile/document.ts';
import { checkShape } from '../../oracle/compile/shape.ts';
import { statementIds } from '../../oracle/compile/statements.ts';
import { specDirectory } from '../../spec/load.ts';
import { MutantError, type MutantMistake } from './mistake.ts';

/** One way to use the latitude of the spec (`spec/sound.yaml`): a device that does so is sound, and must break no rule. */
export interface SoundVariant {
  readonly id: SoundId;
  /** what the device does, as a sentence */
  readonly says: string;
  /** why that is sound */
  readonly because: string;
  /** ids of the statements that allow it */
  readonly statements: readonly string[];
  /** ids of the should rules that it does not keep */
  readonly deviates?: readonly string[];
}

interface Entry extends Omit<SoundVariant, 'id'> {
  readonly id: string;
}

// the schema has looked closer
function isList(value: unknown): value is readonly Entry[] {
  return Array.isArray(value);
}

function read(text: string): { entries: readonly Entry[]; mistakes: readonly MutantMistake[] } {
  const source = parseSource('spec/sound.yaml', text);
  const schema: unknown = JSON.parse(
    readFileSync(join(specDirectory, 'schema', 'sound.schema.json'), 'utf8'),
  );
  const wrong = source.errors.length > 0 ? source.errors : checkShape({ ...Object(schema) }, source);
  if (wrong.length > 0 || !isList(source.value)) return { entries: [], mistakes: wrong };
  const entries = source.value;
  const known = statementIds();
  const mistakes = entries.flatMap(({ id, statements }, i) => [
    ...(entries.findIndex((other) => other.id === id) < i
      ? [{ ...source.placeOf([i, 'id']), message: `"${id}" is there already` }]
      : []),
    ...statements
      .filter((statement) => !known.has(statement))
      .map((name) => ({ ...source.placeOf([i, 'statements']), message: `unknown statement "${name}"` })),
  ]);
  return { entries, mistakes };
}

/** What `spec/sound.yaml` lists. Throws MutantError with every mistake in it. `text`: of another such file. */
export function soundEntries(
  text = readFileSync(join(specDirectory, 'sound.yaml'), 'utf8'),
): readonly Entry[] {
  const { entries, mistakes } = read(text);
  if (mistakes.length > 0) throw new MutantError(mistakes);
  return entries;
}

/** All sound variants that the reference NIC knows, in the order of `spec/sound.yaml`. */
export function loadSound(): readonly SoundVariant[] {
  return soundEntries().flatMap(({ id, ...rest }) => (isSoundId(id) ? [{ id, ...rest }] : []));
}
