import { describe, expect, it } from 'vitest';
import type { Adapter } from '../../../adapters/adapter.ts';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { loadRules } from '../../../oracle/index.ts';
import { Executor } from '../../../suites/index.ts';
import { post, requesterScenario } from '../../../suites/rc-requester/parts.ts';
import { settle } from '../../../suites/arbitraries/packets.ts';
import { profile } from '../profile.ts';

/** The reference NIC, whose frames lose their last four bytes, the ICRC, on their way to the wire. */
function cutting(): Adapter {
  const reference = referenceAdapter();
  return {
    name: 'cutting',
    describe: () => reference.describe(),
    open: async (options) => {
      const bench = await reference.open(options);
      const { wire } = bench;
      if (wire === undefined) return bench;
      return {
        ...bench,
        wire: {
          send: (frame) => {
            wire.send(frame);
          },
          onFrame: (listener) => {
            wire.onFrame((frame, time) => {
              listener(frame.subarray(0, -4), time);
            });
          },
        },
      };
    },
  };
}

describe('frames of a device that end too early', () => {
  it('are reported as such, and not as packets that are missing', async () => {
    const plan = requesterScenario(
      profile,
      { ip: 4, mtu: 256, startPsn: 5, retryCnt: 3, rnrRetry: 2 },
      {
        steps: [post({ opcode: 'IBV_WR_SEND', length: 100, region: 0, offset: 0, signaled: true }), settle],
        timeout: 10,
      },
    );
    const executor = await Executor.open(cutting(), loadRules(), {});
    const outcome = await executor.run(plan);
    await executor.close();
    if (outcome.kind === 'error') throw new Error(outcome.message);
    const { violations } = outcome.judgement;
    expect(new Set(violations.map(({ rule }) => rule))).toEqual(new Set(['frame-sent-sound']));
  });
});
