import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, describe, it } from 'vitest';
import { checked } from './checked.ts';
import type { Complete } from './checked.ts';

const folder = fileURLToPath(new URL('../fixtures/captures/scapy', import.meta.url));
// Debian's own interpreter: another python3 in front of it on the path has no Debian packages.
const python = '/usr/bin/python3';
const missing = ((): string | undefined => {
  try {
    execFileSync(python, ['-c', 'import scapy.layers.vxlan'], { stdio: 'pipe' });
    return undefined;
  } catch {
    return 'python3-scapy is not installed';
  }
})();

/** What the script prints of each capture. */
interface Entry {
  kind: 'fault' | 'sound';
  says: string;
  flags: string;
  inconclusive: string | null;
  /** numbers of the frames that break a rule */
  wrong: readonly number[];
  /** nanoseconds, and the frame in hex */
  taken: readonly (readonly [t: number, frame: string])[];
}

const entries: readonly Entry[] =
  missing === undefined
    ? execFileSync(python, ['write.py'], {
        cwd: folder,
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
        env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
      })
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Entry)
    : [];

function completeOf(flags: string): { complete?: Complete } {
  if (!flags.includes('--complete')) return {};
  const [, at] = /--at (\S+)/.exec(flags) ?? [];
  const [, timeout] = /--timeout (\d+)/.exec(flags) ?? [];
  const addresses = at === undefined ? [] : [at];
  return { complete: { addresses, ...(timeout !== undefined && { timeout: Number(timeout) }) } };
}

/** Captures of tunnels, IPv6, several services and connections at once, made by code that shares nothing with the rest. */
describe.skipIf(missing !== undefined)(
  `captures that scapy makes${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    it.each(entries)('$kind: $says', async ({ kind, flags, inconclusive: why, wrong, taken }) => {
      const frames = taken.map(([t, hex]) => ({ t, frame: Uint8Array.from(Buffer.from(hex, 'hex')) }));
      const { exit, frames: found, inconclusive } = await checked(frames, completeOf(flags));
      const certain = why === null && kind === 'fault';
      const doubt = why === null ? 0 : 2;
      expect(exit).toBe(certain ? 1 : doubt);
      expect(found.some((frame) => wrong.includes(frame))).toBe(certain);
      // what comes before is sound, and so is all where nothing is wrong
      const first = certain ? Math.min(...wrong) : Number.POSITIVE_INFINITY;
      expect(found.filter((frame) => frame < first)).toEqual([]);
      expect(inconclusive.join('\n')).toContain(why ?? '');
    });
  },
);
