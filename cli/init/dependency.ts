import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isRecord } from '../../adapters/agent/check.ts';

/** Where npm says that it had an installed package from: `resolved` of the lock file in `node_modules`; undefined if it says nothing. */
function resolvedOf(packageRoot: string): string | undefined {
  const file = join(dirname(packageRoot), '.package-lock.json');
  if (!existsSync(file)) return undefined;
  let lock: unknown;
  try {
    lock = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
  const packages = isRecord(lock) ? lock['packages'] : undefined;
  const entry = isRecord(packages) ? packages[`node_modules/${basename(packageRoot)}`] : undefined;
  const resolved = isRecord(entry) ? entry['resolved'] : undefined;
  return typeof resolved === 'string' ? resolved : undefined;
}

/** A file or a folder as package.json of `project` names it. */
function fileFrom(project: string, path: string): string {
  return `file:${relative(project, path).replaceAll('\\', '/') || '.'}`;
}

/**
 * What package.json of a new project says of this package, so that `npm install` there finds the same one: its version where it came from a
 * registry, otherwise the tarball, the repository or the clone that it came from. `project` and `packageRoot` are absolute paths.
 */
export function dependencyOf(packageRoot: string, project: string, version: string): string {
  const modules = dirname(packageRoot);
  if (basename(modules) !== 'node_modules') return fileFrom(project, packageRoot);
  const resolved = resolvedOf(packageRoot);
  if (resolved === undefined || /^https?:.*\/-\/[^/]+\.tgz$/.test(resolved)) return `^${version}`;
  if (!resolved.startsWith('file:')) return resolved;
  return fileFrom(project, resolve(dirname(modules), resolved.slice('file:'.length)));
}
