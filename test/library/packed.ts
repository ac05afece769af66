import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../project/files.ts';

/** Packs the package as `npm publish` would, and gives the path of the tarball. `dist/` must be there. */
export function pack(into: string): string {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', into];
  const name = execFileSync('npm', args, { cwd: root, encoding: 'utf8' }).trim().split('\n').at(-1) ?? '';
  return join(into, name);
}

/** Unpacks the tarball into a folder, which is made. */
export function unpack(tarball: string, into: string): void {
  mkdirSync(into, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', into]);
}

/**
 * The example project in a folder of its own, with the tarball unpacked where npm would install it. What both depend on is linked
 * from this project: nothing is fetched.
 */
export function installExample(tarball: string, folder: string): void {
  cpSync(join(root, 'examples', 'library'), folder, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  });
  const modules = join(folder, 'node_modules');
  const target = join(modules, 'rdma-conform');
  unpack(tarball, target);
  for (const name of readdirSync(join(root, 'node_modules'))) {
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
}
