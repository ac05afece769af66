import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { AdapterUnavailable } from '../adapter.ts';
import { ownApt } from './apt.ts';
import { cached } from './cache.ts';

/** Debian packages of the guest and of the tools, with the file by which each is recognised as present. */
export const neededPackages: Readonly<Record<string, string>> = {
  'qemu-system-x86': 'bin/qemu-system-x86_64',
  'busybox-static': 'bin/busybox',
  iproute2: 'bin/rdma',
  libibverbs1: 'lib/x86_64-linux-gnu/libibverbs.so.1',
  'ibverbs-providers': 'etc/libibverbs.d/rxe.driver',
  'xz-utils': 'bin/xz',
  zstd: 'bin/zstd',
};

/** Files of this machine, and of the packages unpacked beside it where this machine lacks them. */
export interface Roots {
  /** directories to look in, `/` first */
  readonly roots: readonly string[];
  /** absolute path of a file by its place below a root, with or without `usr/`; `undefined` if nowhere */
  find(place: string): string | undefined;
  /** the environment in which programs of the unpacked packages find their libraries */
  readonly env: NodeJS.ProcessEnv;
}

/** Follows symbolic links, absolute ones within `root`. */
function resolveIn(root: string, path: string): string | undefined {
  let current = path;
  for (let hops = 0; hops < 10; hops++) {
    try {
      if (!lstatSync(current).isSymbolicLink()) return existsSync(current) ? current : undefined;
    } catch {
      return undefined;
    }
    const target = readlinkSync(current);
    if (!target.startsWith('/')) return existsSync(current) ? realpathSync(current) : undefined;
    current = join(root, target);
  }
  return undefined;
}

export function lookIn(roots: readonly string[]): Roots {
  const extra = roots.filter((root) => root !== '/');
  const libraries = extra.flatMap((root) =>
    ['usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu'].map((place) => join(root, place)),
  );
  const variants = (place: string): string[] => {
    const plain = place.startsWith('bin/') ? [place, `s${place}`] : [place];
    return plain.flatMap((p) => [`usr/${p}`, p]);
  };
  return {
    roots,
    find(place) {
      for (const root of roots)
        for (const variant of variants(place)) {
          const found = resolveIn(root, join(root, variant));
          if (found !== undefined) return found;
        }
      return undefined;
    },
    env: libraries.length === 0 ? {} : { LD_LIBRARY_PATH: libraries.join(':') },
  };
}

/** Finds everything needed on this machine, and downloads what is missing with what it depends on. */
export async function providePackages(
  extra: Readonly<Record<string, string>>,
  log: (line: string) => void,
): Promise<Roots> {
  if (process.arch !== 'x64' || process.platform !== 'linux')
    throw new AdapterUnavailable(
      `rxe: the guest needs Linux on x64, this is ${process.platform} ${process.arch}`,
    );
  const wanted = { ...neededPackages, ...extra };
  const installed = lookIn(['/']);
  const missing = Object.keys(wanted).filter((name) => installed.find(wanted[name] ?? '') === undefined);
  if (missing.length === 0) return installed;
  const key = createHash('sha256').update(missing.toSorted().join()).digest('hex').slice(0, 16);
  const tree = await cached('packages', key, async (directory) => {
    const apt = await ownApt(log);
    const names = await apt.missingFor(missing);
    // a package apt calls installed may still lack the file, e.g. in a slimmed container
    await apt.unpack([...new Set([...names, ...missing])], directory);
  });
  const roots = lookIn(['/', tree]);
  const lacking = missing.find((name) => roots.find(wanted[name] ?? '') === undefined);
  if (lacking !== undefined)
    throw new AdapterUnavailable(`rxe: Debian package ${lacking} does not contain ${wanted[lacking]}`);
  return roots;
}
