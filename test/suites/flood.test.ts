import { describe, expect, it } from 'vitest';
import type { Adapter, Bench, Verbs } from '../../adapters/adapter.ts';
import { referenceAdapter } from '../../adapters/reference/index.ts';
import { ReferenceNic } from '../../adapters/reference/nic.ts';
import { VirtualClock } from '../../adapters/virtual-clock.ts';
import { runConformance } from '../../suites/index.ts';

/** The reference NIC with some calls in other hands. */
function altered(name: string, change: (bench: Bench) => Partial<Verbs>): Adapter {
  const device = referenceAdapter();
  return {
    name,
    describe: async () => device.describe(),
    open: async (options) => {
      const bench = await device.open(options);
      Object.assign(bench.verbs, change(bench));
      return bench;
    },
  };
}

describe('a device that gives completions without end', () => {
  it('is found out, in bounded time', async () => {
    const adapter = altered('endless', ({ verbs }) => {
      const poll = verbs.poll_cq.bind(verbs);
      let last: Awaited<ReturnType<typeof poll>>[number] | undefined;
      return {
        poll_cq: async (cq, max) => {
          last = (await poll(cq, max))[0] ?? last;
          return last === undefined ? [] : Array.from<typeof last>({ length: max }).fill(last);
        },
      };
    });
    const rule = 'rc-send-completed-again';
    const options = { runs: 20, property: 'rc-requester/live-peer', rule, confirmations: 1 };
    const result = await runConformance({ ...options, adapter });
    expect(result).toMatchObject({ cases: 20, errors: [] });
    expect(new Set(result.failures.map((failure) => failure.rule))).toEqual(new Set([rule]));
    // some more than were posted, in each case
    expect(result.rules[0]?.violations).toBeGreaterThanOrEqual(20);
    expect(result.rules[0]?.violations).toBeLessThan(20 * 200);
  });
});

describe('frames that wait at a port of the reference NIC', () => {
  it('are processed in time that grows with their number, and not with its square', () => {
    const clock = new VirtualClock();
    const endpoint = { mac: '02:00:00:00:00:01', ipv4: '10.0.0.1', gidIndex: { ipv4: 0 } };
    const nic = new ReferenceNic({ clock, endpoint, neighbours: [], send: () => undefined });
    const frame = new Uint8Array(60);
    const timed = (frames: number): number => {
      const { user } = process.cpuUsage();
      for (let i = 0; i < frames; i++) nic.receive(frame);
      clock.advance(1e9);
      return process.cpuUsage().user - user;
    };
    timed(30_000);
    const few = timed(30_000);
    // four times as many took some 80 times as long
    expect(timed(120_000)).toBeLessThan(20 * few);
  });
});
