import fc from 'fast-check';
import { ConformanceError, openConformance, type Scenario, type SuiteProperty } from 'rdma-conform/suites';
import { expect, test } from 'vitest';
import { device } from '../device.ts';

/** Attributes of the QPs at both ends. */
const end: Scenario['responder'] = {
  startPsn: 5,
  access: ['IBV_ACCESS_LOCAL_WRITE'],
  maxDestRdAtomic: 1,
  maxRdAtomic: 1,
  minRnrTimer: 12,
  timeout: 14,
  retryCnt: 7,
  rnrRetry: 7,
};

/** A property of one's own: scenarios of a kind. Whatever happens in them, no rule may be broken. */
const twoAhead: SuiteProperty = {
  id: 'mine/two-ahead',
  suite: 'mine',
  says: 'Two requests ahead of the expected PSN draw one NAK.',
  arbitrary: () =>
    fc.integer({ min: 1, max: 100 }).map((offset): Scenario => {
      const packet = {
        operation: 'SEND_ONLY',
        psn: { from: 'next' as const, offset },
        ackReq: true,
        payload: { mtus: 0, bytes: 10 },
      };
      return {
        version: 1,
        dut: 'responder',
        ip: 4,
        mtu: 256,
        requester: end,
        responder: end,
        regions: [],
        srq: false,
        faults: [],
        steps: [
          { do: 'inject', packet },
          { do: 'inject', packet },
        ],
      };
    }),
};

test.each([
  [device, []],
  ['reference:mutant=nak-per-packet', ['rc-request-ahead-after-sequence-nak']],
])('two requests ahead, on %s', async (adapter, broken) => {
  const bench = await openConformance(adapter, { properties: [twoAhead] });
  const results = await Promise.all(
    bench.properties.map(({ property }) => fc.check(property, { numRuns: 30 })),
  );
  await bench.close();
  const errors = results.flatMap(({ errorInstance }) => errorInstance ?? []);
  expect(errors.map((error) => (error instanceof ConformanceError ? error.rule : error))).toEqual(broken);
});
