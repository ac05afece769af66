import { describe, expect, it } from 'vitest';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { loadRules } from '../../../oracle/index.ts';
import { properties } from '../../../suites/index.ts';
import { smallest } from '../../../suites/runner/evidence.ts';
import { Executor } from '../../../suites/runner/executor.ts';
import { generateChunk } from '../../../suites/runner/generate.ts';
import { Tally, type Found } from '../../../suites/runner/tally.ts';

const rule = 'rc-request-ahead';
const bounds = { tries: 1000, parallel: 1, stop: () => false };

/** The first case of a property that breaks the rule. */
async function seenBy(id: string, executor: Executor): Promise<Found> {
  const property = properties.find((one) => one.id === id);
  if (property === undefined) throw new Error(`${id} is gone`);
  const tally = new Tally();
  for (const generated of generateChunk(property, executor.profile, 3, 0, 200)) {
    const outcome = await executor.run(generated.scenario);
    if (outcome.kind !== 'judged') continue;
    const [found] = tally.add(id, generated, outcome, (broken) => broken === rule);
    if (found !== undefined) return found;
  }
  throw new Error(`no case of ${id} broke ${rule}`);
}

describe('the case that shows a finding', () => {
  it('is the smallest that any property comes down to, not what the smallest case comes down to', async () => {
    const adapter = referenceAdapter({ mutant: 'nak-psn-of-request' });
    const executor = await Executor.open(adapter, loadRules(), {});
    try {
      const overSwitch = await seenBy('congestion/switch-to-device', executor);
      const { property, generated } = await seenBy('rc-responder/opcode-unknown', executor);
      // two messages over a switch cannot be made smaller
      const alone = await smallest(overSwitch, executor, bounds);
      expect(alone.shrunk.scenario.path).toBeDefined();
      const found = { ...overSwitch, others: [{ property, scenario: generated.scenario }] };
      const best = await smallest(found, executor, bounds);
      expect(best.found.property).toBe('rc-responder/opcode-unknown');
      expect(best.shrunk.scenario.steps).toHaveLength(1);
      expect(best.shrunk.scenario.path).toBeUndefined();
      // the other one stays for the case that this one does not show it again
      expect(best.found.others.map(({ property }) => property)).toEqual(['congestion/switch-to-device']);
    } finally {
      await executor.close();
    }
  });
});
