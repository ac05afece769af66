import { beforeAll, describe, expect, it } from 'vitest';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { flips } from '../../../oracle/compile/table/flips.ts';
import { withOutcomes } from '../../../oracle/compile/variant.ts';
import { Judge, loadRules, type RuleSet } from '../../../oracle/index.ts';
import { properties, runConformance, type DriveResult } from '../../../suites/index.ts';
import { loadMutants } from '../../../suites/mutants/index.ts';
import { parameters } from '../../../suites/attributes/index.ts';
import { Executor } from '../../../suites/runner/executor.ts';
import { schedule } from '../../../suites/runner/schedule.ts';

const rules = loadRules();
const every = flips(rules);
const family = loadMutants(rules).filter((mutant) => mutant.family === 'attributes');
const tables = [
  'qp-modify-transition',
  'qp-modify-attributes',
  'qp-modify-values',
  'qp-query',
  'device-query',
];
/** Rules that demand something, not those that lead to another table. */
const demanding = rules.rules.filter(
  ({ table, level, outcomes }) =>
    tables.includes(table) && level === 'must' && outcomes.every((outcome) => outcome['next'] === undefined),
);

async function traces(mutant: string | undefined, runs: number): Promise<DriveResult[]> {
  const executor = await Executor.open(referenceAdapter(mutant === undefined ? {} : { mutant }), rules, {});
  const found: DriveResult[] = [];
  for (const { generated } of schedule(parameters, executor.profile, 1, runs, { i: 1, n: 1 })) {
    const outcome = await executor.run(generated.scenario);
    if (outcome.kind === 'error') throw new Error(outcome.message);
    found.push(outcome.drive);
  }
  return found;
}

function violates(drives: readonly DriveResult[], set: RuleSet, rule: string): boolean {
  return drives.some(({ header, events }) => {
    const judge = new Judge(header, set);
    for (const event of events) judge.push(event);
    return judge.finish().violations.some((violation) => violation.rule === rule);
  });
}

describe('one word changed in the rules of the parameters', () => {
  let sound: DriveResult[] = [];
  const kept = new Map<string, DriveResult[]>();
  async function ofMutant(id: string): Promise<DriveResult[]> {
    const before = kept.get(id);
    if (before !== undefined) return before;
    const made = await traces(id, parameters.length * 60);
    kept.set(id, made);
    return made;
  }

  beforeAll(async () => {
    sound = await traces(undefined, parameters.length * 60);
  });

  it.each(demanding.map(({ id }) => id))('%s: the sound device breaks it, or a mutant passes', async (id) => {
    const changed = every.filter((flip) => flip.rule === id).map((flip) => withOutcomes(rules, flip));
    if (changed.some((set) => violates(sound, set, id))) return;
    for (const mutant of family.filter((m) => m.rules.includes(id))) {
      const drives = await ofMutant(mutant.id);
      expect(violates(drives, rules, id), mutant.id).toBe(true);
      if (changed.some((set) => !violates(drives, set, id))) return;
    }
    expect.unreachable('no change of the rule is noticed');
  });

  it.each([
    ['qp-modify-no-transition', 'result', 'transition-unchecked'],
    ['qp-modify-without-timeout', 'result', 'rts-without-timeout'],
    ['qp-query-timeout', 'mustReturn', 'query-timeout-shifted'],
    ['qp-query-rnr-retry', 'mustReturn', 'query-rnr-retry-of-retry-cnt'],
    ['device-local-ca-ack-delay', 'mustReport', 'ack-delay-in-microseconds'],
  ])('%s without %s lets the mutant %s pass', async (rule, key, mutant) => {
    const flip = every.find((f) => f.rule === rule && f.key === key && f.to === '');
    const drives = await ofMutant(mutant);
    expect(violates(drives, rules, rule)).toBe(true);
    if (flip === undefined) throw new Error(`${rule} has no ${key} to take out`);
    expect(violates(drives, withOutcomes(rules, flip), rule)).toBe(false);
  });
});

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
});
