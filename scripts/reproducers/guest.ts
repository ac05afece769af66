import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { writeCpio } from '../../adapters/rxe/cpio.ts';
import { prepare } from '../../adapters/rxe/guest.ts';
import { debianKernel, type KernelSeries } from '../../adapters/rxe/kernel/choice.ts';
import { run } from '../../adapters/rxe/run.ts';

/** What a program printed in the guest, and how it ended; `code` absent: the machine went with it. */
export interface Ended {
  name: string;
  output: string;
  code?: number;
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

function parsed(name: string, console: string): Ended {
  const from = console.indexOf(`== begins ${name}\n`);
  const rest = from < 0 ? '' : console.slice(from).split('\n').slice(1).join('\n');
  const at = rest.indexOf(`== ended ${name} `);
  if (at < 0) return { name, output: rest };
  const code = Number.parseInt(rest.slice(at + `== ended ${name} `.length), 10);
  return { name, output: rest.slice(0, at), code };
}

/** Compiles programs in C with gcc and runs them in a guest with a stock kernel, one after the other, and nothing else of ours. */
export async function runInGuest(files: readonly string[], kernel: KernelSeries): Promise<Ended[]> {
  const folder = mkdtempSync(join(tmpdir(), 'reproducers-'));
  try {
    const names = files.map((file) => basename(file, '.c'));
    const programs = [];
    for (const [i, file] of files.entries()) {
      const program = join(folder, `${i}`);
      const built = await run(['gcc', '-O1', '-Wall', '-Werror', '-o', program, file, '-libverbs']);
      if (built.code !== 0) throw new Error(`${file}: gcc fails\n${built.stderr}`);
      programs.push({
        kind: 'file' as const,
        path: `programs/${names[i]}`,
        mode: 0o755,
        bytes: readFileSync(program),
      });
    }
    const { roots, qemu, args } = await prepare({ kernel: debianKernel(kernel) }, () => undefined);
    const valueOf = (flag: string): string => args[args.indexOf(flag) + 1] ?? '';
    // what comes later in an initramfs takes the place of what came before
    const own = writeCpio([
      { kind: 'file', path: 'init', mode: 0o755, bytes: Buffer.from(init) },
      ...programs,
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
        'console=ttyS0 quiet panic=-1 nokaslr mitigations=off',
      ],
      { env: roots.env, limitMs: (60 + limit * files.length) * 1000 },
    );
    const console = machine.stdout.toString().replaceAll('\r', '');
    return names.map((name) => parsed(name, console));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
