import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { AdapterUnavailable } from '../../adapter.ts';
import { cacheDirectory, cached } from '../cache.ts';
import { dependencyOf, unpackPackages } from '../packages.ts';
import type { Roots } from '../packages.ts';
import { kernels, type KernelSeries } from './choice.ts';
import { bootable } from './image.ts';
import { collectModules, wantedModules } from './modules.ts';
import { readKernel, writeKernel, type GuestKernel } from './folder.ts';

/** Where a package's kernel lies in the cache: one that was unpacked for other modules is of no use. */
const placeOf = (name: string, more: readonly string[]): string =>
  `${name}_${createHash('sha256')
    .update([...wantedModules, ...more].join())
    .digest('hex')
    .slice(0, 8)}`;

async function packageOf(series: KernelSeries, log: (line: string) => void): Promise<string> {
  // Debian's own kernel changes its series from release to release
  const seen: string[] = [];
  for (const meta of ['linux-image-amd64', `linux-image-${series}-amd64`]) {
    const found = await dependencyOf(meta, log);
    if (found?.startsWith(`linux-image-${series}.`)) return found;
    if (found !== undefined) seen.push(found);
  }
  throw new AdapterUnavailable(
    `rxe: apt offers no Debian kernel ${series} here, but ${seen.join(', ') || 'none at all'} (rxe:kernel=SERIES chooses one of ${kernels.join(', ')}; rxe:kernel=PACKAGE and rxe:kernel=PATH take others)`,
  );
}

/** Which package is current, asked again when apt's lists have changed since the last answer. */
async function currentPackage(
  series: KernelSeries,
  more: readonly string[],
  log: (line: string) => void,
): Promise<string> {
  const note = join(cacheDirectory(), `kernel-${series}`);
  const known = existsSync(note) ? readFileSync(note, 'utf8') : '';
  const lists = '/var/lib/apt/lists';
  const fresh = known !== '' && (!existsSync(lists) || statSync(lists).mtimeMs <= statSync(note).mtimeMs);
  const usable = known !== '' && existsSync(join(cacheDirectory(), 'kernel', placeOf(known, more)));
  if (fresh && usable) return known;
  try {
    const name = await packageOf(series, log);
    mkdirSync(cacheDirectory(), { recursive: true });
    writeFileSync(note, name);
    return name;
  } catch (error) {
    if (usable) return known; // offline: what was unpacked before still works
    throw error;
  }
}

/** Downloads and unpacks a kernel package of Debian, or takes it from the cache. */
export async function debianPackage(
  name: string,
  more: readonly string[],
  roots: Roots,
  log: (line: string) => void,
): Promise<GuestKernel> {
  const directory = await cached('kernel', placeOf(name, more), async (draft) => {
    const tree = join(draft, 'tree');
    mkdirSync(tree);
    await unpackPackages([name], tree, log);
    log(`unpacking ${name}`);
    const boot = join(tree, 'boot');
    const image = existsSync(boot)
      ? readdirSync(boot).find((file) => file.startsWith('vmlinuz-'))
      : undefined;
    if (image === undefined) throw new AdapterUnavailable(`rxe: Debian package ${name} has no boot/vmlinuz`);
    writeKernel(draft, {
      image: await bootable(roots, readFileSync(join(boot, image)), name),
      modules: await collectModules(roots, { tree, what: `Debian package ${name}`, more }),
    });
    rmSync(tree, { recursive: true });
  });
  return readKernel(name, directory);
}

/** The current kernel of a series of Debian. */
export async function debianSeries(
  series: KernelSeries,
  more: readonly string[],
  roots: Roots,
  log: (line: string) => void,
): Promise<GuestKernel> {
  return debianPackage(await currentPackage(series, more, log), more, roots, log);
}
