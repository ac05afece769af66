import { describe, expect, it } from 'vitest';
import { fileURLToPath } from 'node:url';
import { AdapterUnavailable } from '../../../adapters/adapter.ts';
import { realClock } from '../../../adapters/real-clock.ts';
import { bundleForGuest } from '../../../scripts/guest-bundle.ts';
import { openGuest, rxeAdapter } from '../../../adapters/rxe/index.ts';
import type { Guest } from '../../../adapters/rxe/index.ts';
import { verbsAdapter } from '../../../adapters/verbs/adapter.ts';
import { hindranceHere } from './here.ts';
import { delivered, sendToOneself } from './two-qps.ts';

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

  it('is verbs:rxe0 on a machine that has one', { timeout: 180_000 }, async () => {
    const guest = await openGuest(realClock());
    try {
      const script = await bundleForGuest(fileURLToPath(new URL('verbs-in-guest.ts', import.meta.url)));
      await upload(guest, '/agent/proof.mjs', script);
      const result = await guest.exec(['/usr/bin/node', '/agent/proof.mjs'], 120_000);
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
            'uc-srq',
            'atomic',
            'srq',
            'srq-errors',
            'srq-resize',
            'cq-events',
            'cq-resize',
            'room-reports',
            'destroy-calls',
            'wr-lists',
            'port-events',
            'second-context',
            'traffic-class',
            'send-with-invalidate',
            'memory-windows',
            'memory-windows-1',
            'iova',
            'iova-in-page',
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

describe.skipIf(reason !== undefined)(`a device with a wire on the same machine${note}`, () => {
  it('is verbs:rxe1 whose port an interface faces', { timeout: 180_000 }, async () => {
    const guest = await openGuest(realClock());
    const run = async (...argv: string[]): Promise<void> => {
      expect(await guest.exec(argv, 10_000)).toEqual({ code: 0, stdout: '', stderr: '' });
    };
    const ip = (text: string): Promise<void> => run('/bin/ip', ...text.split(' '));
    try {
      await ip('link add dut1 mtu 4200 type veth peer name test1 mtu 4200');
      for (const name of ['dut1', 'test1']) await ip(`link set ${name} addrgenmode none`);
      await ip('addr add 10.78.0.4/24 dev dut1');
      await ip('link set dut1 up');
      await ip('link set test1 up');
      await ip('addr add fd78::8/64 dev dut1 nodad');
      await run('/bin/rdma', 'link', 'add', 'rxe1', 'type', 'rxe', 'netdev', 'dut1');
      const place = fileURLToPath(new URL('verbs-wire-in-guest.ts', import.meta.url));
      await upload(guest, '/agent/proof.mjs', await bundleForGuest(place));
      const argv = ['/usr/bin/node', '/agent/proof.mjs', 'rxe1', 'test1', 'eth0'];
      const result = await guest.exec(argv, 120_000);
      expect(result.stderr).toBe('');
      const seen: unknown = JSON.parse(result.stdout);
      const link = (ipVersion: 4 | 6): object => ({
        ack: { psn: 100, destQp: 0x123456, icrcOk: true, ipVersion },
        written: '7,0',
        request: { psn: 7000, bytes: 5 },
        completion: 'IBV_WC_SUCCESS',
      });
      expect(seen).toMatchObject({
        profile: { name: 'verbs', minTimeout: 10, wireJitter: 60e6 },
        dut: { ipv4: '10.78.0.4', ipv6: 'fd78::8' },
        peer: { ipv4: '10.78.0.5', ipv6: 'fd78::9' },
        seen: [link(4), link(6)],
        own: [],
        failures: {
          absent: 'AdapterUnavailable: verbs: there is no network interface "nowhere0"',
          elsewhere: expect.stringMatching(
            /^AdapterUnavailable: verbs: nothing comes back on eth0/,
          ) as string,
        },
      });
      expect(seen).not.toHaveProperty('profile.wire');
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
