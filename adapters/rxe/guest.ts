import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, utimesSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtFile } from '../../spec/load.ts';
import { AdapterBroken, AdapterUnavailable } from '../adapter.ts';
import type { Clock, Wire } from '../adapter.ts';
import { agentClient, greet } from '../agent/client.ts';
import type { AgentClient } from '../agent/client.ts';
import { guestMac } from '../agent/machine.ts';
import type { CallResult } from '../agent/protocol.ts';
import { cached, forget, prune } from './cache.ts';
import { buildImage } from './image.ts';
import { debianKernel, type KernelChoice } from './kernel/choice.ts';
import type { GuestKernel } from './kernel/folder.ts';
import { provideKernel } from './kernel/index.ts';
import { kvmWorks } from './kvm.ts';
import { providePackages } from './packages.ts';
import type { Roots } from './packages.ts';
import { Monitor } from './monitor.ts';
import { startMachine } from './qemu.ts';
import type { Machine } from './qemu.ts';
import { run } from './run.ts';
import { streamWire } from './stream-wire.ts';

export interface GuestOptions {
  /** default: the current one of Debian's series 6.1 */
  kernel?: KernelChoice;
  /** `auto` tries KVM once per machine and falls back; default auto */
  accel?: 'auto' | 'tcg' | 'kvm';
  /** boot anew rather than restore the snapshot; default false */
  fresh?: boolean;
  /** limit of one call, default 60 s */
  callLimitMs?: number;
  /** limit of a boot, default 120 s; a restore gets a quarter of it */
  bootLimitMs?: number;
  /** 1..4: MAC 02::n, IPv4 10.77.0.n, IPv6 fd77::n; default 1 */
  address?: number;
  /** programs to put into the guest, e.g. `{ perftest: ['/usr/bin/ib_write_bw'] }` by Debian package */
  programs?: Readonly<Record<string, readonly string[]>>;
  /** modules to load beside those that a NIC needs, e.g. `rdma_ucm` */
  modules?: readonly string[];
  log?: (line: string) => void;
  /** ends the start, not a guest that runs */
  signal?: AbortSignal;
}

/** A guest that answers: its agent, the wire that ends at its port, and its machine. */
export interface Guest {
  readonly client: AgentClient;
  readonly wire: Wire;
  readonly hello: CallResult<'machine'>;
  readonly machine: Machine;
  /** how it came up, for reports and benchmarks */
  readonly startedBy: 'boot' | 'snapshot';
  readonly startMs: number;
  /** takes the link of the guest's port down or up, as pulling its cable does; the guest notices a moment later */
  setLink(up: boolean): Promise<void>;
  /** called with each line that the guest's kernel logs from a warning on, without its time stamp */
  onLog(listener: (text: string, time: number) => void): void;
  /** QEMU's own commands */
  readonly monitor: Monitor;
  /** runs a program of the image to its end */
  exec(argv: string[], timeoutMs: number): Promise<CallResult<'exec'>>;
  close(): Promise<void>;
}

/** Memory of the guest's machine. */
const memory = 512;
// An emulated guest on a busy host has been seen to take 15 s for a call that pins or reads much memory; a run ends when one is late.
const usualCallLimitMs = 60_000;

/** What a guest takes of this machine at most: its memory, QEMU's translation of its code, and the thread that drives it. */
export const guestMegabytes = 1200;

const baseArgs = (roots: Roots): string[] => {
  const firmware = roots.roots
    .filter((root) => root !== '/')
    .flatMap((root) => ['usr/share/qemu', 'usr/share/seabios'].map((place) => join(root, place)))
    .filter((place) => existsSync(place))
    .flatMap((place) => ['-L', place]);
  return [
    ...firmware,
    ...words(`-M q35 -smp 1 -cpu max -m ${memory} -nodefaults -no-user-config -display none -no-reboot`),
    ...words('-chardev stdio,id=con,signal=off -serial chardev:con'),
  ];
};

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

// No offloads: frames must be final. No announcements after a restore: the wire must be quiet.
const netdevId = 'n0';
const deviceArgs = words(`
  -netdev stream,id=${netdevId},server=off,addr.type=fd,addr.str=3
  -device virtio-net-pci,netdev=${netdevId},mac=${guestMac(1)},csum=off,guest_csum=off,gso=off,guest_announce=off,romfile=
  -global migration.announce-rounds=0
  -chardev socket,id=c0,fd=4
  -device virtio-serial-pci -device virtserialport,chardev=c0,name=rdma.agent
  -chardev socket,id=q0,fd=5 -mon chardev=q0,mode=control`);

/** What a guest is made of: programs, and QEMU's arguments for its kernel, image and devices. */
export interface Recipe {
  roots: Roots;
  qemu: string;
  args: readonly string[];
  snapshotKey: string;
}

/** Has everything at hand that a guest needs. */
export async function prepare(options: GuestOptions, log: (line: string) => void): Promise<Recipe> {
  const programs = options.programs ?? {};
  const extra = Object.fromEntries(
    Object.entries(programs).map(([name, paths]) => [name, (paths[0] ?? '').replace(/^\/(usr\/)?/, '')]),
  );
  const roots = await providePackages(extra, log);
  const qemu = roots.find('bin/qemu-system-x86_64');
  if (qemu === undefined) throw new AdapterUnavailable('rxe: qemu-system-x86_64 is not here');
  const [kernel, agent, version] = await Promise.all([
    provideKernel(options.kernel ?? debianKernel('6.1'), options.modules ?? [], roots, log),
    readFile(builtFile('agent.js'), 'utf8'),
    run([qemu, '--version'], { env: roots.env }),
  ]);
  if (version.code !== 0)
    throw new AdapterUnavailable(`rxe: ${qemu} does not run: ${version.stderr.trim().slice(0, 300)}`);
  return recipeOf({ options, roots, qemu, kernel, agent, version: version.stdout.toString(), log });
}

async function recipeOf(parts: {
  options: GuestOptions;
  roots: Roots;
  qemu: string;
  kernel: GuestKernel;
  agent: string;
  version: string;
  log: (line: string) => void;
}): Promise<Recipe> {
  const { options, roots, qemu, kernel, agent, version, log } = parts;
  const programs = Object.values(options.programs ?? {}).flat();
  const hash = (...texts: string[]): string =>
    createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 20);
  const imageKey = hash(
    kernel.name,
    kernel.modules.join(),
    agent,
    process.version,
    process.execPath,
    programs.join(),
    layoutVersion,
  );
  const image = await cached('image', imageKey, async (directory) => {
    log('building the guest image');
    writeFileSync(join(directory, 'initrd'), await buildImage({ roots, kernel, agent, programs }));
  });
  const vmlinux = join(kernel.directory, 'vmlinux');
  const base = baseArgs(roots);
  const wish = options.accel ?? 'auto';
  const kvm =
    wish === 'kvm' ||
    (wish === 'auto' &&
      (await kvmWorks({
        qemu,
        env: roots.env,
        baseArgs: base,
        kernel: vmlinux,
        log,
        qemuVersion: version,
        kernelName: kernel.name,
      })));
  const args = [...base, '-accel', kvm ? 'kvm' : 'tcg', '-kernel', vmlinux, '-initrd', join(image, 'initrd')];
  args.push(
    '-append',
    'console=ttyS0 quiet loglevel=5 panic=-1 nokaslr mitigations=off no_timer_check',
    ...deviceArgs,
  );
  return { roots, qemu, args, snapshotKey: hash(version, imageKey, args.join('\0')) };
}

/** What the guest's kernel died of, in one line, if its console shows that it did. */
function deathOf(found: (pattern: RegExp) => string | undefined): string | undefined {
  const fatal = found(/Kernel panic - ([^\n]*)/) ?? found(/(?:Oops|general protection fault)\S*: ([^\n]*)\n/);
  if (fatal === undefined) return undefined;
  const cause = found(/BUG: ([^\n]*)/) ?? fatal;
  const place = found(/RIP: \w+:(\S+)/);
  return `its kernel panics: ${cause}${place === undefined ? '' : ` in ${place}`}`;
}

/** The text of a line that the kernel logs, such as `[   12.345678] rdma_rxe: ...`; undefined for what other programs print. */
export function kernelLine(line: string): string | undefined {
  return /^\[ *\d+\.\d+\](?:\[ *[TC]\d+\])? (.*)$/.exec(line)?.[1];
}

/** Raised when the files of the image are laid out anew. */
const layoutVersion = '1';

async function saveSnapshot(monitor: Monitor, key: string, log: (line: string) => void): Promise<void> {
  log('saving a snapshot of the guest');
  await cached('snapshot', key, async (directory) => {
    const file = join(directory, 'state').replaceAll("'", "'\\''");
    await monitor.command('migrate-set-parameters', { 'max-bandwidth': 4e9 });
    await monitor.command('migrate', { uri: `exec:cat > '${file}'` });
    for (let waited = 0; ; waited += 20) {
      const reply = await monitor.command('query-migrate');
      const status =
        typeof reply === 'object' && reply !== null && 'status' in reply ? String(reply.status) : '';
      if (status === 'completed') break;
      if (status === 'failed' || waited > 60_000) throw new AdapterBroken(`rxe: the snapshot ${status}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  // the migrated machine stands still; it goes on here
  await monitor.command('cont');
  prune('snapshot', 4);
  prune('image', 4);
}

async function start(
  recipe: Recipe,
  options: GuestOptions,
  clock: Clock,
  snapshot: string | undefined,
): Promise<Guest> {
  const began = performance.now();
  const state = snapshot === undefined ? undefined : openSync(snapshot, 'r');
  const died = (): string | undefined => deathOf((pattern) => machine.found(pattern));
  const listeners: ((text: string, time: number) => void)[] = [];
  const machine = startMachine({
    qemu: recipe.qemu,
    env: recipe.roots.env,
    args: [...recipe.args, ...(state === undefined ? [] : ['-incoming', 'fd:6'])],
    ...(state !== undefined && { snapshot: state }),
    // a machine that panics may take its time to go down
    onConsole: (lines) => {
      for (const line of lines) {
        const text = kernelLine(line);
        if (text !== undefined) for (const listener of listeners) listener(text, clock.now());
      }
      if (died() !== undefined) setTimeout(() => client.fail('rxe: the kernel died'), 100);
    },
  });
  if (state !== undefined) closeSync(state);
  const kill = (): void => machine.kill();
  process.on('exit', kill);
  const explain = (): string => `the guest's console ends with:\n${machine.console() || '(nothing)'}`;
  const limitMs = options.callLimitMs ?? usualCallLimitMs;
  const client = agentClient(
    { input: machine.agent, output: machine.agent },
    {
      limitMs,
      explain,
      died,
      onBroken: kill,
    },
  );
  void machine.exited.then((code) => {
    process.off('exit', kill);
    // what it said last is still being read
    setTimeout(() => client.fail(`rxe: QEMU ended with code ${code}`), 100);
  });
  const abort = (): void => client.fail('rxe: interrupted');
  options.signal?.addEventListener('abort', abort);
  const close = async (): Promise<void> => {
    client.fail('rxe: the guest is closed');
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, 5000);
    });
    await Promise.race([machine.exited, limit]);
    clearTimeout(timer);
  };
  try {
    options.signal?.throwIfAborted();
    const limit = options.bootLimitMs ?? 120_000;
    const monitor = new Monitor(machine.monitor);
    const hello = await greet(client, snapshot === undefined ? limit : limit / 4);
    // from here on an interrupted run ends in its own time, and closes the guest
    return {
      client,
      hello,
      machine,
      monitor,
      setLink: async (up) => void (await monitor.command('set_link', { name: netdevId, up })),
      onLog: (listener) => void listeners.push(listener),
      wire: streamWire(machine.net, clock),
      startedBy: snapshot === undefined ? 'boot' : 'snapshot',
      startMs: performance.now() - began,
      exec: (argv, timeoutMs) => client.call('exec', { argv, timeout_ms: timeoutMs }, timeoutMs + limitMs),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', abort);
  }
}

/** Brings up a guest: from its snapshot where there is one, else by booting it and saving one. */
export async function openGuest(clock: Clock, options: GuestOptions = {}): Promise<Guest> {
  const log = options.log ?? ((): void => undefined);
  const recipe = await prepare(options, log);
  const guest = await bringUp(recipe, options, clock, log);
  const address = options.address ?? 1;
  if (address === 1) return guest;
  try {
    const info = await guest.client.call('set_address', { index: address });
    return { ...guest, hello: { ...guest.hello, info } };
  } catch (error) {
    await guest.close();
    throw error;
  }
}

async function bringUp(
  recipe: Recipe,
  options: GuestOptions,
  clock: Clock,
  log: (line: string) => void,
): Promise<Guest> {
  if (options.fresh !== true) {
    const place = await cached('snapshot', recipe.snapshotKey, () => Promise.reject(new Error('none'))).catch(
      () => undefined,
    );
    if (place !== undefined)
      try {
        const now = new Date();
        utimesSync(place, now, now); // the pruning keeps what is in use
        return await start(recipe, options, clock, join(place, 'state'));
      } catch (error) {
        if (options.signal?.aborted === true) throw error;
        log('the snapshot does not start; booting instead');
        forget('snapshot', recipe.snapshotKey);
      }
  }
  log('booting the guest');
  const guest = await start(recipe, options, clock, undefined);
  if (options.fresh === true) return guest;
  try {
    await saveSnapshot(guest.monitor, recipe.snapshotKey, log);
    return guest;
  } catch (error) {
    await guest.close();
    throw error;
  }
}
