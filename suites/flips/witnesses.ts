import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { specDirectory } from '../../spec/load.ts';
import { parseCaseName } from '../corpus/cases.ts';
import { hashOf } from '../hash.ts';
import { isMadeAlone } from './traces.ts';

/**
 * A trace that showed flips: name of its case (see `Case`) or of a trace that no case makes (see `loadTraces`, `walk`), and the
 * view of it.
 */
export interface Witness {
  readonly name: string;
  readonly view?: string;
  /** keys of the flips: see `keyOf` */
  readonly shows: readonly string[];
}

/** Short key of the name of a flip (see `nameOf`). Two flips may have the same one; then both are tried. */
export function keyOf(name: string): string {
  return hashOf(name).toString(36);
}

/** Throws an Error that names the mistake in the form of the file. */
export function parseWitnesses(text: string): Witness[] {
  const wrong = (what: string): Error => new Error(`witnesses of flips: ${what}`);
  const data: unknown = JSON.parse(text);
  if (typeof data !== 'object' || data === null) throw wrong('an object is expected');
  return Object.entries(data).map(([trace, shows]: [string, unknown]) => {
    const [name = '', view] = trace.split(', ');
    if (!isMadeAlone(name) && parseCaseName(name) === undefined)
      throw wrong(`"${name}" is no name of a case, and of no trace`);
    if (typeof shows !== 'string') throw wrong(`the flips that "${trace}" shows are no text`);
    return { name, ...(view !== undefined && { view }), shows: shows.split(' ') };
  });
}

/** As `parseWitnesses` reads it: one line for each trace, in order of their names. */
export function formatWitnesses(witnesses: readonly Witness[]): string {
  const lines = witnesses.map(({ name, view, shows }) => {
    const trace = view === undefined ? name : `${name}, ${view}`;
    return `  ${JSON.stringify(trace)}: ${JSON.stringify(shows.toSorted().join(' '))}`;
  });
  return `{\n${lines.toSorted().join(',\n')}\n}\n`;
}

/** The project's own, with those of `deeper` flips if they are asked for; undefined in a package, which is without them. */
export function loadWitnesses(deeper = false): Witness[] | undefined {
  const read = (name: string): Witness[] | undefined => {
    const file = join(specDirectory, name);
    return existsSync(file) ? parseWitnesses(readFileSync(file, 'utf8')) : undefined;
  };
  const plain = read('flips-witnesses.json');
  if (plain === undefined || !deeper) return plain;
  return joined([...plain, ...(read('flips-deeper.json') ?? [])]);
}

/** One witness for each trace. */
function joined(witnesses: readonly Witness[]): Witness[] {
  const all = new Map<string, Witness>();
  for (const witness of witnesses) {
    const trace = `${witness.name}, ${witness.view ?? ''}`;
    const shows = [...(all.get(trace)?.shows ?? []), ...witness.shows];
    all.set(trace, { ...witness, shows });
  }
  return [...all.values()];
}
