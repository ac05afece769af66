// `npm run build`: compiles to dist/ and makes the command executable, which tsc does not.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], {
  stdio: 'inherit',
});

const command = join(root, 'dist', 'cli', 'main.js');
if (existsSync(command)) chmodSync(command, 0o755);
process.exit(status ?? 1);
