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

/** The trace of a witness, as the file names it. */
function traceOf({ name, view }: Witness): string {
  return view === undefined ? name : `${name}, ${view}`;
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
  const lines = witnesses.map(
    (witness) =>
      `  ${JSON.stringify(traceOf(witness))}: ${JSON.stringify(witness.shows.toSorted().join(' '))}`,
  );
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

/** What witnesses show of the flips with these keys. */
export function ofKeys(witnesses: readonly Witness[], wanted: (key: string) => boolean): Witness[] {
  return witnesses.flatMap((witness) => {
    const shows = witness.shows.filter(wanted);
    return shows.length === 0 ? [] : [{ ...witness, shows }];
  });
}

/** One witness for each trace. */
export function joined(witnesses: Iterable<Witness>): Witness[] {
  const all = new Map<string, Witness & { shows: string[] }>();
  for (const witness of witnesses) {
    const trace = traceOf(witness);
    const before = all.get(trace);
    if (before === undefined) all.set(trace, { ...witness, shows: [...witness.shows] });
    else before.shows.push(...witness.shows);
  }
  return [...all.values()];
}
