import { describe, expect, it } from 'vitest';
import { judgeTrace, runConformance } from '../../../cli/api.ts';
import type { TraceEvent } from '../../../oracle/index.ts';
import { rules, Trace } from '../../oracle/trace/trace.ts';

const { header, events } = new Trace('RC').settle();

/** As plain JavaScript would pass it. */
function loose(list: readonly unknown[], head: unknown = header): () => unknown {
  return () => Reflect.apply(judgeTrace, undefined, [head, list, rules]);
}

describe('judgeTrace of the package', () => {
  it('judges a trace that is one, as the oracle does', () => {
    const { exercised } = judgeTrace(header, events, rules);
    expect(exercised.size).toBeGreaterThan(0);
    expect(exercised).toEqual(new Trace('RC').settle().judge().exercised);
  });

  it.each<[string, unknown, RegExp]>([
    ['an event without a kind', { foo: 1 }, /event 0: it must be an object with a kind/],
    ['nothing', null, /event 0: it must be an object with a kind/],
    [
      'a kind that there is not',
      { kind: 'pocket', t: 0 },
      /event 0: event\.kind must be packet or .*not "pocket"/,
    ],
    ['a key that there is not', { kind: 'settled', t: 0, at: 1 }, /event 0: .*\bat\b/],
    ['a key that is missing', { kind: 'call', t: 0, start: 0, call: 'destroy_qp' }, /event 0: event\.qp/],
    [
      'a packet that is none',
      { kind: 'packet', t: 0, direction: 'to-dut', packet: {} },
      /event\.packet must/,
    ],
  ])('names what is wrong: %s', (_, event, says) => {
    expect(loose([event])).toThrow(says);
    expect(loose([event])).toThrow(TypeError);
  });

  it('names the event, and the header', () => {
    const later: TraceEvent = { kind: 'settled', t: 1e9 };
    expect(loose([later, { kind: 'settled', t: 5 }])).toThrow(
      /event 1: event\.t must be 1000000000 or later/,
    );
    expect(loose([], {})).toThrow(/header: trace\.header\.sight is missing/);
    expect(loose(events, { ...header, clock: 'sun' })).toThrow(/header: .*clock/);
  });
});

describe('runConformance of the package', () => {
  it('takes what --adapter takes', async () => {
    const options = { runs: 20, rule: 'rc-request-ahead' };
    const { failures } = await runConformance({
      adapter: 'reference:mutant=nak-psn-of-request',
      ...options,
    });
    expect(new Set(failures.map(({ rule }) => rule))).toEqual(new Set(['rc-request-ahead']));
    await expect(runConformance({ adapter: 'refrence', ...options })).rejects.toThrow(/unknown adapter/);
  });
});
