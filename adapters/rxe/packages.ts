import { mkdirSync, readdirSync, existsSync, lstatSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { AdapterUnavailable } from '../adapter.ts';
import { cached } from './cache.ts';
import { run } from './run.ts';

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

const noApt =
  'rxe: no apt-get here; the guest is made of Debian packages (qemu-system-x86, a kernel), so this needs Debian';

/** Runs apt-get; `what` says in a message what was wanted of it. */
async function aptGet(argv: readonly string[], what: string, cwd?: string): Promise<string> {
  const result = await run(['apt-get', '-q', ...argv], cwd === undefined ? {} : { cwd });
  if (result.code === 127) throw new AdapterUnavailable(noApt);
  if (result.code !== 0) {
    const reason = result.stderr.split('\n').find((line) => line.startsWith('E:')) ?? result.stderr.trim();
    throw new AdapterUnavailable(`rxe: apt-get could not ${what}: ${reason.replace(/^E: /, '')}`);
  }
  return result.stdout.toString();
}

/** Fills empty package lists, which only root can. */
async function refreshLists(log: (line: string) => void): Promise<void> {
  if (lookIn(['/']).find('bin/apt-get') === undefined) throw new AdapterUnavailable(noApt);
  if (process.getuid?.() !== 0)
    throw new AdapterUnavailable(
      'rxe: apt knows no packages yet; run `apt-get update` as root once, then this works without root',
    );
  log('updating the package lists');
  await aptGet(['update'], 'update its package lists');
}

const listsAreEmpty = (): boolean => {
  try {
    return !readdirSync('/var/lib/apt/lists').some((name) => /Packages/.test(name));
  } catch {
    return true;
  }
};

/** Downloads packages by apt and unpacks them below `directory`. AdapterUnavailable where that is impossible. */
export async function unpackPackages(
  names: readonly string[],
  directory: string,
  log: (line: string) => void,
): Promise<void> {
  const debs = join(directory, '.debs');
  mkdirSync(debs, { recursive: true });
  const what =
    names.length === 1
      ? (names[0] ?? '')
      : `${names.length} Debian packages (${names.slice(0, 3).join(', ')}...)`;
  log(`downloading ${what}`);
  // root's downloads drop to user _apt, which may not write here; the warning is not worth a failure
  await aptGet(['-o', 'APT::Sandbox::User=root', 'download', ...names], `download ${what}`, debs);
  for (const deb of readdirSync(debs)) {
    const result = await run(['dpkg', '-x', join(debs, deb), directory]);
    if (result.code !== 0)
      throw new AdapterUnavailable(`rxe: dpkg -x ${deb} failed: ${result.stderr.trim()}`);
  }
  rmSync(debs, { recursive: true });
}

/** The package that a meta package stands for now, e.g. `linux-image-amd64`; `undefined` if apt does not know it. */
export async function dependencyOf(meta: string, log: (line: string) => void): Promise<string | undefined> {
  if (listsAreEmpty()) await refreshLists(log);
  const result = await run(['apt-cache', 'depends', meta]);
  if (result.code === 127) throw new AdapterUnavailable(noApt);
  return /Depends: (\S+)/.exec(result.stdout.toString())?.[1];
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
    if (listsAreEmpty()) await refreshLists(log);
    const plan = await aptGet(
      ['-s', '--no-install-recommends', '-o', 'Debug::NoLocking=1', 'install', ...missing],
      `find ${missing.join(', ')}`,
    );
    const names = [...plan.matchAll(/^Inst (\S+)/gm)].map((m) => m[1] ?? '');
    // a package apt calls installed may still lack the file, e.g. in a slimmed container
    await unpackPackages([...new Set([...names, ...missing])], directory, log);
  });
  const roots = lookIn(['/', tree]);
  const lacking = missing.find((name) => roots.find(wanted[name] ?? '') === undefined);
  if (lacking !== undefined)
    throw new AdapterUnavailable(`rxe: Debian package ${lacking} does not contain ${wanted[lacking]}`);
  return roots;
}
