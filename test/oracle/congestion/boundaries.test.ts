import { describe, expect, it } from 'vitest';
import type { CongestionProfile, DcqcnParameters, RateCause } from '../../../spec/congestion.ts';
import { dcqcnProfile } from '../../../spec/dcqcn.ts';
import { CongestionTrace, responseTime } from './trace.ts';

// Numbers are worked out from the formulas of the document, at 40 Gb/s with g 1/256; each trace breaks one by the least.
const us = 1000;
const never = 1e9;
const paper = dcqcnProfile('paper');
const kept = 255 / 256;

/** Rate and target in Gb/s, and alpha. */
type State = readonly [rate: number, target: number, alpha: number];

class Reaction extends CongestionTrace {
  constructor(more: Partial<DcqcnParameters> = {}) {
    const profile: CongestionProfile = { ...paper, dcqcn: { ...paper.dcqcn, ...more } };
    super({ profile });
  }

  tells(t: number, cause: RateCause, [rate, target, alpha]: State): this {
    return this.at(t).rate(cause, { rate: rate * 1e9, target: target * 1e9, alpha });
  }

  /** A CNP, which changes nothing by itself. */
  named(t: number, state: State): this {
    this.at(t).cnpArrives();
    return this.tells(t, 'cnp', state);
  }

  /** The first CNP, at 0, and its cut. */
  begun(): this {
    return this.named(0, [40, 40, 1]).tells(0, 'cut', [20, 40, 1]);
  }
}

const begun = (more: Partial<DcqcnParameters> = {}): Reaction => new Reaction(more).begun();
const alone = { alphaSlot: never, timer: never };

/** Two increases and two slots of alpha, of which the first had a CNP; then another CNP, at 120 us. */
const again = (): Reaction =>
  begun()
    .tells(55 * us, 'alpha-slot', [20, 40, 1])
    .tells(55 * us, 'timer', [30, 40, 1])
    .tells(110 * us, 'alpha-slot', [30, 40, kept])
    .tells(110 * us, 'timer', [35, 40, kept])
    .named(120 * us, [35, 40, kept]);
const second: State = [17.568359375, 35, kept];

describe('the formulas of DC-QCN, to the last digit that counts', () => {
  it('a cut: rate (1 - alpha / 2), the rate before it as target, alpha as it was', () => {
    const cut = (state: State): string[] =>
      again()
        .tells(120 * us, 'cut', state)
        .broken();
    expect(cut(second)).toEqual([]);
    expect(cut([17.5684, 35, kept])).toEqual(['cc-cut-formula']);
    expect(cut([17.568359375, 35.0001, kept])).toEqual(['cc-cut-target']);
    expect(cut([17.568359375, 35, kept + 3e-6])).toEqual(['cc-cut-alpha']);
  });

  it('alpha: 255/256 of what it was and 1/256 for a slot with CNPs, however many', () => {
    const slot = (alpha: number, more = 0): string[] => {
      const trace = again().tells(120 * us, 'cut', second);
      for (let n = 1; n <= more; n++) trace.named((120 + 10 * n) * us, second);
      return trace.tells(165 * us, 'alpha-slot', [second[0], second[1], alpha]).broken();
    };
    const risen = 0.9961090087890625;
    expect(slot(risen)).toEqual([]);
    expect(slot(risen, 3)).toEqual([]);
    expect(slot(risen + 3e-6)).toEqual(['cc-alpha-rises']);
    // once for each CNP; and with the weights of the two the other way round
    expect(slot(1 - (1 - kept) * kept ** 3, 3)).toEqual(['cc-alpha-rises']);
    expect(slot(kept / 256 + kept)).toEqual(['cc-alpha-rises']);
  });

  it('a CNP counts for the slot that it came in, up to its last nanosecond', () => {
    const before = (alpha: number): string[] =>
      begun({ timer: never, decreaseSlot: never })
        .tells(55 * us, 'alpha-slot', [20, 40, 1])
        .named(110 * us - 1, [20, 40, 1])
        .tells(110 * us, 'alpha-slot', [20, 40, alpha])
        .broken();
    expect(before(1)).toEqual([]);
    expect(before(kept)).toEqual(['cc-alpha-rises']);
    const behind = (alpha: number): string[] =>
      begun({ timer: never, decreaseSlot: never })
        .tells(55 * us, 'alpha-slot', [20, 40, 1])
        .tells(110 * us, 'alpha-slot', [20, 40, kept])
        .named(110 * us + 1, [20, 40, kept])
        .tells(165 * us, 'alpha-slot', [20, 40, alpha])
        .broken();
    expect(behind(kept * kept + 1 / 256)).toEqual([]);
    expect(behind(kept * kept)).toEqual(['cc-alpha-rises']);
  });
});

describe('what a cut may leave', () => {
  const cut = (more: Partial<DcqcnParameters>, rate: number): string[] => {
    const { initialAlpha: alpha = 1 } = more;
    return new Reaction(more).named(0, [40, 40, alpha]).tells(0, 'cut', [rate, 40, alpha]).broken();
  };

  it('has the least rate and the least share as bounds, and no others', () => {
    expect(cut({ minRate: 25e9 }, 25)).toEqual([]);
    expect(cut({ minRate: 25e9 }, 25.0001)).toEqual(['cc-cut-formula']);
    expect(cut({ minDecreaseFactor: 0.75 }, 30)).toEqual([]);
    expect(cut({ minDecreaseFactor: 0.75 }, 20)).toEqual(['cc-cut-formula']);
    expect(cut({ initialAlpha: 0.5 }, 30)).toEqual([]);
    expect(cut({ initialAlpha: 0.5 }, 20)).toEqual(['cc-cut-formula']);
    expect(cut({ initialAlpha: 0 }, 40)).toEqual([]);
    expect(cut({ initialAlpha: 0 }, 40.0001)).toContain('cc-cut-formula');
  });

  it('has the rate before it as target each time, or only behind an increase', () => {
    const twice = (clampTarget: boolean, target: number): string[] =>
      begun({ ...alone, clampTarget })
        .named(50 * us, [20, 40, 1])
        .tells(50 * us, 'cut', [10, target, 1])
        .broken();
    expect(twice(true, 20)).toEqual([]);
    expect(twice(true, 40)).toEqual(['cc-cut-target']);
    expect(twice(false, 40)).toEqual([]);
    expect(twice(false, 20)).toEqual(['cc-cut-target']);
    const increased = (target: number): string[] =>
      begun({ alphaSlot: never, clampTarget: false })
        .tells(55 * us, 'timer', [30, 40, 1])
        .named(56 * us, [30, 40, 1])
        .tells(56 * us, 'cut', [15, target, 1])
        .broken();
    expect(increased(30)).toEqual([]);
    expect(increased(40)).toEqual(['cc-cut-target']);
  });
});

describe('slots and spans, to the nanosecond', () => {
  const still: State = [20, 40, 1];

  it('of alpha', () => {
    const slot = (t: number): string[] =>
      begun({ timer: never })
        .tells(55 * us, 'alpha-slot', still)
        .tells(t, 'alpha-slot', [20, 40, kept])
        .broken();
    expect(slot(110 * us)).toEqual([]);
    expect(slot(110 * us - 1)).toEqual(['cc-alpha-early']);
    const owed = (t: number): string[] =>
      begun({ timer: never })
        .tells(55 * us, 'alpha-slot', still)
        .at(t)
        .settle()
        .broken();
    expect(owed(110 * us + responseTime)).toEqual([]);
    expect(owed(110 * us + responseTime + 1)).toEqual(['cc-alpha-slot-owed']);
  });

  it('of cuts', () => {
    const cuts = (t: number): string[] => begun(alone).named(t, still).tells(t, 'cut', [10, 20, 1]).broken();
    expect(cuts(50 * us)).toEqual([]);
    expect(cuts(50 * us - 1)).toEqual(['cc-cut-early']);
    const further = (more: boolean): string[] => {
      const trace = begun(alone);
      for (const t of [10, 20, 49]) trace.named(t * us, still);
      trace.tells(50 * us, 'cut', [10, 20, 1]);
      if (more) trace.tells(100 * us, 'cut', [5, 10, 1]);
      return trace.broken();
    };
    expect(further(false)).toEqual([]);
    expect(further(true)).toEqual(['cc-cut-unprompted']);
  });

  it('of the timer, which a cut starts anew', () => {
    const first = (t: number): string[] =>
      begun({ alphaSlot: never }).tells(t, 'timer', [30, 40, 1]).broken();
    expect(first(55 * us)).toEqual([]);
    expect(first(55 * us - 1)).toEqual(['cc-timer-early']);
    const restarted = (t: number): string[] =>
      begun({ alphaSlot: never })
        .named(54_999, still)
        .tells(54_999, 'cut', [10, 20, 1])
        .tells(t, 'timer', [15, 20, 1])
        .broken();
    expect(restarted(109_999)).toEqual([]);
    expect(restarted(109_998)).toEqual(['cc-timer-early']);
    expect(restarted(55 * us)).toEqual(['cc-timer-early']);
  });

  it('of the byte counter, which a cut starts anew', () => {
    const counted = { ...alone, bytes: 16_384 };
    const after = (packets: number, cutBehind = 0): string[] => {
      const trace = begun(counted);
      let [rate, target] = [20, 40];
      for (let n = 1; n <= packets; n++) {
        trace.at(n * 5000).sends(1024);
        if (n !== cutBehind) continue;
        trace.named(n * 5000 + 1, [20, 40, 1]).tells(n * 5000 + 1, 'cut', [10, 20, 1]);
        [rate, target] = [10, 20];
      }
      return trace.tells(packets * 5000 + 2, 'bytes', [(rate + target) / 2, target, 1]).broken();
    };
    // 15 frames, or 16 payloads
    expect(after(15)).toEqual([]);
    expect(after(14)).toEqual(['cc-bytes-early']);
    expect(after(25, 10)).toEqual([]);
    expect(after(24, 10)).toEqual(['cc-bytes-early']);
  });
});

describe('the stages of increase', () => {
  /** Increases by the timer behind two cuts: fast recovery, active and hyper increase; `last`: what the last one is off by. */
  const stages = (kinds: string, { raised = 'target', last = 0 } = {}): string[] => {
    const trace = begun({ alphaSlot: never })
      .named(50 * us, [20, 40, 1])
      .tells(50 * us, 'cut', [10, 20, 1]);
    let [rate, target] = [10, 20];
    for (const [i, kind] of kinds.split('').entries()) {
      const step = kind === 'f' ? 0 : kind === 'a' ? 0.04 : 0.4;
      if (raised === 'target' || kind === 'f') rate = (rate + (target += step)) / 2;
      else rate += step;
      if (i === kinds.length - 1) rate += last;
      trace.tells((105 + 55 * i) * us, 'timer', [rate, target, 1]);
    }
    return trace.broken();
  };

  it('begin where the count passes the threshold, one event more or less', () => {
    for (const sound of ['ffffa', 'fffffa', 'ffffffa', 'fffffaaaaah', 'fffffaaaaaah'])
      expect(stages(sound), sound).toEqual([]);
    expect(stages('fffa')).toEqual(['cc-fast-recovery']);
    expect(stages('fffffff')).toEqual(['cc-active-increase']);
    expect(stages('ffffffh')).toEqual(['cc-active-increase']);
    expect(stages('fffffaaah')).toEqual(['cc-active-increase']);
    expect(stages('fffffaaaaahf')).toEqual(['cc-hyper-begins']);
  });

  it('rise by their constant', () => {
    const off = 0.00005;
    expect(stages('fff', { last: off })).toEqual(['cc-fast-recovery']);
    expect(stages('ffffffaa')).toEqual([]);
    expect(stages('ffffffaa', { last: off })).toEqual(['cc-active-increase']);
    expect(stages('ffffffaa', { raised: 'rate' })).toEqual([]);
    expect(stages('ffffffaa', { raised: 'rate', last: off })).toEqual(['cc-active-increase']);
  });

  it('are over with a cut', () => {
    const behind = (step: number): string[] => {
      const trace = begun({ alphaSlot: never })
        .named(50 * us, [20, 40, 1])
        .tells(50 * us, 'cut', [10, 20, 1]);
      let [rate, target] = [10, 20];
      for (let n = 1; n <= 7; n++) {
        if (n > 5) target += 0.04;
        rate = (rate + target) / 2;
        trace.tells((50 + 55 * n) * us, 'timer', [rate, target, 1]);
      }
      trace.named(436 * us, [rate, target, 1]);
      [rate, target] = [rate / 2, rate];
      trace.tells(436 * us, 'cut', [rate, target, 1]);
      target += step;
      return trace.tells(491 * us, 'timer', [(rate + target) / 2, target, 1]).broken();
    };
    expect(behind(0)).toEqual([]);
    expect(behind(0.04)).toEqual(['cc-fast-recovery']);
  });
});
