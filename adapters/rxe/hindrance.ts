import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from './cache.ts';
import type { KernelSeries } from './kernel/choice.ts';
import { lookIn } from './packages.ts';

const packageLists = '/var/lib/apt/lists';

/**
 * Why a guest could not be started here without large downloads (tests skip then, and say so), or `undefined`. A run
 * asks for nothing of the kind: it downloads what is missing.
 */
export function guestHindrance(kernel: KernelSeries): string | undefined {
  if (process.arch !== 'x64' || process.platform !== 'linux')
    return `the guest needs Linux on x64, this is ${process.platform} ${process.arch}`;
  if (lookIn(['/']).find('bin/qemu-system-x86_64') === undefined) return 'qemu-system-x86 is not installed';
  if (existsSync(join(cacheDirectory(), `kernel-${kernel}`))) return undefined;
  const lists = existsSync(packageLists) ? readdirSync(packageLists) : [];
  return lists.some((name) => name.includes('Packages'))
    ? undefined
    : 'no kernel in the cache and apt knows none';
}
