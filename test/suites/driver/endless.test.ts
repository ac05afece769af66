import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { judgeTrace, loadRules } from '../../../oracle/index.ts';
import { responderScenario } from '../../../suites/arbitraries/base.ts';
import { at, inject, packet, recv } from '../../../suites/arbitraries/packets.ts';
import { mostEvents } from '../../../suites/driver/recorder.ts';
import { runConformance, type Scenario, type Step, type SuiteProperty } from '../../../suites/index.ts';
import { drive } from '../drive.ts';
import { profile } from '../profile.ts';

const chosen = { ip: 4, mtu: 256, startPsn: 0, srq: false, minRnrTimer: 1, maxDestRdAtomic: 4 } as const;
const wr = { opcode: 'IBV_WR_SEND', length: 4, region: 0, offset: 0, signaled: true } as const;

/** A requester that gets an RNR NAK every 10 us, while a step of the scenario takes twelve days. */
function endless(before: readonly Step[] = []): Scenario {
  const { peer: _, ...plan } = responderScenario(profile, chosen, {
    steps: [...before, { do: 'post_send', wr }, { do: 'sleep', us: 1e12 }],
  });
  return { ...plan, requester: { ...plan.requester, rnrRetry: 7 } };
}

const property = (scenario: Scenario): SuiteProperty => ({
  id: 'device/endless',
  suite: 'device',
  says: 'It never ends.',
  arbitrary: () => fc.constant(scenario),
});

describe('a scenario without an end', { timeout: 60_000 }, () => {
  it('ends where its trace is full, which says so', async () => {
    const { header, events } = await drive(endless());
    expect(events).toHaveLength(mostEvents + 1);
    expect(events.at(-1)).toMatchObject({ kind: 'gap', reason: 'the device does more than a trace holds' });
    const { violations, inconclusive } = judgeTrace(header, events, loadRules());
    expect(violations).toEqual([]);
    expect(inconclusive.join(' ')).toContain('more than a trace holds');
  });

  it('shows what was found before', async () => {
    const send = packet('SEND_ONLY', { payload: { mtus: 0, bytes: 4 } });
    const bad = referenceAdapter({ mutant: 'nak-psn-of-request' });
    const { header, events } = await drive(endless([recv(4), inject(at(send, 3))]), bad);
    const { violations } = judgeTrace(header, events, loadRules());
    expect(violations.map(({ rule }) => rule)).toContain('rc-request-ahead');
  });

  it.each(['driven', 'judged'] as const)('ends soon after it is asked to, while it is %s', async (when) => {
    const abort = new AbortController();
    const adapter = referenceAdapter();
    const plan = endless();
    let asked = 0;
    const ask = (): void => {
      asked = performance.now();
      abort.abort();
    };
    const run = runConformance({
      adapter: {
        ...adapter,
        open: async (options) => {
          const bench = await adapter.open(options);
          const { wire } = bench;
          if (wire === undefined) throw new Error('no wire');
          let frames = 0;
          const onFrame: typeof wire.onFrame = (listener) => {
            wire.onFrame((frame, time) => {
              // the trace holds each twice: what was sent, and what was answered
              if (++frames === (when === 'driven' ? 100 : mostEvents / 2 - 100)) setImmediate(ask);
              listener(frame, time);
            });
          };
          return { ...bench, wire: { ...wire, onFrame } };
        },
      },
      properties: [property(plan)],
      runs: 5,
      signal: abort.signal,
    });
    const result = await run;
    expect(asked).toBeGreaterThan(0);
    expect(performance.now() - asked).toBeLessThan(1500);
    expect(result).toMatchObject({ interrupted: true, cases: 0, errors: [] });
  });
});
