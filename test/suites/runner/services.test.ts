import { describe, expect, it } from 'vitest';
import type { Adapter, Bench, Profile } from '../../../adapters/adapter.ts';
import { VerbsError } from '../../../adapters/errors.ts';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { loadRules } from '../../../oracle/index.ts';
import { runConformance } from '../../../suites/index.ts';

/** The reference NIC without QPs of RC, as a device of datagrams alone would be. */
function ofDatagrams(): Adapter {
  const inner = referenceAdapter();
  const less = (profile: Profile): Profile => ({ ...profile, capabilities: ['ud'] });
  return {
    name: 'datagrams',
    describe: async () => less(await inner.describe()),
    open: async (options): Promise<Bench> => {
      const bench = await inner.open(options);
      return {
        ...bench,
        profile: less(bench.profile),
        verbs: {
          ...bench.verbs,
          create_qp: async (args) => {
            if (args.qp_type !== 'IBV_QPT_UD') throw new VerbsError('create_qp', 95);
            return bench.verbs.create_qp(args);
          },
        },
      };
    },
  };
}

describe('a device that does not declare RC', () => {
  it('is asked for no QP of it, and its properties are unsupported', async () => {
    const result = await runConformance({ adapter: ofDatagrams(), rules: loadRules(), runs: 200 });
    expect(result.errors).toEqual([]);
    expect(result.failures.map(({ rule }) => rule)).toEqual([]);
    const verdicts = new Map(result.properties.map(({ id, verdict, why }) => [id, `${verdict}: ${why}`]));
    expect(verdicts.get('rc-responder/send')).toBe('unsupported: the device has no rc');
    expect(verdicts.get('device/waits')).toBe('unsupported: the device has no rc');
    expect(verdicts.get('ud/datagrams')).toMatch(/^pass/);
  });
});
