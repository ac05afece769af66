// `npm run build`: checks the types, keeps the declarations that the entries lead to, bundles the code into dist/, proves the rules and keeps
// the proof there, and makes the command executable.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { placeDeclarations } from './declarations.js';

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

const checked = node(compiler, '-p', 'tsconfig.build.json');
placeDeclarations(root);

const tsx = ['--import', 'tsx'];
// what could be bundled is there, also where a type is wrong
const bundled = node(...tsx, 'scripts/bundle.ts');
const proved = node(...tsx, 'oracle/compile/snapshot.ts');

const command = join(root, 'dist', 'cli', 'main.js');
if (existsSync(command)) chmodSync(command, 0o755);

process.exit(checked || bundled || proved);
