import { describe, expect, it } from 'vitest';
import { AdapterUnavailable } from '../../../adapters/adapter.ts';
import type { Bench, Clock } from '../../../adapters/adapter.ts';
import { gidOfAddress, ReferenceNic } from '../../../adapters/reference/index.ts';
import { guestHindrance, rxeAdapter } from '../../../adapters/rxe/index.ts';
import { decode } from '../../../wire/index.ts';
import { seeded } from '../../../adapters/seeded.ts';
import { LossyWire } from '../../lossy-wire.ts';
import { exchange, makeLink } from '../../traffic.ts';
import type { LinkOptions, Party } from '../../traffic.ts';

async function openHere(): Promise<Bench | string> {
  const hindrance = guestHindrance('6.1');
  if (hindrance !== undefined) return hindrance;
  try {
    return await rxeAdapter({}).open({});
  } catch (error) {
    if (error instanceof AdapterUnavailable) return error.message;
    throw error;
  }
}

/** Node's timers have a grain of a millisecond; the shortest waits of the NIC are better not waited for at all. */
function promptClock(clock: Clock): Clock {
  return {
    ...clock,
    setTimer: (ns, fire) => {
      if (ns >= 500_000) return clock.setTimer(ns, fire);
      const handle = setImmediate(fire);
      return { cancel: () => clearImmediate(handle) };
    },
  };
}

const opened = await openHere();
const reason = typeof opened === 'string' ? opened : undefined;
const note = reason === undefined ? '' : ` (skipped: ${reason})`;

const messages = 2000;
const links = 8;
const options: LinkOptions = {
  mtu: 1024,
  psns: [0xfffff8, 0xffff80],
  timeout: 15,
  depth: 8,
  slot: 2560,
  readDepth: 4,
};

describe.skipIf(reason !== undefined)(`the reference NIC and rxe as each other's peer${note}`, () => {
  it(
    `${messages} messages both ways over a wire that drops, duplicates and reorders 1 % each`,
    { timeout: 120_000 },
    async () => {
      const bench = opened as Bench;
      const faults = { dropped: 0, duplicated: 0, delayed: 0 };
      try {
        const clock = promptClock(bench.clock);
        const wire = new LossyWire({
          seed: 20260,
          rates: { drop: 0.01, duplicate: 0.01, reorder: 0.01 },
          eligible: (frame) => decode(frame).kind === 'packet',
          onFrame: (_way, _frame, fate) => {
            if (fate !== 'pass') faults[fate]++;
          },
          deliver: (way, frame) => (way === 'forth' ? bench.wire?.send(frame) : nic.receive(frame)),
          later: (ms, action) => void setTimeout(action, ms),
        });
        const nic = new ReferenceNic({
          clock,
          endpoint: bench.peer,
          send: (frame) => wire.send('forth', frame),
          config: { window: 16, ackEvery: 4 },
        });
        bench.wire?.onFrame((frame) => wire.send('back', Uint8Array.from(frame)));
        const party = async (verbs: Party['verbs'], end: Bench['dut']): Promise<Party> => ({
          verbs,
          pd: await verbs.alloc_pd(),
          gid: gidOfAddress(end.ipv4 ?? ''),
          gidIndex: end.gidIndex.ipv4 ?? -1,
        });
        const reference = await party(nic.verbs, bench.peer);
        const rxe = await party(bench.verbs, bench.dut);
        const until = performance.now() + 100_000;
        const pause = async (): Promise<void> => {
          if (performance.now() > until) throw new Error('the messages did not get through in time');
          await new Promise((resolve) => setTimeout(resolve, 3));
        };
        const random = seeded(3);
        const one = async (asRequester: boolean): Promise<void> => {
          const [a, b] = await makeLink(reference, rxe, options);
          const batches = messages / 2 / (links / 2) / options.depth;
          for (let i = 0; i < batches; i++)
            await exchange({
              requester: asRequester ? a : b,
              responder: asRequester ? b : a,
              options,
              seed: Math.floor(random() * 2 ** 32),
              count: Math.min(options.depth, messages / links - i * options.depth),
              pause,
            });
        };
        await Promise.all(Array.from({ length: links }, (_, i) => one(i % 2 === 0)));
        expect(Math.min(faults.dropped, faults.duplicated, faults.delayed)).toBeGreaterThan(10);
      } finally {
        await bench.close();
      }
    },
  );
});
