import { judgeTrace, loadRules } from 'rdma-conform/oracle';
import { expect, test } from 'vitest';
import { header, traceOf } from '../trace.ts';

const rules = loadRules();

/** AETH syndrome of the NAK "PSN sequence error". */
const nak = 0x60;

test('a responder that asks for what it misses is right', () => {
  const trace = traceOf({ expected: 7, request: 9, answer: { syndrome: nak, psn: 7 } });
  const { violations, exercised } = judgeTrace(header, trace, rules);
  expect(violations).toEqual([]);
  expect(exercised.get('rc-request-ahead')).toBe(1);
});

test('one that asks for what it has just got is not', () => {
  const trace = traceOf({ expected: 7, request: 9, answer: { syndrome: nak, psn: 9 } });
  const { violations } = judgeTrace(header, trace, rules);
  const expected = 'NAK PSN sequence error with PSN 7';
  expect(violations).toMatchObject([{ rule: 'rc-request-ahead', event: 4, expected }]);
});
