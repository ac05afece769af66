import { expect, it } from 'vitest';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import type { Bench } from '../../../adapters/adapter.ts';
import { settle } from '../../../suites/arbitraries/packets.ts';
import { unreliableScenario } from '../../../suites/arbitraries/unreliable.ts';
import { BenchSession, type Scenario } from '../../../suites/index.ts';

/** A device that completes nothing, as far as software can see. */
async function silent(): Promise<Bench> {
  const bench = await referenceAdapter().open({});
  return { ...bench, verbs: { ...bench.verbs, poll_cq: async () => [] } };
}

it('work that the device does to itself and never completes is waited for once', async () => {
  const base = unreliableScenario(
    'UC',
    'requester',
    { ip: 4, mtu: 256, startPsn: 0, srq: false },
    { steps: [] },
  );
  const wr = { opcode: 'IBV_WR_SEND', length: 16, region: 0, offset: 0, signaled: true } as const;
  const scenario: Scenario = {
    ...base,
    peer: 'same-device',
    steps: [{ do: 'post_send', wr }, settle, { do: 'query_qp' }, settle],
  };
  const { events } = await new BenchSession(await silent()).run(scenario);
  const [first = NaN, second = NaN] = events.flatMap(({ kind, t }) => (kind === 'settled' ? [t] : []));
  expect(second - first).toBeLessThan(first / 10);
});
