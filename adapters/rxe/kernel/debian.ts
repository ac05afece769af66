import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { AdapterUnavailable } from '../../adapter.ts';
import { ownApt, suiteApt, type Apt } from '../apt.ts';
import { cached } from '../cache.ts';
import type { Roots } from '../packages.ts';
import { kernelInWords, kernels, type KernelChoice, type KernelSeries } from './choice.ts';
import { currentName, inCache } from './current.ts';
import { bootable, imagesIn } from './image.ts';
import { collectModules, wantedModules } from './modules.ts';
import { readKernel, writeKernel, type GuestKernel } from './folder.ts';

type Log = (line: string) => void;

/** Where a package's kernel lies in the cache: one that was unpacked for other modules is of no use. */
const placeOf = (name: string, more: readonly string[]): string =>
  `${name}_${createHash('sha256')
    .update([...wantedModules, ...more].join())
    .digest('hex')
    .slice(0, 8)}`;

/** The package of a kernel that a meta package stands for; undefined if there is none. */
async function imageOf(apt: Apt, meta: string): Promise<string | undefined> {
  return (await apt.dependenciesOf(meta)).find((name) => /^linux-image-\d/.test(name));
}

async function packageOfSeries(series: KernelSeries, log: Log): Promise<string> {
  const apt = await ownApt(log);
  // Debian's own kernel changes its series from release to release
  const seen: string[] = [];
  for (const meta of ['linux-image-amd64', `linux-image-${series}-amd64`]) {
    const found = await imageOf(apt, meta);
    if (found?.startsWith(`linux-image-${series}.`) === true) return found;
    if (found !== undefined) seen.push(found);
  }
  throw new AdapterUnavailable(
    `rxe: apt offers no Debian kernel ${series} here, but ${seen.join(', ') || 'none at all'} (rxe:kernel=SERIES chooses one of ${kernels.join(', ')}; rxe:kernel=PACKAGE, rxe:kernel=SUITE and rxe:kernel=PATH take others)`,
  );
}

/** Names of releases, such as `6.18.15+deb13`, by their numbers. */
function ascending(names: readonly string[]): string[] {
  return names.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** The package of the current kernel of a suite, or of the newest of one of its series. AdapterUnavailable where it has none. */
export async function packageOfSuite(apt: Apt, suite: string, series: string | undefined): Promise<string> {
  if (series === undefined) {
    const found = await imageOf(apt, 'linux-image-amd64');
    if (found !== undefined) return found;
    throw new AdapterUnavailable(`rxe: Debian ${suite} has no linux-image-amd64`);
  }
  const all = (await apt.namesOf('linux-image-')).filter((name) =>
    /^linux-image-\d+\.\d+\.\d+[^-]*-amd64$/.test(name),
  );
  const found = ascending(all.filter((name) => name.startsWith(`linux-image-${series}.`))).at(-1);
  if (found !== undefined) return found;
  const others = [...new Set(all.map((name) => /\d+\.\d+/.exec(name)?.[0] ?? ''))];
  throw new AdapterUnavailable(
    `rxe: Debian ${suite} has no kernel ${series}, but ${ascending(others).join(', ') || 'none at all'}`,
  );
}

/** The packages that a kernel is split into: newer ones have their image and modules apart from their name. */
export async function partsOf(apt: Apt, name: string): Promise<string[]> {
  const parts = (await apt.dependenciesOf(name)).filter((part) => /^linux-(binary|modules)-\d/.test(part));
  return [name, ...parts];
}

async function unpacked(
  name: string,
  { apt, more, roots, log }: { apt: () => Promise<Apt>; more: readonly string[]; roots: Roots; log: Log },
): Promise<GuestKernel> {
  const directory = await cached('kernel', placeOf(name, more), async (draft) => {
    const tree = join(draft, 'tree');
    mkdirSync(tree);
    const from = await apt();
    await from.unpack(await partsOf(from, name), tree);
    log(`unpacking ${name}`);
    const [image] = imagesIn(tree);
    if (image === undefined) throw new AdapterUnavailable(`rxe: Debian package ${name} has no vmlinuz`);
    writeKernel(draft, {
      image: await bootable(roots, readFileSync(image), name),
      modules: await collectModules(roots, { tree, what: `Debian package ${name}`, more }),
    });
    rmSync(tree, { recursive: true });
  });
  return readKernel(name, directory);
}

/** Downloads and unpacks a kernel package of Debian, or takes it from the cache. */
export async function debianPackage(
  name: string,
  more: readonly string[],
  roots: Roots,
  log: Log,
): Promise<GuestKernel> {
  return unpacked(name, { apt: () => ownApt(log), more, roots, log });
}

/** The current kernel of a series of Debian. */
export async function debianSeries(
  series: KernelSeries,
  more: readonly string[],
  roots: Roots,
  log: Log,
): Promise<GuestKernel> {
  const name = await currentName(series, {
    ask: () => packageOfSeries(series, log),
    changed: '/var/lib/apt/lists',
    usable: (known) => inCache(placeOf(known, more)),
  });
  return debianPackage(name, more, roots, log);
}

/** The current kernel of another suite of Debian, or the newest of one of its series. Its lists are fetched once a day. */
export async function debianSuite(
  choice: Extract<KernelChoice, { kind: 'suite' }>,
  more: readonly string[],
  roots: Roots,
  log: Log,
): Promise<GuestKernel> {
  const { suite, series } = choice;
  const apt = await suiteApt(suite, log);
  const name = await currentName(kernelInWords(choice).replace(' ', '-'), {
    ask: async () => {
      await apt.update();
      return packageOfSuite(apt, suite, series);
    },
    changed: 'daily',
    usable: (known) => inCache(placeOf(known, more)),
  });
  return unpacked(name, { apt: () => Promise.resolve(apt), more, roots, log });
}
