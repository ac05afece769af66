import { describe, expect, it } from 'vitest';
import { VerbsError, type Adapter } from '../../../adapters/adapter.ts';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { loadRules } from '../../../oracle/index.ts';
import { properties, runConformance } from '../../../suites/index.ts';
import { parameters } from '../../../suites/attributes/index.ts';
import { Executor } from '../../../suites/runner/executor.ts';
import { schedule } from '../../../suites/runner/schedule.ts';

const rules = loadRules();

describe('a device that refuses what is too wide for its field, instead of cutting it', () => {
  it('breaks no rule, and its choice is told', async () => {
    const result = await runConformance({
      adapter: referenceAdapter({ responder: { outOfRange: 'refuse' } }),
      suite: 'parameters',
      seed: 3,
      runs: parameters.length * 40,
    });
    expect(result.errors).toEqual([]);
    expect(result.failures).toEqual([]);
    const exercised = new Map(result.rules.map((rule) => [rule.id, rule.exercised]));
    expect(exercised.get('qp-retry-cnt-beyond-range')).toBeGreaterThan(0);
    expect(exercised.get('qp-query-retry-cnt-beyond-range')).toBe(0);
  });
});

describe('a call of the set-up that the device refuses', () => {
  it('is a violation of the rule that it breaks, not an error of the run', async () => {
    const mutant = 'min-rnr-timer-0-refused';
    const executor = await Executor.open(referenceAdapter({ mutant }), rules, {});
    const [first] = schedule(properties, executor.profile, 1, 1, { i: 1, n: 1 });
    if (first === undefined) throw new Error('there are no properties');
    const { scenario } = first.generated;
    const zero = { ...scenario, responder: { ...scenario.responder, minRnrTimer: 0 } };
    const outcome = await executor.run({ ...zero, dut: 'responder' });
    expect(outcome).toMatchObject({
      kind: 'judged',
      judgement: { violations: [{ rule: 'qp-min-rnr-timer-bounds-accepted' }] },
    });
  });

  it.each([
    [
      new VerbsError('create_qp', 95),
      /^ \(not supported\): the profile must leave out what the device does not have$/,
    ],
    [
      new VerbsError('create_qp', 12, undefined, false, 'no QP contexts left'),
      /^, asked for max_send_wr 1, max_recv_wr [0-9]+, max_send_sge 1, max_recv_sge [0-9]+; the device says: no QP contexts left$/,
    ],
  ])(
    'says what was asked for, and what to do, where the device refuses a set-up: %s',
    async (refusal, why) => {
      const inner = referenceAdapter();
      const adapter: Adapter = {
        ...inner,
        open: async (options) => {
          const bench = await inner.open(options);
          const create_qp = async (): Promise<never> => Promise.reject(refusal);
          return { ...bench, verbs: { ...bench.verbs, create_qp } };
        },
      };
      const { errors } = await runConformance({ adapter, rules, property: 'rc-responder/send', runs: 1 });
      const begin = `rc-responder/send: set-up of the scenario: ${refusal.message}`;
      expect(errors).toEqual([expect.stringContaining(begin)]);
      expect(errors[0]?.slice(begin.length)).toMatch(why);
    },
  );
});
