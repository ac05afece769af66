import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

type Oracle = typeof import('../../oracle/index.ts');
type Suites = typeof import('../../suites/index.ts');
type Adapters = typeof import('../../adapters/index.ts');
type Wire = typeof import('../../wire/index.ts');

/** Public entries of one built checkout, which are all that is asked of the build under test. */
export interface Build {
  /** folder of the checkout */
  folder: string;
  loadRules: Oracle['loadRules'];
  judgeTrace: Oracle['judgeTrace'];
  BenchSession: Suites['BenchSession'];
  properties: Suites['properties'];
  generateChunk: Suites['generateChunk'];
  referenceAdapter: Adapters['referenceAdapter'];
  decode: Wire['decode'];
}

type Entries = Omit<Build, 'folder'>;

/** Files of a build that may hold a name: the public entry first, then where builds had it before it was public. */
const places: Readonly<Record<keyof Entries, readonly string[]>> = {
  loadRules: ['oracle/index.js'],
  judgeTrace: ['oracle/index.js'],
  BenchSession: ['suites/index.js'],
  properties: ['suites/index.js'],
  generateChunk: ['suites/index.js', 'suites/runner/generate.js'],
  referenceAdapter: ['adapters/index.js'],
  decode: ['wire/index.js'],
};

async function entry(folder: string, name: keyof Entries): Promise<unknown> {
  for (const place of places[name]) {
    const file = join(folder, 'dist', place);
    if (!existsSync(file)) continue;
    const found = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
    if (found[name] !== undefined) return found[name];
  }
  throw new Error(`${folder} has no ${name} in dist/${places[name].join(' or dist/')}: is it built?`);
}

/** Loads a build; throws an Error that says what is missing where there is none. */
export async function loadBuild(path: string): Promise<Build> {
  const folder = resolve(path);
  if (!existsSync(join(folder, 'dist')))
    throw new Error(`${folder} is not built: there is no dist/ in it (npm run build)`);
  const names = Object.keys(places) as (keyof Entries)[];
  const found = await Promise.all(names.map(async (name) => [name, await entry(folder, name)]));
  return { folder, ...(Object.fromEntries(found) as Entries) };
}

const compiled = ['spec', 'wire', 'oracle', 'adapters', 'suites', 'report', 'cli'];

function newest(folder: string, wanted: RegExp): number {
  let latest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) latest = Math.max(latest, newest(path, wanted));
    else if (wanted.test(entry.name)) latest = Math.max(latest, statSync(path).mtimeMs);
  }
  return latest;
}

/** Whether a source of the checkout was changed after its last build. */
export function isStale(folder: string): boolean {
  const sources = compiled.map((room) => newest(join(folder, room), /\.ts$/));
  const info = join(folder, 'dist', '.tsbuildinfo');
  const built = existsSync(info) ? statSync(info).mtimeMs : newest(join(folder, 'dist'), /\.js$/);
  return Math.max(...sources) > built;
}
