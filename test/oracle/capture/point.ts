import fc from 'fast-check';
import { Judge, loadRules } from '../../../oracle/index.ts';
import type { Judgement, TraceHeader } from '../../../oracle/index.ts';
import { decode } from '../../../wire/index.ts';
import { seeded } from '../../../adapters/seeded.ts';
import type { Passed } from './between-nics.ts';

const rules = loadRules();

/** What a point of capture adds of its own. */
export interface Point {
  seed: number;
  /** share of the frames that it misses */
  misses: number;
  /** share of the frames that it shows twice, and how much later the copy comes at most, in nanoseconds */
  doubles: number;
  later: number;
}

export const points: fc.Arbitrary<Point> = fc.record({
  seed: fc.nat(),
  misses: fc.constantFrom(0, 0.02, 0.2),
  doubles: fc.constantFrom(0, 0, 0.05, 0.3, 1),
  later: fc.constantFrom(0, 300, 40_000, 900_000),
});

export function seenAt({ seed, misses, doubles, later }: Point, passed: readonly Passed[]): Passed[] {
  const random = seeded(seed);
  const seen = passed.flatMap((one): Passed[] => {
    if (random() < misses) return [];
    const t = one.t + (doubles === 1 ? later : Math.floor(random() * later));
    return random() < doubles ? [one, { ...one, t }] : [one];
  });
  return seen.toSorted((a, b) => a.t - b.t);
}

/** Judges frames as `check` does; `complete`: as with `--complete`. */
export function judged(
  frames: readonly Passed[],
  complete?: TraceHeader['complete'],
  known: Partial<TraceHeader> = {},
): Judgement {
  const header: TraceHeader = { sight: { packets: 'mid-path', verbs: false }, clock: 'recorded' };
  const judge = new Judge({ ...header, ...known, ...(complete && { complete }) }, rules);
  for (const [i, { t, frame }] of frames.entries()) {
    const decoded = decode(frame);
    if (decoded.kind !== 'packet') throw new Error(`no packet: ${decoded.reason}`);
    judge.push({ kind: 'packet', t, direction: 'unknown', packet: decoded.packet, number: i + 1 });
  }
  return judge.finish();
}
