import type { RateRecord } from '../../../spec/congestion.ts';
import { ackTimeout, rnrNanoseconds } from '../../../spec/constants.ts';
import type { TraceEvent, TraceHeader } from '../../../oracle/index.ts';
import { Draw } from '../random.ts';
import { leavesOf } from './leaves.ts';
import { at } from './times.ts';
import type { RecordedTrace } from './view.ts';

/** Times that a trace gives a meaning: those that the device declares, and those of timer codes in calls and NAKs. */
function timesOf({ header, events }: RecordedTrace): number[] {
  const found = new Set<number>([1, 100_000]);
  const { congestion, outOfOrder, timing } = header;
  for (const { value } of leavesOf([congestion, outOfOrder, timing]))
    if (typeof value === 'number' && value >= 100 && value < 1e9) found.add(value);
  for (const event of events) {
    if (event.kind === 'call' && event.call === 'modify_qp') {
      const { timeout, min_rnr_timer } = event.attr;
      if (timeout !== undefined && timeout < 24) found.add(ackTimeout.baseNanoseconds * 2 ** timeout);
      if (min_rnr_timer !== undefined) found.add(rnrNanoseconds(min_rnr_timer));
    }
    const syndrome = event.kind === 'packet' ? event.packet.aeth?.syndrome : undefined;
    if (syndrome !== undefined && syndrome >> 5 === 1) found.add(rnrNanoseconds(syndrome & 31));
  }
  return [...found];
}

const factors = [1, 1, 1, 2, 4, 10, 0.5, 0.75, 1.5, 3];
const offsets = [0, 0, 0, 1, -1, 500, -500];

/**
 * A trace in which the time between two events is one that a rule may ask about: a time that it gives a meaning, or the sum of two, a
 * multiple, one nanosecond more or less. All that comes behind is moved along.
 */
export function timed(trace: RecordedTrace, number: number): RecordedTrace | undefined {
  const draw = new Draw(number);
  const { header, events } = trace;
  const to = 1 + draw.below(events.length - 1);
  const from = Math.max(0, to - 1 - (draw.below(2) === 0 ? draw.below(4) : draw.below(to)));
  const times = timesOf(trace);
  const one = (): number => (draw.of(times) ?? 0) * (draw.of(factors) ?? 1);
  const span = Math.round(one() + (draw.below(3) === 0 ? one() : 0)) + (draw.of(offsets) ?? 0);
  const [since, before, now] = [events[from]?.t, events[to - 1]?.t, events[to]?.t];
  if (since === undefined || before === undefined || now === undefined) return undefined;
  const shift = Math.max(before, since + span) - now;
  if (shift === 0) return undefined;
  return { header, events: events.map((event, i) => (i < to ? event : at(event, event.t + shift))) };
}

type Step = (before: RateRecord, target: number) => number;

/** What the steps of a reaction point make of a rate, a target and alpha. */
function stepsOf({ congestion }: TraceHeader): Record<'alpha' | 'target' | 'rate', Step[]> {
  const line = congestion?.lineRate ?? 1e11;
  const dcqcn = congestion?.dcqcn;
  const { g = 1 / 16, initialAlpha = 1, activeIncrease = 1e8, hyperIncrease = 1e9 } = dcqcn ?? {};
  const { minRate = 1e7, firstRate = line, minDecreaseFactor = 0.5 } = dcqcn ?? {};
  const inRange = (rate: number): number => Math.min(line, Math.max(minRate, rate));
  const kept = { alpha: 0, target: 0, rate: 0 };
  const factor = [1, 1.000_001, 1.01, 0.99, 2, 0.5];
  const around = (part: keyof typeof kept): Step[] =>
    factor.map(
      (share) =>
        ({ [part]: value }) =>
          value * share,
    );
  return {
    alpha: [
      ...around('alpha'),
      () => initialAlpha,
      ({ alpha }) => (1 - g) * alpha + g,
      ({ alpha }) => (1 - g) * alpha,
    ],
    target: [
      ...around('target'),
      () => firstRate,
      ({ rate }) => rate,
      ({ target }) => Math.min(line, target + activeIncrease),
      ...[1, 2, 3, 5].map(
        (n): Step =>
          ({ target }) =>
            Math.min(line, target + n * hyperIncrease),
      ),
    ],
    rate: [
      ...around('rate'),
      () => firstRate,
      () => minRate,
      () => line,
      ({ alpha, rate }) => inRange(rate * Math.max(1 - alpha / 2, minDecreaseFactor)),
      ({ rate }, target) => inRange((rate + target) / 2),
      ({ rate }, target) => inRange((rate + target) / 2),
      ({ rate }) => inRange(rate + activeIncrease),
      ({ rate }) => inRange(rate + hyperIncrease),
    ],
  };
}

/** A trace in which the reaction point reports, once, what another step would have made of its registers, or another cause. */
export function stepped({ header, events }: RecordedTrace, number: number): RecordedTrace | undefined {
  const draw = new Draw(number);
  const places = events.flatMap((event, i) => (event.kind === 'rate' ? [i] : []));
  const place = draw.of(places);
  const event = place === undefined ? undefined : events[place];
  if (place === undefined || event?.kind !== 'rate') return undefined;
  const { qp_num, cause } = event.record;
  const older = events
    .slice(0, place)
    .findLast(
      (other): other is Extract<TraceEvent, { kind: 'rate' }> =>
        other.kind === 'rate' && other.record.qp_num === qp_num,
    );
  const line = header.congestion?.lineRate ?? 1e11;
  const first = {
    qp_num,
    cause,
    rate: line,
    target: line,
    alpha: header.congestion?.dcqcn?.initialAlpha ?? 1,
  };
  const before: RateRecord = older?.record ?? first;
  const steps = stepsOf(header);
  const made = (part: 'alpha' | 'target' | 'rate', target: number): number =>
    draw.below(3) === 0
      ? event.record[part]
      : ((draw.below(2) === 0 ? steps[part][0] : draw.of(steps[part]))?.(before, target) ?? 0);
  const target = made('target', 0);
  const causes = ['cnp', 'cut', 'alpha-slot', 'timer', 'bytes'] as const;
  const record: RateRecord = {
    qp_num,
    cause: draw.below(6) === 0 ? (draw.of(causes) ?? cause) : cause,
    alpha: Math.min(1, made('alpha', 0)),
    target,
    rate: made('rate', target),
  };
  return { header, events: events.with(place, { ...event, record }) };
}
