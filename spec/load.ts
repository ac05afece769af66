import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { yaml } from './yaml.ts';

function findSpecDirectory(): string {
  for (let dir = dirname(fileURLToPath(import.meta.url)); ; dir = dirname(dir)) {
    const candidate = join(dir, 'spec', 'constants', 'opcodes.yaml');
    if (existsSync(candidate)) return join(dir, 'spec');
    if (dirname(dir) === dir) throw new Error('rdma-conform: the spec/ folder of the package is missing');
  }
}

/** Absolute path of the `spec/` folder: beside the sources, and beside `dist/` in an installed package. */
export const specDirectory = findSpecDirectory();

/** Absolute path of a file that `npm run build` made, by its place below `dist/`. */
export function builtFile(place: string): string {
  return join(dirname(specDirectory), 'dist', place);
}

/** Where `npm run build` keeps the contents of a YAML file with this text as JSON, which is read in a tenth of the time. */
export function parsedFile(text: string): string {
  return builtFile(join('parsed', `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.json`));
}

/** Parsed YAML of one file below `spec/`; the caller validates its shape. */
export function loadSpecYaml(relativePath: string): unknown {
  const text = readFileSync(join(specDirectory, relativePath), 'utf8');
  const kept = parsedFile(text);
  return existsSync(kept)
    ? (JSON.parse(readFileSync(kept, 'utf8')) as unknown)
    : (yaml().parse(text) as unknown);
}
