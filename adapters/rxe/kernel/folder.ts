import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KernelModule } from './modules.ts';

/** A kernel ready for the guest: `vmlinux` (an ELF or a bzImage) and the modules to load, in order, in `modules/`. */
export interface GuestKernel {
  /** tells it from all others */
  readonly name: string;
  readonly directory: string;
  readonly modules: readonly string[];
}

/** Writes what `readKernel` reads into an empty folder of the cache. */
export function writeKernel(
  directory: string,
  { image, modules }: { image: Buffer; modules: readonly KernelModule[] },
): void {
  writeFileSync(join(directory, 'vmlinux'), image);
  mkdirSync(join(directory, 'modules'));
  for (const { name, bytes } of modules) writeFileSync(join(directory, 'modules', `${name}.ko`), bytes);
  writeFileSync(join(directory, 'order'), modules.map(({ name }) => name).join('\n'));
}

/** A kernel of the cache. `name` tells it from all others. */
export function readKernel(name: string, directory: string): GuestKernel {
  const order = readFileSync(join(directory, 'order'), 'utf8');
  return { name, directory, modules: order === '' ? [] : order.split('\n') };
}
