import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AdapterUnavailable } from '../../adapter.ts';
import type { Roots } from '../packages.ts';
import { inflate } from './inflate.ts';

/** Loaded in this order, each after what it depends on. Those that `needed` does not name are taken where there are any. */
export const wantedModules = [
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
] as const;

const needed: readonly string[] = ['virtio_pci', 'virtio_net', 'virtio_console', 'ib_uverbs', 'rdma_rxe'];

/** A module as the guest loads it: not compressed. */
export interface KernelModule {
  readonly name: string;
  readonly bytes: Buffer;
}

const asName = (path: string): string | undefined =>
  /^(.*)\.ko(\.xz|\.zst|\.gz)?$/.exec(basename(path))?.[1]?.replaceAll('-', '_');

/** Paths of the modules of a tree. A tree in which a kernel was built lists them; the files of any other one are searched. */
function modulePaths(tree: string): string[] {
  const list = join(tree, 'modules.order');
  const listed = existsSync(list) ? readFileSync(list, 'utf8').split('\n') : [];
  const built = listed.map((line) => join(tree, line.replace(/^kernel\//, '').replace(/\.o$/, '.ko')));
  const there = built.filter((path) => path.endsWith('.ko') && existsSync(path));
  if (there.length > 0) return there;
  return readdirSync(tree, { recursive: true, encoding: 'utf8' }).map((entry) => join(tree, entry));
}

/** Names of what is part of the kernel's image, as its build wrote them down. */
function builtIn(tree: string): Set<string> {
  const list = join(tree, 'modules.builtin');
  const lines = existsSync(list) ? readFileSync(list, 'utf8').split('\n') : [];
  return new Set(lines.map((line) => asName(line) ?? ''));
}

async function moduleBytes(roots: Roots, path: string): Promise<Buffer> {
  const bytes = readFileSync(path);
  if (path.endsWith('.xz')) return inflate(roots, bytes, 'xz');
  if (path.endsWith('.zst')) return inflate(roots, bytes, 'zstd');
  return path.endsWith('.gz') ? inflate(roots, bytes, 'gzip') : bytes;
}

/** What a module's `.modinfo` says it depends on. */
export function moduleDependencies(bytes: Buffer): string[] {
  const at = bytes.indexOf('\0depends=');
  if (at < 0) return [];
  const text = bytes.toString('latin1', at + '\0depends='.length, bytes.indexOf(0, at + 1));
  return text === '' ? [] : text.split(',').map((name) => name.replaceAll('-', '_'));
}

/** Where modules are taken from, and which. */
export interface ModulesOf {
  /** a build tree, `/lib/modules/RELEASE` or an unpacked package */
  tree: string;
  /** the kernel's name in a message */
  what: string;
  /** modules that are loaded behind those of the adapter, such as `rdma_ucm` */
  more: readonly string[];
}

/**
 * The modules that the guest loads, in order, each behind those that it depends on. AdapterUnavailable where one is lacking that neither the
 * tree nor the image has.
 */
export async function collectModules(roots: Roots, { tree, what, more }: ModulesOf): Promise<KernelModule[]> {
  const files = new Map(modulePaths(tree).flatMap((path) => [[asName(path) ?? '', path] as const]));
  const order: KernelModule[] = [];
  const seen = new Set<string>();
  const add = async (name: string): Promise<void> => {
    const path = files.get(name);
    if (path === undefined || seen.has(name)) return; // not a file: built into the kernel
    seen.add(name);
    const bytes = await moduleBytes(roots, path);
    for (const dependency of moduleDependencies(bytes)) await add(dependency);
    order.push({ name, bytes });
  };
  for (const name of [...wantedModules, ...more]) await add(name);
  // a list of what is built in is not part of each tree; rdma_rxe is a module nearly everywhere
  const within = builtIn(tree);
  const lacking = [...needed, ...more].filter((name) => !seen.has(name) && !within.has(name));
  if (lacking.includes('rdma_rxe') || (within.size > 0 && lacking.length > 0))
    throw new AdapterUnavailable(
      `rxe: ${what} has no ${lacking.join(', ')}, neither as a module nor built in (searched ${tree})`,
    );
  return order;
}
