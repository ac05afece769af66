import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { AdapterUnavailable } from '../adapter.ts';
import type { CpioEntry } from './cpio.ts';
import { writeCpio } from './cpio.ts';
import type { GuestKernel } from './kernel/folder.ts';
import type { Roots } from './packages.ts';
import { run } from './run.ts';

const libraryFolder = 'lib/x86_64-linux-gnu';

/** The first process of the guest: modules, then the agent; the machine goes when the agent goes. */
const init = `#!/bin/sh
mount -t proc none /proc; mount -t sysfs none /sys; mount -t devtmpfs none /dev 2>/dev/null
for m in $(cat /modules/order); do insmod /modules/$m.ko || echo "insmod $m failed"; done
export PATH=/usr/bin:/bin HOME=/run
sysctl -qw net.ipv6.conf.default.router_solicitations=0 net.ipv6.conf.all.router_solicitations=0
/bin/ip link set lo up
for p in /sys/class/virtio-ports/*; do [ "$(cat $p/name)" = rdma.agent ] && PORT=/dev/\${p##*/}; done
echo "starting the agent on $PORT"
cd /agent && node agent.mjs $PORT rxe0
echo "the agent ended: $?"
poweroff -f
`;

const applets = [
  'sh',
  'mount',
  'insmod',
  'cat',
  'echo',
  'poweroff',
  'sysctl',
  'sleep',
  'kill',
  'dmesg',
  'ls',
];

/** Paths of the shared libraries a program or library needs, by the machine's own loader. */
async function librariesOf(roots: Roots, path: string): Promise<string[]> {
  const result = await run(['ldd', path], { env: roots.env });
  const text = result.stdout.toString();
  const lost = /^\s*(\S+) => not found/m.exec(text)?.[1];
  if (lost !== undefined)
    throw new AdapterUnavailable(`rxe: ${basename(path)} needs the library ${lost}, which is not here`);
  return [...text.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map((match) => match[1] ?? '');
}

/** The rxe provider; its name carries rdma-core's version of the interface, which differs between releases. */
function findProvider(roots: Roots): string {
  const isProvider = (name: string): boolean => /^librxe-rdmav\d+\.so$/.test(name);
  for (const root of roots.roots)
    for (const place of [join(root, 'usr', libraryFolder), join(root, libraryFolder)]) {
      const directory = join(place, 'libibverbs');
      const name = existsSync(directory) ? readdirSync(directory).find(isProvider) : undefined;
      if (name !== undefined) return join(directory, name);
    }
  throw new AdapterUnavailable('rxe: Debian package ibverbs-providers has no librxe here');
}

function folder(from: string, to: string, skip: RegExp): CpioEntry[] {
  return readdirSync(from, { recursive: true, encoding: 'utf8' })
    .filter((name) => !skip.test(name) && statSync(join(from, name)).isFile())
    .toSorted()
    .map((name) => ({
      kind: 'file',
      path: `${to}/${name}`,
      mode: 0o755,
      bytes: readFileSync(join(from, name)),
    }));
}

function koffiEntries(): CpioEntry[] {
  const require = createRequire(import.meta.url);
  const main = dirname(require.resolve('koffi'));
  const native = dirname(createRequire(join(main, 'x.js')).resolve('@koromix/koffi-linux-x64'));
  return [
    ...folder(main, 'agent/node_modules/koffi', /^(doc|vendor|lib)\/|\.(cc|hh|h|S|md)$/),
    ...folder(native, 'agent/node_modules/@koromix/koffi-linux-x64', /^musl/),
  ];
}

/**
 * The guest's whole file system as an initramfs: busybox, ip and rdma, libibverbs with the rxe provider, this Node,
 * koffi, the agent, and `programs` (absolute places such as `/usr/bin/ibv_rc_pingpong`) with their libraries.
 */
export async function buildImage(options: {
  roots: Roots;
  kernel: GuestKernel;
  agent: string;
  programs: readonly string[];
}): Promise<Buffer> {
  const { roots, kernel } = options;
  const entries: CpioEntry[] = ['proc', 'sys', 'dev', 'tmp', 'run'].map((path) => ({
    kind: 'directory',
    path,
  }));
  const libraries = new Set<string>();
  const file = (path: string, from: string): void =>
    void entries.push({ kind: 'file', path, mode: 0o755, bytes: readFileSync(from) });
  const need = (place: string): string => {
    const found = roots.find(place);
    if (found === undefined) throw new AdapterUnavailable(`rxe: ${place} is not here`);
    return found;
  };
  const binary = async (path: string, from: string): Promise<void> => {
    file(path, from);
    for (const library of await librariesOf(roots, from)) libraries.add(library);
  };

  entries.push({ kind: 'file', path: 'init', mode: 0o755, bytes: Buffer.from(init) });
  file('bin/busybox', need('bin/busybox'));
  for (const name of applets) entries.push({ kind: 'link', path: `bin/${name}`, target: 'busybox' });
  await binary('bin/ip', need('bin/ip'));
  await binary('bin/rdma', need('bin/rdma'));
  await binary('usr/bin/node', process.execPath);
  await binary(`${libraryFolder}/libibverbs.so.1`, need(`${libraryFolder}/libibverbs.so.1`));
  const provider = findProvider(roots);
  await binary(`usr/${libraryFolder}/libibverbs/${basename(provider)}`, provider);
  entries.push({
    kind: 'file',
    path: 'etc/libibverbs.d/rxe.driver',
    mode: 0o644,
    bytes: Buffer.from('driver rxe\n'),
  });
  for (const program of options.programs)
    await binary(program.slice(1), need(program.replace(/^\/(usr\/)?/, '')));
  for (const library of libraries) {
    const name = basename(library);
    if (name === 'libibverbs.so.1') continue;
    file(name.startsWith('ld-linux') ? `lib64/${name}` : `${libraryFolder}/${name}`, library);
  }
  for (const name of kernel.modules)
    file(`modules/${name}.ko`, join(kernel.directory, 'modules', `${name}.ko`));
  entries.push({
    kind: 'file',
    path: 'modules/order',
    mode: 0o644,
    bytes: Buffer.from(kernel.modules.join('\n')),
  });
  entries.push({ kind: 'file', path: 'agent/agent.mjs', mode: 0o644, bytes: Buffer.from(options.agent) });
  return writeCpio([...entries, ...koffiEntries()]);
}
