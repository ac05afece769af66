import { describe, expect, it } from 'vitest';
import { AdapterBroken, type Adapter } from '../../../adapters/adapter.ts';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { runConformance } from '../../../suites/index.ts';

/** A device that breaks one rule, and breaks down for good when it is opened for the n-th time. */
function fragile(times: number): Adapter {
  const device = referenceAdapter({ mutant: 'nak-psn-of-request' });
  let opened = 0;
  return {
    name: 'fragile',
    describe: () => device.describe(),
    open: async (options) => {
      if (++opened >= times) throw new AdapterBroken('it did not answer in time');
      return device.open(options);
    },
  };
}

const asked = { suite: 'rc-responder', rule: 'rc-request-ahead', runs: 60 };

describe('a device that breaks while findings are run again', () => {
  it('is an error, and what could not be run is no finding that does not come again', async () => {
    // all cases, and some of the tries to make the finding smaller
    const result = await runConformance({ ...asked, adapter: fragile(65) });
    expect(result.cases).toBe(60);
    expect(result.errors).toEqual([
      'the device broke while findings were run again: it did not answer in time',
    ]);
    const [rule] = result.rules.filter(({ id }) => id === 'rc-request-ahead');
    expect(rule).toMatchObject({ verdict: 'inconclusive' });
    expect(JSON.stringify(result)).toContain('seen, but the device broke meanwhile');
    expect(JSON.stringify(result)).not.toContain('reproduced only');
    expect(result.failures.length).toBeGreaterThan(0);
    for (const failure of result.failures)
      expect(failure).toMatchObject({ rule: 'rc-request-ahead', unconfirmed: true });
  });

  it('is none where it holds', async () => {
    const result = await runConformance({ ...asked, adapter: fragile(100_000) });
    expect(result.errors).toEqual([]);
    expect(result.failures.length).toBeGreaterThan(0);
  });
});
