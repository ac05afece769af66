// Second step of `npm run build`: bundles the code into dist/, so that a command starts in half the time, with the YAML that each start
// reads as JSON; the agent of the guest, which has no packages to resolve, is one file. Comments, indentation and the names of locals go:
// the declarations carry the docstrings. No source maps.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { parse } from 'yaml';
import { parsedFile, specDirectory } from '../spec/load.ts';
import { bundleForGuest } from './guest-bundle.ts';
import { replaceFile } from './replace-file.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');

interface Manifest {
  bin: Record<string, string>;
  exports: Record<string, string | { default: string }>;
}

/** Sources that become files of their own: what package.json names, bodies of threads, and what our tests load by its place. */
function entries(): string[] {
  const { bin, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const named = [
    ...Object.values(bin),
    ...Object.values(exports).map((e) => (typeof e === 'string' ? e : e.default)),
  ]
    .filter((path) => path.endsWith('.js'))
    .map((path) => relative(dist, join(root, path)).replace(/\.js$/, '.ts'));
  const threads = readdirSync(join(root, 'cli'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(`${sep}worker.ts`))
    .map((path) => join('cli', path));
  return [...new Set([...named, ...threads, 'oracle/index.ts', 'adapters/stdio/serve.ts'])];
}

/** A YAML file, or those of a folder. */
function yamlFiles(path: string): string[] {
  return path.endsWith('.yaml') ? [path] : readdirSync(path).map((name) => join(path, name));
}

const isChunk = (path: string): boolean => path.startsWith(join(dist, 'chunks'));

const { outputFiles } = await build({
  entryPoints: entries(),
  outbase: root,
  outdir: dist,
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  write: false,
  minifyWhitespace: true,
  minifySyntax: true,
  // nothing asks a function for its name; they are 6 % of the package, and more is left for pages
  minifyIdentifiers: true,
  // the place in a stack trace says something; lines of 320 bytes cost 9 kB more of the package
  lineLimit: 2000,
  logLevel: 'warning',
});
const files = new Map(outputFiles.map(({ path, contents }): [string, Uint8Array] => [path, contents]));
files.set(join(dist, 'agent.js'), Buffer.from(await bundleForGuest(join(root, 'adapters/agent/main.ts'))));

for (const name of ['constants', 'meanings.yaml', 'sources.yaml'])
  for (const path of yamlFiles(join(specDirectory, name))) {
    const text = readFileSync(path, 'utf8');
    files.set(parsedFile(text), Buffer.from(JSON.stringify(parse(text))));
  }

// Programs may load dist/ meanwhile: no file is ever half there, and chunks are there before what imports them.
const chunksFirst = [...files].toSorted(([a], [b]) => Number(isChunk(b)) - Number(isChunk(a)));
for (const [path, contents] of chunksFirst) replaceFile(path, contents);
for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' }))
  if (/\.js(\.map)?$|^parsed\b/.test(path) && extname(path) !== '' && !files.has(join(dist, path)))
    rmSync(join(dist, path));
