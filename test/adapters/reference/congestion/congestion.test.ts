import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultConfig, referenceAdapter } from '../../../../adapters/reference/index.ts';
import { alphaAfter } from '../../../../adapters/reference/congestion/formulas.ts';
import { RateLimiter } from '../../../../adapters/reference/congestion/rate-limiter.ts';
import { OneCount, TwoCounts } from '../../../../adapters/reference/congestion/stages.ts';
import { VirtualClock } from '../../../../adapters/virtual-clock.ts';
import { handTrace } from '../../../../bench/hand-trace.ts';
import { rateTrace } from '../../../../bench/rate-trace.ts';
import type { DcqcnParameters, RateCause } from '../../../../spec/congestion.ts';
import { dcqcnProfile, dcqcnProfileNames, newestWeight } from '../../../../spec/dcqcn.ts';
import { packet } from '../../../../suites/arbitraries/packets.ts';
import { drive, packets } from '../../../suites/drive.ts';
import { defaultScenario } from './congestion-scenario.ts';

describe('the notification point', () => {
  it('answers a packet that met congestion by a CNP, bit for bit', async () => {
    const { events } = await drive(
      defaultScenario([
        { do: 'post_recv', length: 8 },
        { do: 'inject', packet: { ...packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } }), ecn: 3 } },
      ]),
    );
    const [marked] = packets(events, 'to-dut');
    const [cnp] = packets(events, 'from-dut').filter((e) => e.packet.info?.kind === 'cnp');
    if (marked === undefined || cnp === undefined) throw new Error('no CNP');
    const { frame } = cnp.packet;
    // Ethernet 14, IPv4 20, UDP 8; then the BTH, 16 reserved bytes and the ICRC
    const bth = Buffer.from(frame.subarray(42, 54)).toString('hex');
    const peerQp = cnp.packet.destQp.toString(16).padStart(6, '0');
    expect(bth).toBe(`8100ffff40${peerQp}00000000`);
    expect(Buffer.from(frame.subarray(54, 70)).every((byte) => byte === 0)).toBe(true);
    expect(frame).toHaveLength(74);
    expect(cnp.packet.icrcOk).toBe(true);
    expect([cnp.packet.srcIp, cnp.packet.dstIp]).toEqual([marked.packet.dstIp, marked.packet.srcIp]);
    expect(cnp.packet.ecn).toBe(1);
  });

  it('sends one CNP in each interval for packets that follow each other closely', async () => {
    const one = { ...packet('SEND_ONLY'), ecn: 3 as const };
    const { events } = await drive(
      defaultScenario(
        Array.from({ length: 40 }, () => [
          { do: 'post_recv' as const, length: 0 },
          { do: 'inject' as const, packet: one },
          { do: 'sleep' as const, us: 5 },
        ]).flat(),
      ),
    );
    const times = packets(events, 'from-dut')
      .filter((e) => e.packet.info?.kind === 'cnp')
      .map(({ t }) => t);
    const gaps = times.slice(1).map((t, i) => t - (times[i] ?? 0));
    expect(gaps.length).toBeGreaterThan(2);
    expect(gaps.every((gap) => gap >= defaultConfig.congestion.cnp.interval)).toBe(true);
  });

  it('is silent where congestion management is off, and packets are not ECN capable', async () => {
    const { events } = await drive(
      defaultScenario([
        { do: 'post_recv', length: 0 },
        { do: 'inject', packet: { ...packet('SEND_ONLY'), ecn: 3 } },
      ]),
      referenceAdapter({ responder: { rcm: false } }),
    );
    expect(packets(events, 'from-dut').map((e) => [e.packet.info?.kind, e.packet.ecn])).toEqual([
      ['response', 0],
    ]);
  });
});

describe('the reaction point', () => {
  it('goes the way that was worked out by hand', async () => {
    const moves = (await rateTrace(1000)).filter(
      ({ record }) => record.cause === 'cut' || record.cause === 'timer',
    );
    const hand = handTrace(17).filter(({ at }) => at <= 1000);
    expect(moves.map(({ at }) => at)).toEqual(hand.map(({ at }) => at));
    for (const [i, { rate, target }] of hand.entries()) {
      expect(moves[i]?.record.rate).toBeCloseTo(rate * 1e9, -1);
      expect(moves[i]?.record.target).toBeCloseTo(target * 1e9, -1);
    }
  });

  it('knows g by either convention', () => {
    expect(newestWeight({ kept: 255 / 256 })).toBeCloseTo(newestWeight({ newest: 1 / 256 }));
    const sound = { variant: undefined };
    const vendor = dcqcnProfile('nvidia').dcqcn.g;
    expect(vendor).toBeCloseTo(5 / 1024);
    expect(alphaAfter(sound, 1, 0, vendor)).toBeCloseTo(1019 / 1024);
    expect(alphaAfter(sound, 0.5, 3, vendor)).toBeCloseTo(0.5 * (1019 / 1024) + 5 / 1024);
  });

  it('counts the events of a stage together, or by what brings them', () => {
    const one = new OneCount(2);
    expect(Array.from({ length: 6 }, () => one.next())).toEqual([
      'recovery',
      'recovery',
      'active',
      'active',
      'hyper',
      'hyper',
    ]);
    one.reset();
    expect(one.next()).toBe('recovery');
    const two = new TwoCounts(2);
    expect((['timer', 'timer', 'bytes', 'timer', 'bytes', 'bytes'] as const).map((k) => two.next(k))).toEqual(
      ['recovery', 'active', 'active', 'active', 'active', 'hyper'],
    );
  });

  it('keeps alpha in [0, 1] and the rate in (0, line], and never slows down without a CNP', () => {
    const event = fc.oneof(
      fc.record({ what: fc.constant<'cnp'>('cnp') }),
      fc.record({ what: fc.constant<'sent'>('sent'), bytes: fc.integer({ min: 64, max: 9000 }) }),
      fc.record({ what: fc.constant<'time'>('time'), ns: fc.integer({ min: 1, max: 300_000 }) }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...dcqcnProfileNames),
        fc.constantFrom<'at-once' | 'slot-end'>('at-once', 'slot-end'),
        fc.constantFrom<'one-count' | 'two-counts'>('one-count', 'two-counts'),
        fc.array(event, { maxLength: 40 }),
        (name, cut, increase, events) => {
          const { lineRate, cnp, dcqcn } = dcqcnProfile(name);
          const seen: { cause: RateCause; rate: number; target: number; alpha: number }[] = [];
          const clock = new VirtualClock();
          const limiter: RateLimiter = new RateLimiter({
            clock,
            settings: { ...defaultConfig.congestion, lineRate, cnp, dcqcn, cut, increase },
            variant: undefined,
            alpha: dcqcn.initialAlpha,
            record: (cause) => {
              seen.push({ cause, rate: limiter.rate, target: limiter.target, alpha: limiter.alpha });
            },
            released: () => undefined,
          });
          for (const e of events) {
            if (e.what === 'cnp') limiter.notified();
            else if (e.what === 'sent') limiter.left('requests', e.bytes);
            else clock.advance(e.ns);
          }
          limiter.stop();
          let before = lineRate;
          const wrong = seen.filter(({ cause, rate, target, alpha }) => {
            const last = before;
            before = rate;
            const moves = cause === 'cut' ? rate >= Math.floor(last / 2) && rate <= last : rate >= last;
            const lies = rate >= dcqcn.minRate && rate <= target && target <= lineRate;
            return !(moves && lies && alpha >= 0 && alpha <= 1);
          });
          expect(wrong).toEqual([]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('keeps packets apart by what the rate allows, and lets go at the line rate', () => {
    const clock = new VirtualClock();
    const dcqcn: DcqcnParameters = {
      ...dcqcnProfile('brisk').dcqcn,
      minDecreaseFactor: 0.5,
      bytes: Number.MAX_SAFE_INTEGER,
    };
    let released = false;
    const limiter = new RateLimiter({
      clock,
      settings: { ...defaultConfig.congestion, lineRate: 10e9, dcqcn, cut: 'at-once' },
      variant: undefined,
      alpha: dcqcn.initialAlpha,
      record: () => undefined,
      released: () => {
        released = true;
      },
    });
    limiter.notified();
    expect(limiter.rate).toBe(5e9);
    expect(limiter.wait('requests')).toBe(0);
    limiter.left('requests', 1000);
    // 8000 bits at 5 Gb/s
    expect(limiter.wait('requests')).toBe(1600);
    limiter.left('requests', 1000);
    expect(limiter.wait('requests')).toBe(3200);
    clock.advance(10e6);
    expect(released).toBe(true);
    expect(limiter.rate).toBe(10e9);
    expect(clock.pending).toBe(0);
  });
});
