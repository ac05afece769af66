import { describe, expect, it, vi } from 'vitest';
import type { Adapter } from '../../adapters/adapter.ts';
import { referenceAdapter } from '../../adapters/reference/index.ts';
import type { RunResult } from '../../report/results.ts';
import { runConformance } from '../../suites/index.ts';
import { realTimeReference } from './real-time.ts';

/** A device with a fault that hangs for ever in its `last`-th case, and tells when. */
function hanging(last: number, tell: () => void): Adapter {
  const device = referenceAdapter({ mutant: 'nak-psn-of-request' });
  let cases = 0;
  return {
    name: 'hanging',
    describe: async () => device.describe(),
    open: async (options) => {
      if (++cases < last) return device.open(options);
      tell();
      return new Promise(() => undefined);
    },
  };
}

const options = { suite: 'rc-responder', rule: 'rc-request-ahead', confirmations: 10 };

describe('a device that hangs, and somebody who wants the end', () => {
  it.each([
    // the second property's first case of two chunks, and the first case of the shrinking
    { what: 'in a case', runs: 1000, last: 41, cases: 40 },
    { what: 'while a failure is shrunk', runs: 40, last: 41, cases: 40 },
  ])('$what: what was found is told, and is no pass', { timeout: 60_000 }, async ({ runs, last, cases }) => {
    const { signal, abort } = ((): { signal: AbortSignal; abort: () => void } => {
      const controller = new AbortController();
      return {
        signal: controller.signal,
        abort: () => {
          controller.abort();
        },
      };
    })();
    const result = await runConformance({ ...options, runs, signal, adapter: hanging(last, abort) });
    expect(result).toMatchObject({ cases, interrupted: true });
    expect(result.failures.length).toBeGreaterThan(0);
    for (const failure of result.failures) {
      expect(failure).toMatchObject({ rule: 'rc-request-ahead', unconfirmed: true, unshrunk: true });
      expect(failure.ladder.filter(({ guilty }) => guilty)).toHaveLength(1);
    }
    expect(result.rules).toMatchObject([
      { verdict: 'inconclusive', why: 'seen, but the run ended before it could be seen again' },
    ]);
  });
});

it('a device that hangs ends its run behind the time limit, as an error', { timeout: 60_000 }, async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const results: RunResult[] = [];
    const run = runConformance({ ...options, runs: 40, timeLimit: 5, adapter: hanging(1, () => undefined) });
    void run.then((found) => results.push(found));
    for (let s = 0; results.length === 0 && s < 300; s++) {
      await vi.advanceTimersByTimeAsync(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const [result] = results;
    expect(result).toMatchObject({ cases: 0, interrupted: false });
    expect(result?.errors).toEqual(['the device hangs: a case was not over long after the time limit']);
    expect(result?.partial).toContain('the time limit was reached');
  } finally {
    vi.useRealTimers();
  }
});

it('scenarios at a time, however many, make Node warn of nothing', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  try {
    const { signal } = new AbortController();
    const adapter = realTimeReference(24, 20e6);
    const result = await runConformance({ ...options, runs: 40, signal, adapter });
    expect(result).toMatchObject({ cases: 40, interrupted: false });
    // warnings come in a turn of their own
    await new Promise((resolve) => setTimeout(resolve, 10));
  } finally {
    process.off('warning', note);
  }
  expect(warnings.map(({ message }) => message)).toEqual([]);
});
