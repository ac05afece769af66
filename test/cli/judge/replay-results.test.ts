import { describe, expect, it } from 'vitest';
import { replayResults } from '../../../cli/replay-results.ts';
import { loadRules } from '../../../oracle/index.ts';
import { replayCase, runConformance, type Scenario } from '../../../suites/index.ts';
import { ahead } from '../../suites/ahead.ts';
import { spoiled } from '../../suites/spoiled.ts';

/** A responder that counts one message too many in its NAKs of what is ahead, and says MigReq 0 in its other answers. */
const twoFaults = () =>
  spoiled('two faults', ({ aeth }) =>
    aeth?.syndrome === 0x60 ? { aeth: { ...aeth, msn: aeth.msn + 1 } } : { migReq: false },
  );

/** A SEND that is ahead, and one in its turn, for which there is no receive WQE. */
async function aheadAndInTurn(): Promise<Scenario> {
  const { failures } = await runConformance({
    adapter: twoFaults(),
    seed: 1,
    runs: 40,
    property: 'rc-responder/psn-gap',
    rule: 'rc-mig-req-migrated',
    shrinkTime: 1,
  });
  const scenario = failures[0]?.scenario as Scenario;
  return { ...scenario, steps: [ahead(0), ...scenario.steps] };
}

describe('a case that breaks two rules', () => {
  it('marks in each exchange what its own rule is about', async () => {
    const rules = loadRules();
    const replayed = await replayCase(twoFaults(), {
      rule: 'rc-receive-flushed', // which it does not break
      property: 'rc-responder/psn-gap',
      adapter: 'two faults',
      scenario: await aheadAndInTurn(),
    });
    const { failures } = replayResults({
      replayed,
      rules,
      adapter: { name: 'two faults', profile: undefined },
      durationMs: 0,
    });
    const marked = failures.map(({ rule, ladder }) => [
      rule,
      ladder
        .filter(({ guilty }) => guilty === true)
        .map(({ text }) => /RNR NAK|NAK [A-Z]?\w+/.exec(text)?.[0]),
    ]);
    expect(marked).toEqual([
      ['rc-msn-in-nak', ['NAK PSN']],
      ['rc-mig-req-migrated', ['RNR NAK']],
    ]);
  });
});
