import fc from 'fast-check';
import { gidOfAddress, ReferenceNic, type MutantId } from '../../../adapters/reference/index.ts';
import { VirtualClock } from '../../../adapters/virtual-clock.ts';
import { ends } from '../../adapters/reference/pair.ts';
import { LossyWire } from '../../lossy-wire.ts';
import type { Rates } from '../../lossy-wire.ts';
import { exchange, makeLink } from '../../traffic.ts';
import type { LinkOptions, Party } from '../../traffic.ts';

export interface Plan {
  seed: number;
  mtu: LinkOptions['mtu'];
  psns: readonly [number, number];
  links: number;
  depth: number;
  batches: number;
  slot: number;
  /** pauses before receives are posted, so that RNR NAKs come */
  late: number;
  rates: Rates;
  /** the capture shows what goes into the wire, what comes out of it, or what passes the port of one NIC */
  place: 'before' | 'behind' | 0 | 1;
}

/** A frame as it passed the point of capture, in nanoseconds. */
export interface Passed {
  t: number;
  frame: Uint8Array;
}

const percent = fc.integer({ min: 0, max: 4 }).map((n) => n / 100);
const psn = fc.oneof(fc.nat(0xffffff), fc.integer({ min: 0xffffe0, max: 0xffffff }));
export const plans: fc.Arbitrary<Plan> = fc.record({
  seed: fc.nat(),
  mtu: fc.constantFrom<LinkOptions['mtu']>(256, 512, 1024),
  psns: fc.tuple(psn, psn),
  links: fc.integer({ min: 1, max: 3 }),
  depth: fc.integer({ min: 1, max: 6 }),
  batches: fc.integer({ min: 1, max: 3 }),
  slot: fc.constantFrom(64, 512, 1600),
  late: fc.constantFrom(0, 0, 2, 40),
  rates: fc.record({ drop: percent, duplicate: percent, reorder: percent }),
  place: fc.constantFrom('before', 'behind'),
});

/** What passes between two reference NICs over a wire that loses, doubles and delays frames. */
export async function framesBetween(plan: Plan): Promise<Passed[]> {
  const passed: Passed[] = [];
  await talk(plan, passed, []);
  return passed;
}

/** The same, where one end is a mutant: until something fails that conformant NICs get done. */
export async function framesOfMutant(
  plan: Plan,
  mutants: readonly (MutantId | undefined)[],
): Promise<Passed[]> {
  const passed: Passed[] = [];
  try {
    await talk(plan, passed, mutants);
  } catch {
    // what it did until then is on the wire
  }
  return passed;
}

async function talk(plan: Plan, passed: Passed[], mutants: readonly (MutantId | undefined)[]): Promise<void> {
  const clock = new VirtualClock();
  const shows = (sender: 0 | 1, end: 'before' | 'behind'): boolean =>
    typeof plan.place === 'string' ? plan.place === end : (plan.place === sender) === (end === 'before');
  const note = (frame: Uint8Array): void => void passed.push({ t: clock.now(), frame: frame.slice() });
  const wire = new LossyWire({
    seed: plan.seed,
    rates: plan.rates,
    onFrame: (way, frame) => {
      if (shows(way === 'forth' ? 0 : 1, 'before')) note(frame);
    },
    deliver: (way, frame) =>
      void clock.setTimer(2000, () => {
        if (shows(way === 'forth' ? 0 : 1, 'behind')) note(frame);
        nics[way === 'forth' ? 1 : 0].receive(frame);
      }),
    later: (ms, action) => void clock.setTimer(ms * 1e6, action),
  });
  const nics = [
    new ReferenceNic({
      clock,
      endpoint: ends[0],
      send: (frame) => wire.send('forth', frame),
      ...(mutants[0] !== undefined && { mutant: mutants[0] }),
    }),
    new ReferenceNic({
      clock,
      endpoint: ends[1],
      send: (frame) => wire.send('back', frame),
      ...(mutants[1] !== undefined && { mutant: mutants[1] }),
    }),
  ] as const;
  const party = async (i: 0 | 1): Promise<Party> => ({
    verbs: nics[i].verbs,
    pd: await nics[i].verbs.alloc_pd(),
    gid: gidOfAddress(ends[i].ipv4 ?? ''),
    gidIndex: 0,
  });
  const [a, b] = [await party(0), await party(1)];
  const options: LinkOptions = { ...plan, timeout: 10, readDepth: 4 };
  const pause = (): Promise<void> => {
    if (clock.now() > 60e9) throw new Error('the messages did not get through');
    clock.advance(50_000);
    return Promise.resolve();
  };
  const one = async (link: number): Promise<void> => {
    const psns = [plan.psns[0] + link * 7, plan.psns[1] + link * 5].map((n) => n & 0xffffff);
    const [c, d] = await makeLink(a, b, { ...options, psns: [psns[0] ?? 0, psns[1] ?? 0] });
    for (let batch = 0; batch < plan.batches; batch++)
      await exchange({
        ...(batch % 2 === 0 ? { requester: c, responder: d } : { requester: d, responder: c }),
        options,
        seed: plan.seed + link * 100 + batch,
        count: plan.depth,
        late: plan.late,
        pause,
      });
  };
  await Promise.all(Array.from({ length: plan.links }, (_, link) => one(link)));
}
