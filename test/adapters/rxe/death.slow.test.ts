import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { debianKernel, rxeAdapter } from '../../../adapters/rxe/index.ts';
import { inject, packet, settle } from '../../../suites/arbitraries/packets.ts';
import { scenarios } from '../../../suites/rc-responder/parts.ts';
import type { SuiteProperty } from '../../../suites/property.ts';
import { runConformance } from '../../../suites/run.ts';
import { hindranceHere } from './here.ts';

const reason = await hindranceHere();
const note = reason === undefined ? '' : ` (skipped: ${reason})`;

/** WRITEs that announce no bytes and carry some; docs/findings/soft-roce.md#device-survives-frames */
const writes: SuiteProperty = {
  id: 'test/writes',
  suite: 'test',
  says: 'WRITEs that announce nothing.',
  arbitrary: (profile) =>
    scenarios(profile, fc.constant(undefined), () => ({
      steps: [
        inject(
          packet('RDMA_WRITE_ONLY', {
            payload: { mtus: 0, bytes: 3 },
            target: { region: 0, offset: 0, length: 0 },
          }),
        ),
        settle,
      ],
    })),
};

describe.skipIf(reason !== undefined)(`a kernel that panics${note}`, () => {
  it('is found to have died of one packet, and another one is booted', async () => {
    const result = await runConformance({
      adapter: rxeAdapter({ kernel: debianKernel('6.1') }),
      properties: [writes],
      // one that is known is not made any smaller, which takes its time here
      known: [{ rule: 'device-survives-frames', reason: 'in the test' }],
      runs: 1,
      confirmations: 2,
    });
    expect(result.errors).toEqual([]);
    const death = result.failures.find(({ rule }) => rule === 'device-survives-frames');
    expect(death?.observed).toMatch(/^its kernel panics: .* in rxe_mr_copy/);
    expect(death?.reproduced).toEqual({ times: 2, of: 2 });
  }, 120_000);
});
