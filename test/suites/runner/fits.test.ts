import { describe, expect, it } from 'vitest';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { properties, runConformance } from '../../../suites/index.ts';
import { generateChunk } from '../../../suites/runner/generate.ts';
import { sendsLonger } from '../../../suites/runner/fits.ts';

describe('messages that a device does not take', () => {
  it.each([4096, 16_384, 2 ** 30])('are not sent to one that takes %i bytes', async (maxMessageBytes) => {
    const profile = await referenceAdapter({ responder: { maxMessageBytes } }).describe();
    const longer = properties.filter(
      (property) =>
        property.beyondLimits !== true &&
        generateChunk(property, profile, 1, 0, 20, 0).some(({ scenario }) => sendsLonger(scenario, profile)),
    );
    expect(longer.map(({ id }) => id)).toEqual([]);
  });

  it.each([4096, 16_384, 2 ** 30])(
    'are sent over UC to one that takes %i bytes, by one property, and judged',
    async (maxMessageBytes) => {
      for (const ucFault of ['drop', 'complete'] as const) {
        const adapter = referenceAdapter({ responder: { maxMessageBytes, ucFault } });
        const { failures, errors, rules } = await runConformance({
          adapter,
          property: 'uc/beyond-port',
          runs: 12,
        });
        expect(failures.map(({ rule }) => rule)).toEqual([]);
        expect(errors).toEqual([]);
        expect(rules.find(({ id }) => id === 'uc-beyond-port')?.exercised).toBeGreaterThan(3);
      }
    },
  );

  it('leave most properties something to try', async () => {
    const profile = await referenceAdapter({ responder: { maxMessageBytes: 16_384 } }).describe();
    const idle = properties.filter((property) =>
      generateChunk(property, profile, 1, 0, 10, 0).every(({ scenario }) => scenario.steps.length === 0),
    );
    expect(idle.map(({ id }) => id)).toEqual(['rc-responder/long-messages', 'uc/long-messages']);
  });

  it.each(['ooo/requester-long-messages', 'rc-requester/long-messages'])(
    'may be refused as work requests: %s',
    async (property) => {
      const adapter = referenceAdapter({ responder: { maxMessageBytes: 16_384 } });
      const { failures, errors } = await runConformance({ adapter, property, runs: 20 });
      expect(failures.map(({ rule }) => rule)).toEqual([]);
      expect(errors).toEqual([]);
    },
  );
});
