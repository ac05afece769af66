import type { RecordedTrace, Wire } from '../views/view.ts';
import { Draw } from '../random.ts';
import { drill } from './drill.ts';
import { ground, type Ground } from './ground.ts';
import { fromDevice, fromPeer } from './packets.ts';
import { software } from './verbs.ts';

const mostSteps = 24;

/** Times that a rule may ask about, in nanoseconds: short ones, those of timer codes, and long ones. */
const waits = [
  1,
  1000,
  4096,
  8192,
  21_000,
  10_000,
  100_000,
  1_048_576,
  4 * 1_048_576,
  640_000,
  6_400_000,
  10_000_000_000,
];

/** Nothing but time goes by, or something that concerns the whole trace. */
function elapses(on: Ground): void {
  const { draw, events } = on;
  const turn = draw.below(12);
  if (turn < 6) on.t += draw.of(waits) ?? 0;
  else if (turn < 9)
    events.push({ kind: 'settled', t: (on.t += draw.of([1000, 30_000, 10_000_000]) ?? 1000) });
  else if (turn === 9) events.push({ kind: 'link', t: on.t, start: on.t, up: draw.below(2) === 0 });
  else if (turn === 10) events.push({ kind: 'stall', t: on.t, until: on.t + (draw.of(waits) ?? 0) });
  else if (draw.below(2) === 0) events.push({ kind: 'gap', t: on.t, reason: 'the recorder lost sight' });
}

/**
 * A trace that no device made: a QP whose peer, device and software do one thing after the other, each mostly one that fits and at times
 * one that does not. Which, is a matter of `number`. Undefined where that makes no trace.
 */
export function walk(number: number, wire: Wire): RecordedTrace | undefined {
  const draw = new Draw(number);
  try {
    const on = ground(draw, wire);
    const { verbs } = on.header.sight;
    const drilled = verbs && draw.below(2) === 0;
    if (drilled) drill(on, 4 + draw.below(mostSteps));
    for (let steps = drilled ? draw.below(3) : 2 + draw.below(mostSteps); steps > 0; steps--) {
      const turn = draw.below(10);
      if (turn < 4) fromPeer(on);
      else if (turn < 6) fromDevice(on);
      else if (turn < 7) elapses(on);
      else if (verbs) software(on);
    }
    if (draw.below(2) === 0) on.events.push({ kind: 'settled', t: on.t + 20_000_000 });
    const { header } = on;
    const unseen = header.sight.packets === 'none';
    return { header, events: unseen ? on.events.filter(({ kind }) => kind !== 'packet') : on.events };
  } catch (error) {
    // such as fields that no packet can have
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}

const mark = 'walk:';

/** Name of a walk. */
export function walkName(number: number): string {
  return `${mark}${number}`;
}

/** The number of a walk of this name; undefined if it is no name of one. */
export function parseWalkName(name: string): number | undefined {
  const digits = name.startsWith(mark) ? name.slice(mark.length) : '';
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}
