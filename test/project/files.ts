import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Paths of the files under version control, and of new ones that are not ignored, relative to the root. */
export function projectFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  });
  return listed.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
}

export function readProjectFile(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Specifiers of every static, dynamic and type-level import or re-export in a TypeScript source. */
export function importsOf(source: string): string[] {
  const pattern =
    /(?:^|[\s;])(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
  return [...source.matchAll(pattern)].map(([, plain, dynamic]) => plain ?? dynamic ?? '');
}

/** Where a relative import leads, relative to the root; undefined for a package. */
export function importTarget(from: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.normalize(posix.join(posix.dirname(from), specifier)) : undefined;
}
