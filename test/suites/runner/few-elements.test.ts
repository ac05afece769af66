import { expect, test } from 'vitest';
import { referenceAdapter, VerbsError, type Adapter, type Verbs } from '../../../adapters/index.ts';
import { runConformance } from '../../../suites/index.ts';

/** EINVAL */
const invalid = 22;

/** Refuses queues of more elements than the profile declares, as hardware does. */
function strict(verbs: Verbs, most: number, asked: Set<number>): Verbs {
  return {
    ...verbs,
    create_qp: (args) => {
      const { max_send_sge, max_recv_sge } = args.cap;
      asked.add(Math.max(max_send_sge, max_recv_sge));
      if (Math.max(max_send_sge, max_recv_sge) > most) throw new VerbsError('create_qp', invalid);
      return verbs.create_qp(args);
    },
    create_srq: (args) => {
      asked.add(args.max_sge);
      if (args.max_sge > most) throw new VerbsError('create_srq', invalid);
      return verbs.create_srq(args);
    },
  };
}

function withElements(maxSge: number, asked: Set<number>): Adapter {
  const reference = referenceAdapter();
  return {
    name: 'few-elements',
    describe: async () => {
      const profile = await reference.describe();
      return { ...profile, limits: { ...profile.limits, maxSge } };
    },
    open: async (options) => {
      const bench = await reference.open(options);
      return {
        ...bench,
        profile: { ...bench.profile, limits: { ...bench.profile.limits, maxSge } },
        verbs: strict(bench.verbs, maxSge, asked),
      };
    },
  };
}

// Hardware has lists of 6, 13 or 30 elements.
test.each([4, 13, 30])('a device of %i elements is asked for no more', { timeout: 300_000 }, async (most) => {
  const asked = new Set<number>();
  const result = await runConformance({ adapter: withElements(most, asked), runs: 900 });
  expect(result.errors).toEqual([]);
  expect(Math.max(...asked)).toBe(most);
  expect(result.rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([]);
});
