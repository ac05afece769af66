import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RuleSet } from '../../oracle/index.ts';

type Oracle = typeof import('../../oracle/index.ts');
type Suites = typeof import('../../suites/index.ts');
type Adapters = typeof import('../../adapters/index.ts');
type Wire = typeof import('../../wire/index.ts');

/** What is asked of every build. */
interface Judging {
  loadRules: Oracle['loadRules'];
  judgeTrace: Oracle['judgeTrace'];
  BenchSession: Suites['BenchSession'];
  referenceAdapter: Adapters['referenceAdapter'];
  encode: Wire['encode'];
  decode: Wire['decode'];
  readCapture: Wire['readCapture'];
  decodeCaptured: Wire['decodeCaptured'];
}

/** What is asked of the build before as well: it makes the corpus. */
interface Making {
  properties: Suites['properties'];
  generateChunk: Suites['generateChunk'];
  defaultConfig: Adapters['defaultConfig'];
}

/** A built checkout, by the entries that are asked of it. */
export interface Build extends Judging {
  /** folder of the checkout */
  folder: string;
}

/** A mutant of a build, and the rules that it is known to break. */
export interface KnownMutant {
  readonly id: string;
  readonly rules: readonly string[];
}

/** A build that makes the corpus. */
export interface MakingBuild extends Build, Making {
  mutants: (rules: RuleSet) => readonly KnownMutant[];
}

/** Files of a build that may hold a name: the public entry first, then where builds had it before it was public. */
const places: Readonly<Record<keyof Judging | keyof Making, readonly string[]>> = {
  loadRules: ['oracle/index.js'],
  judgeTrace: ['oracle/index.js'],
  BenchSession: ['cli/suites-entry.js', 'suites/index.js'],
  referenceAdapter: ['adapters/index.js'],
  encode: ['wire/index.js'],
  decode: ['wire/index.js'],
  readCapture: ['wire/index.js'],
  decodeCaptured: ['wire/index.js'],
  properties: ['cli/suites-entry.js', 'suites/index.js'],
  defaultConfig: ['adapters/index.js'],
  generateChunk: ['cli/suites-entry.js', 'suites/index.js', 'suites/runner/generate.js'],
};
const judging = [
  'loadRules',
  'judgeTrace',
  'BenchSession',
  'referenceAdapter',
  'encode',
  'decode',
  'readCapture',
  'decodeCaptured',
] as const satisfies readonly (keyof Judging)[];
const making = ['properties', 'generateChunk', 'defaultConfig'] as const satisfies readonly (keyof Making)[];

async function exported(folder: string, place: string, name: string): Promise<unknown> {
  const file = join(folder, 'dist', place);
  if (!existsSync(file)) return undefined;
  const found = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  return found[name];
}

async function entry(folder: string, name: keyof typeof places): Promise<unknown> {
  for (const place of places[name]) {
    const found = await exported(folder, place, name);
    if (found !== undefined) return found;
  }
  throw new Error(`${folder} has no ${name} in dist/${places[name].join(' or dist/')}: is it built?`);
}

async function entries<T>(folder: string, names: readonly (keyof T & keyof typeof places)[]): Promise<T> {
  if (!existsSync(join(folder, 'dist')))
    throw new Error(`${folder} is not built: there is no dist/ in it (npm run build)`);
  const found = await Promise.all(names.map(async (name) => [name, await entry(folder, name)]));
  return Object.fromEntries(found) as T;
}

/** Loads a build; throws an Error that says what is missing where there is none. */
export async function loadBuild(path: string): Promise<Build> {
  const folder = resolve(path);
  return { folder, ...(await entries<Judging>(folder, judging)) };
}

/** The same of the build before. */
export async function loadMakingBuild(path: string): Promise<MakingBuild> {
  const folder = resolve(path);
  const parts = { ...(await loadBuild(folder)), ...(await entries<Making>(folder, making)) };
  const load = ((await exported(folder, 'cli/suites-entry.js', 'loadMutants')) ??
    (await exported(folder, 'suites/index.js', 'loadMutants'))) as Suites['loadMutants'] | undefined;
  if (load !== undefined) return { ...parts, mutants: load };
  // builds in which they were a table in TypeScript
  const table = await exported(folder, 'suites/mutants/index.js', 'expectedMutants');
  return { ...parts, mutants: () => (table ?? []) as readonly KnownMutant[] };
}

/** Folders of the sources. */
const rooms = ['spec', 'wire', 'oracle', 'adapters', 'suites', 'report', 'cli'];

function newest(folder: string, wanted: RegExp): number {
  if (!existsSync(folder)) return 0;
  let latest = 0;
  for (const found of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, found.name);
    if (found.isDirectory()) latest = Math.max(latest, newest(path, wanted));
    else if (wanted.test(found.name)) latest = Math.max(latest, statSync(path).mtimeMs);
  }
  return latest;
}

/** Whether a source of the checkout was changed after its last build. */
export function isStale(folder: string): boolean {
  const sources = rooms.map((room) => newest(join(folder, room), /\.ts$/));
  const info = join(folder, 'dist', '.tsbuildinfo');
  const built = existsSync(info) ? statSync(info).mtimeMs : newest(join(folder, 'dist'), /\.js$/);
  return Math.max(...sources) > built;
}
