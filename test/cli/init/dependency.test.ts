import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { dependencyOf } from '../../../cli/init/dependency.ts';
import { temporaryFolder } from '../command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});

/** A package that npm installed, with what its lock file says, or nothing. */
function installed(name: string, lock: string | undefined): string {
  const modules = join(folder.path, name, 'node_modules');
  const packageRoot = join(modules, 'rdma-conform');
  mkdirSync(packageRoot, { recursive: true });
  if (lock !== undefined) writeFileSync(join(modules, '.package-lock.json'), lock);
  return packageRoot;
}

const lock = (resolved: string): string =>
  JSON.stringify({ packages: { 'node_modules/rdma-conform': { version: '1.2.3', resolved } } });

describe('what a new project depends on', () => {
  it.each([
    ['a registry', lock('https://registry.npmjs.org/rdma-conform/-/rdma-conform-1.2.3.tgz'), '^1.2.3'],
    ['a tarball', lock('file:../rdma-conform-1.2.3.tgz'), 'file:../../rdma-conform-1.2.3.tgz'],
    ['a link to a clone', lock('file:../clone'), 'file:../../clone'],
    ['a repository', lock('git+ssh://git@example.com/r.git#abc'), 'git+ssh://git@example.com/r.git#abc'],
    ['an archive on a site', lock('https://example.com/r/1.2.3.tgz'), 'https://example.com/r/1.2.3.tgz'],
    ['another package manager', undefined, '^1.2.3'],
    ['a lock file that is damaged', '{', '^1.2.3'],
  ])('is the package of %s', (name, text, wanted) => {
    const from = name.replaceAll(' ', '-');
    const project = join(folder.path, from, 'mine');
    expect(dependencyOf(installed(from, text), project, '1.2.3')).toBe(wanted);
  });

  it('is the clone that the command was started in', () => {
    const clone = join(folder.path, 'src', 'clone');
    expect(dependencyOf(clone, join(folder.path, 'mine'), '1.2.3')).toBe('file:../src/clone');
  });
});
