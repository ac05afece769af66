import { describe, expect, it } from 'vitest';
import { fileURLToPath } from 'node:url';
import { AdapterUnavailable } from '../../adapters/adapter.ts';
import { realClock } from '../../adapters/real-clock.ts';
import { bundleForGuest } from '../../adapters/rxe/bundle.ts';
import { guestHindrance, openGuest, rxeAdapter } from '../../adapters/rxe/index.ts';
import type { Guest } from '../../adapters/rxe/index.ts';
import { verbsAdapter } from '../../adapters/verbs/adapter.ts';
import { delivered, sendToOneself } from './two-qps.ts';

async function hindranceHere(): Promise<string | undefined> {
  const known = guestHindrance('6.1');
  if (known !== undefined) return known;
  try {
    await (await openGuest(realClock())).close();
    return undefined;
  } catch (error) {
    if (error instanceof AdapterUnavailable) return error.message;
    throw error;
  }
}

const reason = await hindranceHere();
const note = reason === undefined ? '' : ` (skipped: ${reason})`;

/** Longest argument that Linux passes to a program, less some. */
const chunkBytes = 100_000;

/** Puts a text into a file of the guest. */
async function upload(guest: Guest, path: string, text: string): Promise<void> {
  for (let at = 0; at < text.length; at += chunkBytes) {
    const argv = ['/bin/sh', '-c', 'printf %s "$1" >> "$0"', path, text.slice(at, at + chunkBytes)];
    expect(await guest.exec(argv, 10_000)).toMatchObject({ code: 0 });
  }
}

describe.skipIf(reason !== undefined)(`a device whose packets nobody sees${note}`, () => {
  it('is rxe with wire=none: its QPs reach each other', async () => {
    const bench = await rxeAdapter({ wire: 'none' }).open({});
    try {
      expect(bench.wire).toBeUndefined();
      expect(bench.profile.wire).toBe('none');
      expect(bench.peer).toEqual(bench.dut);
      expect(await sendToOneself(bench, 'IBV_QPT_RC', 4)).toMatchObject(delivered);
      expect(await sendToOneself(bench, 'IBV_QPT_UC', 6)).toMatchObject(delivered);
    } finally {
      await bench.close();
    }
  });

  it('is verbs:rxe0 on a machine that has one', { timeout: 60_000 }, async () => {
    const guest = await openGuest(realClock());
    try {
      const script = await bundleForGuest(fileURLToPath(new URL('verbs-in-guest.ts', import.meta.url)));
      await upload(guest, '/agent/proof.mjs', script);
      const result = await guest.exec(['/usr/bin/node', '/agent/proof.mjs'], 50_000);
      expect(result.stderr).toBe('');
      const seen: unknown = JSON.parse(result.stdout);
      expect(seen).toMatchObject({
        profile: {
          name: 'verbs',
          version: expect.stringMatching(/^rxe0, Linux 6\.1\./) as string,
          capabilities: [
            'rc',
            'uc',
            'ud',
            'atomic',
            'srq',
            'srq-resize',
            'port-events',
            'send-with-invalidate',
          ],
          pathMtus: [256, 512, 1024, 2048, 4096],
          ipVersions: [4, 6],
          limits: { maxDestRdAtomic: 128, maxMessageBytes: 8388608, maxQps: 1048560 },
          clock: 'real',
          wire: 'none',
        },
        wire: false,
        dut: { mac: '02:00:00:00:00:01', ipv4: '10.77.0.1', ipv6: 'fd77::1' },
        deliveries: [delivered, delivered, delivered],
        absent: 'AdapterUnavailable: verbs: there is no RDMA device "mlx5_0"; libibverbs lists rxe0',
      });
    } finally {
      await guest.close();
    }
  });
});

describe('a device that cannot be had', () => {
  it('is unavailable, and told how to get', async () => {
    const noLibrary = verbsAdapter({ device: 'mlx5_0', library: 'libnowhere.so.1' });
    await expect(noLibrary.open({})).rejects.toThrow(AdapterUnavailable);
    await expect(noLibrary.describe()).rejects.toThrow(
      /libibverbs does not load \(Debian packages libibverbs1/,
    );
    await expect(verbsAdapter({ device: 'nonesuch0' }).open({})).rejects.toThrow(AdapterUnavailable);
  });
});
