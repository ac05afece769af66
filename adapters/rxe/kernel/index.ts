import type { Roots } from '../packages.ts';
import type { KernelChoice } from './choice.ts';
import { debianPackage, debianSeries, debianSuite } from './debian.ts';
import type { GuestKernel } from './folder.ts';
import { ownKernel } from './own.ts';

/**
 * Has a kernel at hand: downloads one of Debian, takes it from the cache, or from this machine. `more`: modules that the guest loads behind
 * those of the adapter. AdapterUnavailable if that cannot be.
 */
export async function provideKernel(
  choice: KernelChoice,
  more: readonly string[],
  roots: Roots,
  log: (line: string) => void,
): Promise<GuestKernel> {
  switch (choice.kind) {
    case 'series':
      return debianSeries(choice.series, more, roots, log);
    case 'suite':
      return debianSuite(choice, more, roots, log);
    case 'package':
      return debianPackage(choice.name, more, roots, log);
    case 'path':
      return ownKernel(choice, more, roots, log);
  }
}
