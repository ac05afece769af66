import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CongestionProfile, DcqcnParameters, RateCause } from '../../../spec/congestion.ts';
import { dcqcnProfile, dcqcnProfileNames } from '../../../spec/dcqcn.ts';
import { specDirectory } from '../../../spec/load.ts';
import { runDcqcn } from './dcqcn-run.ts';
import type { DcqcnStep } from './dcqcn-run.ts';
import {
  besideCut,
  bytesOwed,
  cut,
  cutOf,
  half,
  hurtBy,
  lateBy,
  line,
  rateFaults,
  traced,
} from './faults.ts';
import { dut } from '../trace/packets.ts';
import { rules } from '../trace/trace.ts';
import { brisk, CongestionTrace } from './trace.ts';

const parameters: DcqcnParameters = brisk.dcqcn;

describe('what the tables make of CNPs is found right', () => {
  it.each(dcqcnProfileNames)('with the parameters of %s', (name) => {
    const profile = dcqcnProfile(name);
    const { decreaseSlot, timer } = profile.dcqcn;
    const cnps = [1000, 1000 + decreaseSlot, 1000 + decreaseSlot + 10, 1000 + decreaseSlot + 4 * timer];
    const trace = traced(profile, { cnps, until: decreaseSlot + 40 * timer });
    expect(trace.broken()).toEqual([]);
  });

  it('whenever they come', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 1, maxLength: 12 }), (gaps) => {
        let t = 0;
        const cnps = gaps.map((gap) => (t += gap));
        expect(traced(brisk, { cnps, until: t + 600_000 }).broken()).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('and any other number is found wrong', () => {
    const sound = traced(brisk, { cnps: [0, 30_000, 60_000], until: 700_000 });
    const records = sound.events.flatMap((event, index) => (event.kind === 'rate' ? [{ event, index }] : []));
    fc.assert(
      fc.property(
        fc.nat(records.length - 1),
        fc.constantFrom('rate', 'target', 'alpha'),
        fc.constantFrom(0.99, 1.01),
        (which, field, factor) => {
          const chosen = records[which];
          if (chosen === undefined) return;
          const wrong = new CongestionTrace();
          wrong.events.splice(0, Infinity, ...sound.events);
          const { record } = chosen.event;
          wrong.events[chosen.index] = {
            ...chosen.event,
            record: { ...record, [field]: record[field] * factor },
          };
          expect(wrong.broken()).not.toEqual([]);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('CNPs of which the reaction point may take note or not', () => {
  const doubtful = { tver: 1 };
  it.each([
    ['before', (trace: CongestionTrace) => trace.cnpArrives(doubtful).cnpArrives()],
    ['behind', (trace: CongestionTrace) => trace.cnpArrives().cnpArrives(doubtful)],
  ])('one %s a sound one is passed over, or noted as well', (_, arrive) => {
    const once = arrive(new CongestionTrace()).rate('cnp', line);
    const twice = arrive(new CongestionTrace()).rate('cnp', line).rate('cnp', line);
    for (const trace of [once, twice]) expect(trace.rate('cut', half).at(5000).settle().broken()).toEqual([]);
  });

  it('do not stand for a sound one', () => {
    const trace = new CongestionTrace().cnpArrives(doubtful).cnpArrives().at(5000).settle();
    expect(trace.broken()).toContain('cc-cnp-noticed');
  });
});

/** Steps of one cause. */
function of(steps: readonly DcqcnStep[], ...causes: RateCause[]): DcqcnStep[] {
  return steps.filter(({ cause }) => causes.includes(cause));
}

describe('DC-QCN worked out by hand', () => {
  const paper = dcqcnProfile('paper');
  const us = 1000;

  it('one CNP at 40 Gb/s: halved, then half of the way each 55 us', () => {
    const steps = runDcqcn(rules, paper, { cnps: [0], until: 275 * us });
    expect(of(steps, 'cut')).toMatchObject([{ t: 0, rate: 20e9, target: 40e9, alpha: 1 }]);
    // 40 - 20 / 2^n
    expect(of(steps, 'timer').map(({ t, rate }) => [t / us, rate / 1e9])).toEqual([
      [55, 30],
      [110, 35],
      [165, 37.5],
      [220, 38.75],
      [275, 39.375],
    ]);
  });

  it('alpha falls by 1/256 in each slot without a CNP', () => {
    const steps = runDcqcn(rules, paper, { cnps: [0], until: 55 * us * 101 });
    const alphas = of(steps, 'alpha-slot').map(({ alpha }) => alpha);
    // the slot of the CNP: 1; then (255/256)^n
    expect(alphas[0]).toBe(1);
    expect(alphas[1]).toBeCloseTo(0.99609375, 12);
    expect(alphas[2]).toBeCloseTo(0.9922027587890625, 12);
    expect(alphas[100]).toBeCloseTo((255 / 256) ** 100, 12);
    expect(alphas[100]).toBeCloseTo(0.6761165, 6);
  });

  it('the second cut takes the alpha and the rate of then, and saves that rate', () => {
    // at 1 000 us: 18 slots have ended, the first with a CNP; alpha = (255/256)^17
    const steps = runDcqcn(rules, paper, { cnps: [0, 1000 * us], until: 1000 * us });
    const before = steps.at(-3);
    const alpha = (255 / 256) ** 17;
    expect(alpha).toBeCloseTo(0.935629, 6);
    const [, second] = of(steps, 'cut');
    expect(second?.alpha).toBeCloseTo(alpha, 12);
    expect(second?.target).toBe(before?.rate);
    expect(second?.rate).toBeCloseTo((before?.rate ?? 0) * (1 - alpha / 2), 3);
  });

  it('five events of fast recovery, five of active and then of hyper increase', () => {
    // two cuts: 40 -> 20 Gb/s, 50 us later 20 -> 10 Gb/s with target 20; alpha is still 1
    const steps = runDcqcn(rules, paper, { cnps: [0, 50 * us], until: (50 + 12 * 55) * us });
    expect(of(steps, 'cut').map(({ rate, target }) => [rate / 1e9, target / 1e9])).toEqual([
      [20, 40],
      [10, 20],
    ]);
    // target stays 20, then 20 + 0.04 n, then + 0.4 n; rate' = (rate + target) / 2
    expect(of(steps, 'timer').map(({ rate, target }) => [target / 1e9, rate / 1e9])).toEqual([
      [20, 15],
      [20, 17.5],
      [20, 18.75],
      [20, 19.375],
      [20, 19.6875],
      [20.04, 19.86375],
      [20.08, 19.971875],
      [20.12, 20.0459375],
      [20.16, 20.10296875],
      [20.2, 20.151484375],
      [20.6, 20.3757421875],
      [21, 20.68787109375],
    ]);
  });

  it('a CNP in every k-th slot: alpha comes to rest at g / (1 - (1 - g)^k), about 1/k', () => {
    for (const k of [2, 4, 10]) {
      const { g, alphaSlot } = paper.dcqcn;
      const cnps = Array.from({ length: 3000 }, (_, n) => n * k * alphaSlot + 1);
      const steps = runDcqcn(rules, paper, { cnps, until: 3000 * k * alphaSlot });
      const peak = of(steps, 'alpha-slot').at(1 - k)?.alpha ?? 0;
      const trough = of(steps, 'alpha-slot').at(-k)?.alpha ?? 0;
      expect(peak).toBeCloseTo(g / (1 - (1 - g) ** k), 6);
      expect(trough).toBeCloseTo((g * (1 - g) ** (k - 1)) / (1 - (1 - g) ** k), 6);
      expect((peak + trough) / 2).toBeCloseTo(1 / k, 2);
    }
  });

  it('both conventions of g give one alpha: 1019/1024 kept is 5/1024 of the newest', () => {
    const nvidia = dcqcnProfile('nvidia');
    expect(nvidia.dcqcn.g).toBe(5 / 1024);
    const steps = of(runDcqcn(rules, nvidia, { cnps: [0], until: 2000 }), 'alpha-slot');
    const initial = 1023 / 1024;
    expect(steps[0]?.alpha).toBeCloseTo((1019 * initial + 5) / 1024, 12);
    expect(steps[1]?.alpha).toBeCloseTo((1019 * (1019 * initial + 5)) / 1024 / 1024, 12);
  });

  it('recovers without CNPs, never beyond the line rate, and reaches it', () => {
    const steps = runDcqcn(rules, brisk, { cnps: [0, 20_000, 40_000], until: 5_000_000 });
    const rates = of(steps, 'timer').map(({ rate }) => rate);
    for (const [i, rate] of rates.entries()) expect(rate).toBeGreaterThanOrEqual(rates[i - 1] ?? 0);
    expect(Math.max(...rates)).toBeLessThanOrEqual(brisk.lineRate);
    expect(rates.at(-1)).toBeCloseTo(brisk.lineRate, -6);
  });

  it('never falls below the least rate', () => {
    const cnps = Array.from({ length: 60 }, (_, n) => n * parameters.decreaseSlot);
    const steps = runDcqcn(rules, brisk, { cnps, until: cnps.at(-1) ?? 0 });
    expect(of(steps, 'cut').at(-1)?.rate).toBe(parameters.minRate);
  });
});

describe('a reaction point of another make', () => {
  it('with integers for rates and alpha is found right', () => {
    const folder = join(specDirectory, '..', 'test', 'fixtures');
    const lines = readFileSync(join(folder, 'dcqcn-integers.txt'), 'utf8').split('\n');
    const nvidia = dcqcnProfile('nvidia');
    const profile: CongestionProfile = {
      ...nvidia,
      dcqcn: { ...nvidia.dcqcn, bytes: 64, minRate: 100e6, firstRate: 85e9 },
      resolution: { rate: 1e6, alpha: 1 / 1024 },
    };
    const trace = new CongestionTrace({ profile });
    let count = 0;
    for (const words of lines.map((text) => text.split(' '))) {
      const [t, cause, rate, target, alpha] = words;
      if (t === '#' || t === '' || cause === undefined) continue;
      trace.at(Number(t));
      if (cause === 'sent') trace.sends(Number(rate));
      else {
        if (cause === 'cnp') trace.cnpArrives();
        const state = { rate: Number(rate) * 1e6, target: Number(target) * 1e6, alpha: Number(alpha) / 1024 };
        trace.rate(cause as RateCause, state);
      }
      count++;
    }
    expect(count).toBeGreaterThan(1600);
    expect(trace.settle().broken()).toEqual([]);
    Object.assign(trace.header, { congestion: { ...profile, dcqcn: { ...profile.dcqcn, g: 1 / 16 } } });
    expect(new Set(trace.broken())).toContain('cc-alpha-decays');
  });
});

describe('each fault is found by its rule', () => {
  it.each(rateFaults)('%s', (rule, make) => {
    expect(make().broken()).toContain(rule);
  });

  it('bytes that were sent are owed an increase', () => {
    expect(bytesOwed().broken()).toEqual(['cc-bytes-owed']);
  });

  it('a CNP that cannot be meant cuts nothing', () => {
    const broken = new CongestionTrace().cnpArrives({ icrcXor: 1 }).at(5000).settle();
    expect(broken.broken()).toEqual([]);
    const heeded = new CongestionTrace().cnpArrives({ icrcXor: 1 }).rate('cnp', line);
    expect(heeded.broken()).toEqual(['cc-cnp-for-nobody']);
    const other = new CongestionTrace()
      .qp({ qp: 2, number: 0x12, peer: 0x23 })
      .cnpArrives()
      .rate('cnp', line, 0x12);
    expect(other.broken()).toContain('cc-rate-cnp-unprompted');
    expect(dut.qp).not.toBe(0x12);
  });
});

describe('a packet of a limited QP that has nothing else to wait for', () => {
  const late = (trace: CongestionTrace, mtu: number): CongestionTrace => trace.at(lateBy(mtu) + 1).settle();

  it('leaves when the rate lets it', () => {
    expect(cutOf('UC').posts(3000).sends(1024).at(lateBy(1024)).settle().broken()).toEqual([]);
    expect(late(cutOf('UC').posts(3000).sends(1024), 1024).broken()).toEqual(['cc-pace-reached']);
    expect(late(cutOf('UC').posts(3000), 1024).broken()).toEqual(['cc-pace-reached']);
  });

  it('is owed while there is one', () => {
    expect(late(cutOf('UC').posts(1024).sends(1024), 1024).broken()).toEqual([]);
    expect(late(cutOf('UC'), 1024).broken()).toEqual([]);
  });

  it('may have a lower rate of before to wait for, and its time begins with the packet before it', () => {
    const risen = cutOf('UC')
      .posts(3000)
      .sends(1024)
      .at(10)
      .rate('timer', { ...half, rate: 7.5e9 });
    expect(risen.at(lateBy(1024)).settle().broken()).not.toContain('cc-pace-reached');
    const again = cutOf('UC').posts(4000).at(4000).sends(1024).at(8000).sends(1024).at(12_000).sends(1024);
    expect(again.at(16_000).settle().broken()).toEqual([]);
  });

  it('is owed by no QP that has failed, is held by a switch, or has been given more than a datagram may hold', () => {
    const failed = cutOf('UC')
      .posts(3000)
      .at(lateBy(1024) + 1);
    expect(failed.event('IBV_EVENT_QP_FATAL').settle().broken()).toEqual([]);
    expect(late(cutOf('UD').posts(3000), 4096).broken()).toEqual([]);
    expect(late(cutOf('UD').posts(256), 4096).broken()).toEqual(['cc-pace-reached']);
  });

  it('is owed by no QP of RC, which may wait for acknowledgements', () => {
    expect(late(cut().posts(3000).sends(1024), 1024).broken()).toEqual([]);
  });
});

describe('a packet that waits for the rate while the rate is cut', () => {
  /** Packets without a pause; right behind some of them the rate is halved, and so many gaps stay as they were. */
  const through = (what: 'sends' | 'answers', kept: number): CongestionTrace => {
    const dcqcn = { ...parameters, alphaSlot: 1e9, timer: 1e9 };
    const trace = new CongestionTrace({ profile: { ...brisk, dcqcn } });
    trace.cnpArrives().rate('cnp', line).rate('cut', half);
    let rate = half.rate;
    for (let t = 0, cuts = 0, sent = 0, old = rate; cuts < 5; sent++) {
      trace.at(t)[what](1024);
      if (t > 20_000 * (cuts + 1) && sent > kept) {
        trace.cnpArrives().rate('cnp', { ...half, rate });
        trace.rate('cut', { ...half, rate: (rate /= 2) });
        cuts++;
        sent = 0;
      } else if (sent >= kept) old = rate;
      t += Math.round((1024 * 8e9) / old);
    }
    return trace;
  };

  it.each([
    ['sends', 'cc-pace-kept'],
    ['answers', 'cc-pace-kept-by-reads'],
  ] as const)(
    'may keep the time that was fixed when the packet before it left, it alone: %s',
    (what, rule) => {
      expect(through(what, 1).broken()).not.toContain(rule);
      expect(through(what, 2).broken()).toContain(rule);
    },
  );
});

describe('a packet of a QP that no CNP has named', () => {
  const late = (trace: CongestionTrace, mtu = 1024): CongestionTrace => trace.at(hurtBy(mtu) + 1).settle();

  it('leaves at once beside a QP that CNPs slow down', () => {
    expect(besideCut('UC').posts(3000).at(hurtBy(1024)).settle().broken()).toEqual([]);
    expect(late(besideCut('UC').posts(3000)).broken()).toEqual(['cc-neighbour-unhurt']);
    expect(late(besideCut('UC').posts(3000).sends(1024)).broken()).toEqual(['cc-neighbour-unhurt']);
    expect(late(besideCut('UC').posts(1024).sends(1024)).broken()).toEqual([]);
    expect(late(besideCut('UD').posts(256), 4096).broken()).toEqual(['cc-neighbour-unhurt']);
  });

  it('may wait for what the port sends before it', () => {
    const busy = besideCut('UC').posts(1024).at(1200).sends(1024, { destQp: 0x23 });
    expect(late(busy).broken()).toEqual([]);
  });

  it('is not judged where no other QP is slowed down, or the reaction point may have named this one', () => {
    expect(late(new CongestionTrace({ service: 'UC' }).posts(3000)).broken()).toEqual([]);
    expect(late(besideCut('UC').cnpArrives().posts(3000)).broken()).not.toContain('cc-neighbour-unhurt');
  });

  it('is owed by no QP that has failed', () => {
    const failed = besideCut('UC')
      .posts(3000)
      .at(hurtBy(1024) + 1);
    expect(failed.event('IBV_EVENT_QP_FATAL').settle().broken()).toEqual([]);
  });
});

describe('what the document leaves open', () => {
  it('a cut may wait for the end of its slot', () => {
    const trace = new CongestionTrace()
      .cnpArrives()
      .rate('cnp', line)
      .at(parameters.decreaseSlot)
      .rate('cut', half);
    expect(trace.broken()).toEqual([]);
  });

  it('the rate itself may rise by the constant', () => {
    const { timer, threshold, activeIncrease } = parameters;
    const profile = { ...brisk, dcqcn: { ...parameters, alphaSlot: 10_000_000 } };
    const trace = new CongestionTrace({ profile }).cnpArrives().rate('cnp', line).rate('cut', half);
    trace.at(parameters.decreaseSlot).cnpArrives().rate('cnp', half);
    let [rate, target] = [2.5e9, 5e9];
    trace.rate('cut', { rate, target, alpha: 1 });
    for (let n = 1; n <= 2 * threshold; n++) {
      if (n <= threshold) rate = (rate + target) / 2;
      else [rate, target] = [rate + activeIncrease, target + activeIncrease];
      trace.at(parameters.decreaseSlot + n * timer).rate('timer', { rate, target, alpha: 1 });
    }
    expect(trace.broken()).toEqual([]);
  });

  it('what a device that declares no parameters does within their meaning', () => {
    const trace = new CongestionTrace({ profile: { lineRate: 10e9, cnp: brisk.cnp } });
    trace
      .cnpArrives()
      .rate('cnp', { ...line, alpha: 0.5 })
      .rate('cut', { rate: 7.5e9, target: 10e9, alpha: 0.5 });
    trace.at(70).rate('alpha-slot', { rate: 7.5e9, target: 10e9, alpha: 0.4 });
    expect(trace.broken()).toEqual([]);
    expect(trace.at(80).cnpArrives().rate('cut', { rate: 1e9, target: 7.5e9, alpha: 0.4 }).broken()).toEqual([
      'cc-cut-formula',
    ]);
  });
});
