import fc from 'fast-check';
import { resolveAdapter } from 'rdma-conform';
import { ConformanceError, openConformance } from 'rdma-conform/suites';
import { expect, test } from 'vitest';
import { device } from '../device.ts';

// The properties of the suites with a runner of one's own: here those that aim at one rule, in fast-check's.
test('the first request beyond the expected PSN draws one NAK', async () => {
  const bench = await openConformance(await resolveAdapter(device));
  const aiming = bench.properties.filter(({ aims }) => aims.includes('rc-request-ahead'));
  expect(aiming.length).toBeGreaterThan(0);
  for (const { hindrance, property } of aiming) {
    if (hindrance === undefined) await fc.assert(property, { numRuns: 30, seed: 1 });
  }
  await bench.close();
});

test('a device with that fault is found, and what shows it is an error with everything in it', async () => {
  const bench = await openConformance(await resolveAdapter('reference:mutant=nak-psn-of-request'));
  const walk = bench.properties.find(({ id }) => id === 'rc-responder/psn-walk');
  if (walk === undefined) throw new Error('there is no such property');
  const { failed, errorInstance } = await fc.check(walk.property, { numRuns: 100, seed: 1 });
  await bench.close();
  expect(failed).toBe(true);
  expect(errorInstance).toBeInstanceOf(ConformanceError);
  expect(errorInstance).toMatchObject({ rule: 'rc-request-ahead', token: expect.stringMatching(/^rdc1\./) });
});
