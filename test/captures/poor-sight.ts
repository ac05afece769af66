import type { TraceEvent } from '../../oracle/index.ts';
import { seeded } from '../../adapters/seeded.ts';

/** Nanoseconds that connecting a QP anew takes: longer than the pause behind which a capture may show another connection. */
export const reconnection = 2e6;

/** A frame that passed the port of a device; time in nanoseconds. */
export interface Passed {
  t: number;
  frame: Uint8Array;
  fromDevice: boolean;
}

/** What passed the port, in order. */
export function passedThrough(events: readonly TraceEvent[]): Passed[] {
  return events.flatMap((event): Passed[] => {
    if (event.kind === 'packet')
      return [{ t: event.t, frame: event.packet.frame, fromDevice: event.direction === 'from-dut' }];
    if (event.kind === 'frame')
      return [{ t: event.t, frame: event.frame, fromDevice: event.direction === 'from-dut' }];
    return [];
  });
}

/** The same events, where each call that sets a QP between packets takes so many nanoseconds: the suites do it at once. */
export function stretched(events: readonly TraceEvent[], taken: number): TraceEvent[] {
  const first = events.findIndex(({ kind }) => kind === 'packet' || kind === 'frame');
  let shift = 0;
  return events.map((event, i) => {
    if (i > first && event.kind === 'call' && event.call === 'modify_qp') shift += taken;
    return { ...event, t: event.t + shift };
  });
}

/**
 * The same traffic as a poor point of capture in the path sees it, drawn from a seed: some frames are missed, some are seen twice or all of
 * them (two mirrors), stamps are whole microseconds, frames of two interfaces are written in another order than their stamps, the capture
 * begins late, ends early, or has one direction only.
 */
export function seenPoorly(passed: readonly Passed[], seed: number): Passed[] {
  const random = seeded(seed);
  const oneOf = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const missed = oneOf(0, 0.01, 0.05, 0.2);
  const twice = oneOf(0, 0, 0.02, 1);
  const mirrorDelay = oneOf(0, 300, 20_000);
  const swapped = oneOf(0, 0, 0.05);
  const grain = oneOf(1, 1000);
  const from = oneOf(0, 0, Math.floor(random() * passed.length));
  const to = oneOf(passed.length, passed.length, from + Math.floor(random() * (passed.length - from + 1)));
  const only = oneOf(undefined, undefined, undefined, true, false);

  const seen: Passed[] = [];
  for (const { t, frame, fromDevice } of passed.slice(from, to)) {
    const at = Math.floor(t / grain) * grain;
    if (only !== undefined && fromDevice !== only) continue;
    if (random() >= missed) seen.push({ t: at, frame, fromDevice });
    if (random() < twice) seen.push({ t: at + mirrorDelay, frame, fromDevice });
  }
  seen.sort((a, b) => a.t - b.t);
  for (let i = 1; i < seen.length; i++) {
    const [before, behind] = [seen[i - 1]!, seen[i]!];
    if (before.fromDevice === behind.fromDevice || random() >= swapped) continue;
    seen[i - 1] = behind;
    seen[i] = before;
  }
  return seen;
}
