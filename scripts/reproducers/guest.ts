import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { writeCpio } from '../../adapters/rxe/cpio.ts';
import { prepare } from '../../adapters/rxe/guest.ts';
import type { KernelChoice } from '../../adapters/rxe/kernel/choice.ts';
import { run } from '../../adapters/rxe/run.ts';

/** What a program printed in the guest, and how it ended; `code` absent: the machine went with it. */
export interface Ended {
  name: string;
  output: string;
  code?: number;
}

interface Program {
  name: string;
  bytes: Buffer;
}

/** seconds for each program */
const limit = 60;

const init = `#!/bin/sh
mount -t proc none /proc; mount -t sysfs none /sys; mount -t devtmpfs none /dev 2>/dev/null
for m in $(cat /modules/order); do insmod /modules/$m.ko; done
export PATH=/usr/bin:/bin
/bin/ip link set lo up
for p in /programs/*; do
  echo "== begins \${p##*/}"
  busybox timeout ${limit} $p 2>&1
  echo "== ended \${p##*/} $?"
done
poweroff -f
`;

const words = (text: string): string[] => text.split(' ');

/** What the console tells of a program; nothing where the machine was gone before its turn. */
export function parsed(name: string, console: string): Ended | undefined {
  const from = console.indexOf(`== begins ${name}\n`);
  if (from < 0) return undefined;
  const rest = console.slice(from).split('\n').slice(1).join('\n');
  const at = rest.indexOf(`== ended ${name} `);
  if (at < 0) return { name, output: rest };
  const code = Number.parseInt(rest.slice(at + `== ended ${name} `.length), 10);
  return { name, output: rest.slice(0, at), code };
}

async function compiled(file: string, folder: string): Promise<Program> {
  const name = basename(file, '.c');
  const program = join(folder, name);
  const built = await run(['gcc', '-O1', '-Wall', '-Werror', '-o', program, file, '-libverbs']);
  if (built.code !== 0) throw new Error(`${file}: gcc fails\n${built.stderr}`);
  return { name, bytes: readFileSync(program) };
}

/** Runs the programs in one guest, and gives what its console showed. */
async function consoleOf(
  programs: readonly Program[],
  kernel: KernelChoice,
  folder: string,
): Promise<string> {
  const { roots, qemu, args } = await prepare({ kernel }, () => undefined);
  const valueOf = (flag: string): string => args[args.indexOf(flag) + 1] ?? '';
  // what comes later in an initramfs takes the place of what came before
  const own = writeCpio([
    { kind: 'file', path: 'init', mode: 0o755, bytes: Buffer.from(init) },
    ...programs.map(({ name, bytes }) => ({
      kind: 'file' as const,
      path: `programs/${name}`,
      mode: 0o755,
      bytes,
    })),
  ]);
  const initrd = join(folder, 'initrd');
  writeFileSync(initrd, Buffer.concat([readFileSync(valueOf('-initrd')), own]));
  const machine = await run(
    [
      qemu,
      ...words(
        '-M q35 -smp 1 -cpu max -m 768 -nodefaults -no-user-config -display none -no-reboot -nic none',
      ),
      ...words('-serial stdio -accel tcg'),
      '-kernel',
      valueOf('-kernel'),
      '-initrd',
      initrd,
      '-append',
      'console=ttyS0 quiet panic=-1 nokaslr mitigations=off no_timer_check',
    ],
    { env: roots.env, limitMs: (60 + limit * programs.length) * 1000 },
  );
  return machine.stdout.toString().replaceAll('\r', '');
}

/**
 * Compiles programs in C with gcc and runs them in a guest with a stock kernel, one after the other, and nothing else of ours. Where one
 * takes the machine with it, the others run in another one.
 */
export async function runInGuest(files: readonly string[], kernel: KernelChoice): Promise<Ended[]> {
  const folder = mkdtempSync(join(tmpdir(), 'reproducers-'));
  try {
    const compiledAll = await Promise.all(files.map(async (file) => compiled(file, folder)));
    // in the order in which the shell of the guest lists them
    const programs = compiledAll.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const ended: Ended[] = [];
    while (ended.length < programs.length) {
      const left = programs.slice(ended.length);
      const console = await consoleOf(left, kernel, folder);
      const told = left.map(({ name }) => parsed(name, console)).filter((one) => one !== undefined);
      if (told.length === 0)
        throw new Error(`no program began in the guest; its console ends:\n${console.slice(-500)}`);
      ended.push(...told);
    }
    return ended;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
