import { beforeAll, describe, expect, it } from 'vitest';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { judgeTrace, loadRules } from '../../../oracle/index.ts';
import type { RunResult } from '../../../report/results.ts';
import { generateChunk, properties, runConformance, type RunCase } from '../../../suites/index.ts';
import { drive } from '../drive.ts';

/** Cases up to which a rule is rare: a run in which no property aims at it might miss it altogether. */
const few = 10;
/** Cases of each property that aims at a rule which are tried for it. */
const most = 60;

const rules = loadRules();

/** Whether a property that aims at the rule exercises it. */
async function aimedAt(rule: string): Promise<boolean> {
  const aiming = properties.filter(({ aims }) => aims?.includes(rule) === true);
  const { profile } = await referenceAdapter().open({});
  for (let number = 0; number < most; number++)
    for (const property of aiming)
      for (const { scenario } of generateChunk(property, profile, 1, number, 1, number)) {
        const { header, events } = await drive(scenario);
        if (judgeTrace(header, events, rules).exercised.has(rule)) return true;
      }
  return false;
}

describe('a default run', () => {
  let result: RunResult;
  /** cases that exercised a rule, by its id: all of them, and those of properties that aim at it */
  const reached = new Map<string, { all: number; aimed: number }>();

  beforeAll(async () => {
    const aims = new Map(properties.map((property) => [property.id, property.aims ?? []]));
    const seen = ({ property, outcome }: RunCase): void => {
      if (outcome.kind !== 'judged') return;
      for (const id of outcome.judgement.exercised.keys()) {
        const { all, aimed } = reached.get(id) ?? { all: 0, aimed: 0 };
        reached.set(id, { all: all + 1, aimed: aimed + (aims.get(property)?.includes(id) === true ? 1 : 0) });
      }
    };
    const none = (): void => undefined;
    const record = { begin: none, case: seen, failure: none, doubt: none };
    // a seed whose cases exercise every rule only because they go where it is aimed at
    result = await runConformance({ adapter: referenceAdapter(), seed: 7, record });
  }, 400_000);

  it('exercises every MUST rule that the reference NIC can be held to', () => {
    expect(result.cases).toBe(4400);
    const left = result.rules.filter(({ level, verdict }) => level === 'must' && verdict === 'vacuous');
    expect(left.map(({ id }) => id)).toEqual([]);
  });

  it('has a property for each rare one of them that aims at it and exercises it', async () => {
    const byChance = result.rules.filter(({ id, level, verdict }) => {
      const { all, aimed } = reached.get(id) ?? { all: 0, aimed: 0 };
      return level === 'must' && verdict === 'pass' && all <= few && aimed === 0;
    });
    const left: string[] = [];
    for (const { id } of byChance) if (!(await aimedAt(id))) left.push(id);
    expect(left).toEqual([]);
  });
});
