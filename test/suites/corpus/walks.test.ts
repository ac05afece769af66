import { describe, expect, it } from 'vitest';
import { judgeTrace, loadRules } from '../../../oracle/index.ts';
import { parseWalkName, walk, walkName } from '../../../suites/corpus/walks/index.ts';
import { canonical } from '../../../suites/corpus/same.ts';
import { traceLines } from '../../../suites/trace-file/write.ts';
import * as wire from '../../../wire/index.ts';

const rules = loadRules();

function textOf(number: number): string {
  const made = walk(number, wire);
  return made === undefined ? '' : [...traceLines(made.header, made.events)].join('');
}

describe('a walk', () => {
  it('is the same for the same number, and another one for another', () => {
    expect(textOf(7)).toBe(textOf(7));
    expect(new Set(Array.from({ length: 50 }, (_, i) => textOf(i))).size).toBeGreaterThan(45);
  });

  it('is a trace that the oracle judges, of conformant behaviour at times and not at others', () => {
    const broken = Array.from({ length: 200 }, (_, i) => {
      const made = walk(i, wire);
      return made === undefined ? 0 : judgeTrace(made.header, made.events, rules).violations.length;
    });
    const clean = broken.filter((violations) => violations === 0).length;
    expect(clean).toBeGreaterThan(20);
    expect(clean).toBeLessThan(180);
  });

  it('runs forward in time', () => {
    for (let i = 0; i < 100; i++) {
      const times = walk(i, wire)?.events.map(({ t }) => t) ?? [];
      expect(canonical(times)).toBe(canonical(times.toSorted((a, b) => a - b)));
    }
  });

  it('is known by its name', () => {
    expect(parseWalkName(walkName(12))).toBe(12);
    expect(parseWalkName('rc-responder/send/1/2')).toBeUndefined();
    expect(parseWalkName('walk:')).toBeUndefined();
  });
});
