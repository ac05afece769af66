import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Adapter, Bench } from '../../../adapters/adapter.ts';
import { loadRules } from '../../../oracle/index.ts';
import { settle } from '../../../suites/arbitraries/packets.ts';
import { peerRenewed } from '../../../suites/corners/verbs/peer-renewed.ts';
import { unreliableScenario } from '../../../suites/arbitraries/unreliable.ts';
import { Executor, type Scenario, type Step } from '../../../suites/index.ts';
import { realTimeReference } from '../real-time.ts';

/** A device that counts its QPs, and notes how many there were when its link was changed. */
function watched(): { adapter: Adapter; most: () => number; atLink: [boolean, number][] } {
  const inner = realTimeReference(4, 20e6);
  const atLink: [boolean, number][] = [];
  let qps = 0;
  let most = 0;
  const adapter: Adapter = {
    ...inner,
    open: async (options): Promise<Bench> => {
      const bench = await inner.open(options);
      const { verbs } = bench;
      return {
        ...bench,
        setLink: async (up) => {
          atLink.push([up, qps]);
        },
        verbs: {
          ...verbs,
          create_qp: async (args) => {
            most = Math.max(most, ++qps);
            return verbs.create_qp(args);
          },
          destroy_qp: async (qp) => {
            qps--;
            return verbs.destroy_qp(qp);
          },
        },
      };
    },
  };
  return { adapter, most: () => most, atLink };
}

const scenario = (steps: Step[]): Scenario =>
  unreliableScenario('UC', 'responder', { ip: 4, mtu: 256, startPsn: 0, srq: false }, { steps });

describe('a scenario that takes the link down', () => {
  it('has the device for itself, and leaves the link up', async () => {
    const { adapter, most, atLink } = watched();
    const executor = await Executor.open(adapter, loadRules(), {});
    const quiet = scenario([settle]);
    const disturbing = scenario([{ do: 'link', up: false }, settle]);
    try {
      await Promise.all([quiet, quiet, quiet, disturbing, quiet, quiet].map((plan) => executor.run(plan)));
    } finally {
      await executor.close();
    }
    expect(most()).toBeGreaterThan(1);
    expect(atLink).toEqual([
      [false, 1],
      [true, 1],
    ]);
  });
});

describe('scenarios whose QPs are connected to QPs that no scenario has', () => {
  it('have the device for themselves, as nobody else would know whose a packet is', async () => {
    const { adapter } = watched();
    const executor = await Executor.open(adapter, loadRules(), {});
    const drawn = peerRenewed.arbitrary(executor.profile);
    const plans = fc.sample(drawn, { seed: 5, numRuns: 12 });
    try {
      const outcomes = await Promise.all(plans.map((plan) => executor.run(plan)));
      const broken = outcomes.flatMap((outcome) =>
        outcome.kind === 'error' ? [outcome.message] : outcome.judgement.violations.map(({ rule }) => rule),
      );
      expect(broken).toEqual([]);
    } finally {
      await executor.close();
    }
  });
});
