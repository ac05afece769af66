import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AdapterUnavailable } from '../adapter.ts';
import { cacheDirectory, cached } from './cache.ts';
import { dependencyOf, unpackPackages } from './packages.ts';
import type { Roots } from './packages.ts';
import { run } from './run.ts';

/** Kernel series of Debian that the guest can run. */
export const kernels = ['6.1', '6.12'] as const;
export type KernelSeries = (typeof kernels)[number];

/** A kernel ready for the guest: an ELF `vmlinux` and the modules to load, in order, in `modules/`. */
export interface GuestKernel {
  package: string;
  directory: string;
  modules: readonly string[];
}

/** Loaded in this order, each after what it depends on. */
const wantedModules = [
  'virtio_pci',
  'virtio_net',
  'virtio_console',
  'crc32_generic',
  'crc32_pclmul',
  'ib_uverbs',
  'rdma_rxe',
  // for devices with a wire within the guest
  'af_packet',
  'veth',
];

/** Where a package's kernel lies in the cache: one that was unpacked for other modules is of no use. */
const placeOf = (name: string): string =>
  `${name}_${createHash('sha256').update(wantedModules.join()).digest('hex').slice(0, 8)}`;

/** Modules of a tree by name (`-` read as `_`). */
function moduleFiles(tree: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(tree, { recursive: true, encoding: 'utf8' })) {
    const match = /^(.*)\.ko(\.xz|\.zst)?$/.exec(basename(entry));
    if (match?.[1] !== undefined) found.set(match[1].replaceAll('-', '_'), join(tree, entry));
  }
  return found;
}

async function inflate(roots: Roots, bytes: Buffer, magic: 'xz' | 'zstd'): Promise<Buffer> {
  const tool = roots.find(`bin/${magic}`) ?? magic;
  // trailing bytes after the stream make the tools complain after they have written all of it
  return (await run([tool, '-dc'], { input: bytes, env: roots.env })).stdout;
}

async function moduleBytes(roots: Roots, path: string): Promise<Buffer> {
  const bytes = readFileSync(path);
  if (path.endsWith('.xz')) return inflate(roots, bytes, 'xz');
  return path.endsWith('.zst') ? inflate(roots, bytes, 'zstd') : bytes;
}

/** What a module's `.modinfo` says it depends on. */
export function moduleDependencies(bytes: Buffer): string[] {
  const at = bytes.indexOf('\0depends=');
  if (at < 0) return [];
  const text = bytes.toString('latin1', at + '\0depends='.length, bytes.indexOf(0, at + 1));
  return text === '' ? [] : text.split(',').map((name) => name.replaceAll('-', '_'));
}

/** The ELF kernel inside a bzImage: QEMU starts it at once, while the guest would need seconds to unpack it. */
async function extractVmlinux(roots: Roots, bzImage: Buffer): Promise<Buffer> {
  const kinds = [
    ['xz', Buffer.from('fd377a585a00', 'hex')],
    ['zstd', Buffer.from('28b52ffd', 'hex')],
  ] as const;
  for (const [kind, magic] of kinds)
    for (let at = bzImage.indexOf(magic); at >= 0; at = bzImage.indexOf(magic, at + 1)) {
      const out = await inflate(roots, bzImage.subarray(at), kind);
      if (out.readUInt32BE(0) === 0x7f454c46) return out;
    }
  throw new AdapterUnavailable('rxe: no ELF kernel found in the Debian kernel image');
}

async function collectModules(roots: Roots, tree: string, to: string): Promise<string[]> {
  const files = moduleFiles(tree);
  const order: string[] = [];
  const seen = new Set<string>();
  const add = async (name: string): Promise<void> => {
    const path = files.get(name);
    if (path === undefined || seen.has(name)) return; // not a file: built into the kernel
    seen.add(name);
    const bytes = await moduleBytes(roots, path);
    for (const dependency of moduleDependencies(bytes)) await add(dependency);
    writeFileSync(join(to, `${name}.ko`), bytes);
    order.push(name);
  };
  for (const name of wantedModules) await add(name);
  if (!seen.has('rdma_rxe')) throw new AdapterUnavailable('rxe: the Debian kernel has no module rdma_rxe');
  return order;
}

async function packageOf(series: KernelSeries, log: (line: string) => void): Promise<string> {
  // Debian's own kernel changes its series from release to release
  const seen: string[] = [];
  for (const meta of ['linux-image-amd64', `linux-image-${series}-amd64`]) {
    const found = await dependencyOf(meta, log);
    if (found?.startsWith(`linux-image-${series}.`)) return found;
    if (found !== undefined) seen.push(found);
  }
  throw new AdapterUnavailable(
    `rxe: apt offers no Debian kernel ${series} here, but ${seen.join(', ') || 'none at all'} (rxe:kernel=SERIES chooses one of ${kernels.join(', ')})`,
  );
}

/** Which package is current, asked again when apt's lists have changed since the last answer. */
async function currentPackage(series: KernelSeries, log: (line: string) => void): Promise<string> {
  const note = join(cacheDirectory(), `kernel-${series}`);
  const known = existsSync(note) ? readFileSync(note, 'utf8') : '';
  const lists = '/var/lib/apt/lists';
  const fresh = known !== '' && (!existsSync(lists) || statSync(lists).mtimeMs <= statSync(note).mtimeMs);
  const usable = known !== '' && existsSync(join(cacheDirectory(), 'kernel', placeOf(known)));
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

/** Downloads and unpacks Debian's kernel of a series, or takes it from the cache. */
export async function provideKernel(
  series: KernelSeries,
  roots: Roots,
  log: (line: string) => void,
): Promise<GuestKernel> {
  const name = await currentPackage(series, log);
  const directory = await cached('kernel', placeOf(name), async (draft) => {
    const tree = join(draft, 'tree');
    mkdirSync(tree);
    await unpackPackages([name], tree, log);
    log(`unpacking ${name}`);
    const image = readdirSync(join(tree, 'boot')).find((file) => file.startsWith('vmlinuz-'));
    if (image === undefined) throw new AdapterUnavailable(`rxe: Debian package ${name} has no boot/vmlinuz`);
    writeFileSync(
      join(draft, 'vmlinux'),
      await extractVmlinux(roots, readFileSync(join(tree, 'boot', image))),
    );
    mkdirSync(join(draft, 'modules'));
    const order = await collectModules(roots, tree, join(draft, 'modules'));
    writeFileSync(join(draft, 'order'), order.join('\n'));
    rmSync(tree, { recursive: true });
  });
  return { package: name, directory, modules: readFileSync(join(directory, 'order'), 'utf8').split('\n') };
}
