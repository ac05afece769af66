// Node's own test runner, one test per property: node --test node/
import { after, test } from 'node:test';
import fc from 'fast-check';
import { openConformance } from 'rdma-conform';

const bench = await openConformance(process.env['DEVICE'] ?? 'reference');
after(() => bench.close());

for (const { id, hindrance, property } of bench.properties.filter(({ suite }) => suite === 'rc-responder'))
  test(id, { skip: hindrance ?? false }, () => fc.assert(property, { numRuns: 5, seed: 1 }));
