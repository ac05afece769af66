import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../fixtures/wire/scapy_tunnels.py', import.meta.url));
// Debian's own interpreter: another python3 in front of it on the path has no Debian packages.
const python = '/usr/bin/python3';

/** Why scapy cannot build tunnels here; undefined if it can. */
export const scapyMissing: string | undefined = (() => {
  try {
    execFileSync(python, ['-c', 'import scapy.contrib.erspan'], { stdio: 'pipe' });
    return undefined;
  } catch {
    return 'python3-scapy is not installed';
  }
})();

/** Asks the script for one frame, and waits for it: it takes longer to start than to answer. */
const ask: (tunnel: string, frame: Uint8Array) => Uint8Array = (() => {
  let pipes: { input: number; output: number } | undefined;
  const open = (): { input: number; output: number } => {
    const folder = mkdtempSync(join(tmpdir(), 'rdma-conform-scapy-'));
    const [input, output] = [join(folder, 'input'), join(folder, 'output')];
    execFileSync('mkfifo', [input, output]);
    const start = 'exec "$0" "$1" <"$2" >"$3"';
    spawn('/bin/sh', ['-c', start, python, script, input, output], { stdio: 'ignore' }).unref();
    // each waits for the other end; the script ends where this process does
    const opened = { input: openSync(input, 'w'), output: openSync(output, 'r') };
    rmSync(folder, { recursive: true });
    return opened;
  };
  const chunk = Buffer.alloc(1 << 16);
  return (tunnel, frame) => {
    pipes ??= open();
    writeSync(pipes.input, `${tunnel} ${Buffer.from(frame).toString('hex')}\n`);
    let line = '';
    while (!line.endsWith('\n')) {
      const read = readSync(pipes.output, chunk);
      if (read === 0) throw new Error(`scapy builds no tunnel ${tunnel} around this frame`);
      line += chunk.toString('latin1', 0, read);
    }
    return Uint8Array.from(Buffer.from(line.trimEnd(), 'hex'));
  };
})();

/** Each frame within the tunnel named beside it (`none` for none), as scapy builds it. */
export function tunnelled(frames: readonly (readonly [tunnel: string, frame: Uint8Array])[]): Uint8Array[] {
  return frames.map(([tunnel, frame]) => (tunnel === 'none' ? frame : ask(tunnel, frame)));
}

/** The link type of a frame in that tunnel. */
export const linktypeOf = (tunnel: string): number => (tunnel.startsWith('erf') ? 197 : 1);
