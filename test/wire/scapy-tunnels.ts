import { execFileSync } from 'node:child_process';
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

/** Each frame within the tunnel named beside it (`none` for none), as scapy builds it. */
export function tunnelled(frames: readonly (readonly [tunnel: string, frame: Uint8Array])[]): Uint8Array[] {
  if (frames.every(([tunnel]) => tunnel === 'none')) return frames.map(([, frame]) => frame);
  const input = frames.map(([tunnel, frame]) => `${tunnel} ${Buffer.from(frame).toString('hex')}\n`);
  const out = execFileSync(python, [script], {
    input: input.join(''),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return out
    .trimEnd()
    .split('\n')
    .map((line) => Uint8Array.from(Buffer.from(line, 'hex')));
}

/** The link type of a frame in that tunnel. */
export const linktypeOf = (tunnel: string): number => (tunnel.startsWith('erf') ? 197 : 1);
