// `npm run build`: compiles to dist/, keeps the declarations that the entries lead to, proves the rules and keeps the proof there, and makes the command executable.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { placeDeclarations } from './declarations.js';
import { stripComments } from './strip.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const compiler = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin',
  'tsc',
);

/** Runs a script of Node's with this terminal; its exit status. */
function node(...args) {
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

const compiled = node(compiler, '-p', 'tsconfig.build.json');

placeDeclarations(root);
if (existsSync(join(root, 'dist'))) await stripComments(join(root, 'dist'));

const command = join('dist', 'cli', 'main.js');
if (existsSync(join(root, command))) chmodSync(join(root, command), 0o755);

const prover = join('dist', 'oracle', 'compile', 'snapshot.js');
const proved = existsSync(join(root, prover)) ? node(prover) : 1;

process.exit(compiled || proved);
