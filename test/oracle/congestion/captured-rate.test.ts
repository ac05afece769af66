import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  defaultCongestion,
  type CongestionSettings,
} from '../../../adapters/reference/congestion/settings.ts';
import { RateLimiter } from '../../../adapters/reference/congestion/rate-limiter.ts';
import { VirtualClock } from '../../../adapters/virtual-clock.ts';
import { CapturedRate } from '../../../oracle/congestion/captured-rate.ts';
import { CongestionContext } from '../../../oracle/congestion/context.ts';
import { congestionRules } from '../../../oracle/congestion/tables.ts';
import { PortQueue } from '../../../oracle/device/port-queue.ts';
import { Stalls } from '../../../oracle/device/stalls.ts';
import { Ledger } from '../../../oracle/rulebook/ledger.ts';
import type { CongestionProfile, DcqcnParameters } from '../../../spec/congestion.ts';
import { dcqcnProfile, dcqcnTolerance } from '../../../spec/dcqcn.ts';
import { packetFields, packetOf } from '../trace/packets.ts';
import { rules } from '../trace/trace.ts';

const table = congestionRules(rules);
const us = 1000;

function captured(congestion: CongestionProfile): CapturedRate {
  const header = { sight: { packets: 'mid-path', verbs: false }, clock: 'recorded', congestion } as const;
  const stalls = new Stalls(new PortQueue({ lineRate: undefined, responseTime: undefined }));
  return new CapturedRate(new CongestionContext(table, new Ledger(), header, stalls));
}

/** A packet with so much payload. */
const sends = (length: number) =>
  packetOf({ ...packetFields('RC', 'from-dut', 'SEND_ONLY', 0, {}), payload: new Uint8Array(length) });

const parameters: fc.Arbitrary<DcqcnParameters> = fc.record({
  g: fc.constantFrom(1 / 256, 1 / 16, 1 / 4, 0.6),
  initialAlpha: fc.constantFrom(0.05, 0.5, 1, 1),
  alphaSlot: fc.constantFrom(1 * us, 25 * us, 55 * us),
  decreaseSlot: fc.constantFrom(4 * us, 20 * us, 50 * us),
  minDecreaseFactor: fc.constantFrom(0.5, 0.9),
  minRate: fc.constantFrom(1e6, 1e9),
  timer: fc.constantFrom(10 * us, 55 * us, 300 * us, 900 * us, 2000 * us),
  bytes: fc.constantFrom(5000, 200_000, 10_000_000, 10_000_000),
  threshold: fc.constantFrom(1, 3, 5),
  activeIncrease: fc.constantFrom(5e6, 40e6, 400e6),
  hyperIncrease: fc.constantFrom(50e6, 1e9),
  clampTarget: fc.boolean(),
});

interface Course {
  dcqcn: DcqcnParameters;
  cut: CongestionSettings['cut'];
  increase: CongestionSettings['increase'];
  /** from each CNP to the next, nanoseconds, and how much later than the capture shows it each reaches the device */
  gaps: readonly number[];
  late: readonly number[];
  payload: number;
  /** the QP is read from as well: every so many packets, one answers */
  answers: number;
}

const courses: fc.Arbitrary<Course> = fc
  .record({
    dcqcn: parameters,
    cut: fc.constantFrom('at-once' as const, 'slot-end' as const),
    increase: fc.constantFrom('one-count' as const, 'two-counts' as const),
    usual: fc.constantFrom(30 * us, 60 * us, 200 * us),
    pauses: fc.array(fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 1, 1, 0.3, 0.9, 2, 20), {
      minLength: 60,
      maxLength: 150,
    }),
    late: fc.array(fc.nat(dcqcnTolerance().port), { minLength: 1, maxLength: 20 }),
    payload: fc.constantFrom(64, 1024, 4096),
    answers: fc.constantFrom(0, 1, 2),
  })
  .map(({ usual, pauses, ...rest }) => ({ ...rest, gaps: pauses.map((pause) => Math.round(usual * pause)) }));

/** Whether a conformant reaction point is ever faster than a capture has it, and the least that the capture has had it at. */
function followed({ dcqcn, cut, increase, gaps, late, payload, answers }: Course): {
  faster: number[];
  least: number;
} {
  const lineRate = 10e9;
  const clock = new VirtualClock();
  const settings = { ...defaultCongestion, lineRate, dcqcn, cut, increase };
  const rate = captured({ lineRate, cnp: settings.cnp, dcqcn });
  let limiter: RateLimiter | undefined;
  const named = (): void => {
    limiter ??= new RateLimiter({
      clock,
      settings,
      variant: undefined,
      alpha: dcqcn.initialAlpha,
      record: () => undefined,
      released: () => (limiter = undefined),
    });
    limiter.notified();
  };
  const packet = sends(payload);
  let sent = 0;
  const faster: number[] = [];
  let least = lineRate;
  let arrives = 0;
  clock.advance(100 * us);
  for (const [i, gap] of gaps.entries()) {
    rate.cnp(clock.now());
    // they overtake each other nowhere
    arrives = Math.max(arrives, clock.now() + (late[i % late.length] ?? 0));
    clock.setTimer(arrives - clock.now(), named);
    const step = Math.max(gap / 7, 5 * us);
    for (let left = gap; left > 0; left -= step) {
      clock.advance(Math.min(step, left));
      if (answers > 0 && sent++ % answers === 0) {
        limiter?.left('read-responses', packet.frame.length);
        rate.answered(packet, clock.now());
      } else {
        limiter?.left('requests', packet.frame.length);
        rate.sent(packet, clock.now());
      }
      const now = limiter?.rate ?? lineRate;
      if (now > rate.rate * (1 + 1e-9) + 1) faster.push(clock.now(), now, rate.rate);
      least = Math.min(least, rate.rate);
    }
  }
  limiter?.stop();
  return { faster, least };
}

describe('the rate of a flow in a capture', () => {
  it('is never lower than that of a conformant reaction point', () => {
    let limited = 0;
    fc.assert(
      fc.property(courses, (course) => {
        const { faster, least } = followed(course);
        expect(faster).toEqual([]);
        if (least < 8e9) limited++;
      }),
      // a gate says the same every time; RUNS=10000 goes hunting
      { numRuns: Number(process.env['RUNS'] ?? 200), seed: Number(process.env['SEED'] ?? 1) },
    );
    expect(limited).toBeGreaterThan(20);
  });

  it.each([
    ['nvidia', 100, 0.1],
    ['paper', 50, 0.5],
    ['ns3', 50, 0.1],
  ] as const)('falls far by the parameters of %s, if a CNP comes every %d us', (name, apart, share) => {
    const profile = dcqcnProfile(name);
    const rate = captured(profile);
    for (let t = 1e6; t < 120e6; t += apart * us) rate.cnp(t);
    expect(rate.rate).toBeLessThan(share * profile.lineRate);
    expect(rate.rate).toBeGreaterThanOrEqual(profile.dcqcn.minRate);
  });

  it('counts no packet before a cut is certain', () => {
    const rate = captured(dcqcnProfile('nvidia'));
    const packet = sends(4096);
    expect(rate.sent(packet, 1e6)).toBeUndefined();
    rate.cnp(2e6);
    expect(rate.sent(packet, 2e6 + 24 * us - 1)).toBeUndefined();
    expect(rate.sent(packet, 2e6 + 24 * us)).toBe(0);
  });
});
