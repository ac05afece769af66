// fast-check alone, without a test runner: node node/plain.js DEVICE
import fc from 'fast-check';
import { openConformance } from 'rdma-conform';

const bench = await openConformance(process.argv[2] ?? 'reference');
try {
  for (const { aims, hindrance, property } of bench.properties)
    if (hindrance === undefined && aims.includes('rc-request-ahead'))
      await fc.assert(property, { numRuns: 30, seed: 1 });
  console.log('rc-request-ahead holds');
} catch (error) {
  // the cause is what a report shows: rule, expected, observed, the exchange, and what replays it
  console.error(error.cause?.message ?? error);
  process.exitCode = 1;
} finally {
  await bench.close();
}
