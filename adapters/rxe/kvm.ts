import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { cpus, release } from 'node:os';
import { join } from 'node:path';
import { cacheDirectory } from './cache.ts';
import { startMachine } from './qemu.ts';

const probeMs = 5000;

/**
 * Whether KVM runs this kernel here. /dev/kvm alone says nothing (nested and paravirtual hosts have it and hang), so a
 * guest must print something within five seconds. The answer is kept per machine, QEMU and kernel.
 */
export async function kvmWorks(options: {
  qemu: string;
  qemuVersion: string;
  env: NodeJS.ProcessEnv;
  baseArgs: readonly string[];
  kernel: string;
  kernelName: string;
  log: (line: string) => void;
}): Promise<boolean> {
  try {
    accessSync('/dev/kvm', constants.R_OK | constants.W_OK);
  } catch {
    return false;
  }
  const facts = [options.qemuVersion, options.kernelName, release(), cpus()[0]?.model ?? ''].join('\n');
  const note = join(cacheDirectory(), `kvm-${createHash('sha256').update(facts).digest('hex').slice(0, 16)}`);
  if (existsSync(note)) return readFileSync(note, 'utf8') === 'yes';
  options.log('trying KVM');
  const machine = startMachine({
    qemu: options.qemu,
    env: options.env,
    // no root file system: a kernel that runs says so and panics
    args: [
      ...options.baseArgs,
      '-accel',
      'kvm',
      '-kernel',
      options.kernel,
      '-append',
      'console=ttyS0 panic=-1',
    ],
  });
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, probeMs);
  });
  await Promise.race([machine.exited, limit]);
  clearTimeout(timer);
  const works = machine.shown('Kernel panic');
  machine.kill();
  mkdirSync(cacheDirectory(), { recursive: true });
  writeFileSync(note, works ? 'yes' : 'no');
  return works;
}
