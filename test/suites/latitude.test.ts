import { describe, expect, it } from 'vitest';
import { referenceAdapter, type ReferenceConfig } from '../../adapters/reference/index.ts';
import { properties, runConformance } from '../../suites/index.ts';

/** What a conformant responder may choose otherwise than the reference NIC does by default. */
const choices: readonly Partial<ReferenceConfig>[] = [
  { ack: 'every' },
  { coalesce: 3, coalesceDelay: 4000 },
  { ack: 'every', coalesce: 8, coalesceDelay: 9000 },
  { coalesce: 1000, coalesceDelay: 100 },
  { ackEveryDuplicate: true },
  { credits: 'receive-queue' },
  { writeImmFault: 'event' },
  { readFault: 'midway' },
  { busyEvery: 3, busyTimer: 2 },
  { processingDelay: 0 },
  { processingDelay: 9000 },
  {
    ack: 'every',
    coalesce: 5,
    ackEveryDuplicate: true,
    credits: 'receive-queue',
    writeImmFault: 'event',
    processingDelay: 300,
  },
];

describe('a responder that makes other choices breaks no rule', () => {
  it.each(choices.map((responder) => [JSON.stringify(responder), responder] as const))(
    '%s',
    async (_, responder) => {
      const runs = properties.length * 20;
      const result = await runConformance({ adapter: referenceAdapter({ responder }), seed: 5, runs });
      expect(result.errors).toEqual([]);
      expect(result.failures.map((f) => [f.rule, f.expected, f.observed, f.token])).toEqual([]);
      expect(result.rules.filter((r) => r.violations > 0).map((r) => r.id)).toEqual([]);
      expect(result.cases).toBe(runs);
    },
  );
});
