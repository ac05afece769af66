import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Judgement, Violation } from '../../oracle/index.ts';
import { compareJudgements, inNamesBefore } from '../../scripts/net/compare.ts';
import { placeOf, readNames, type Names } from '../../scripts/net/names.ts';
import { canonical, same } from '../../suites/corpus/same.ts';

const violation: Violation = { rule: 'r', event: 3, t: 5, qp: 'qp 1', expected: 'ACK', observed: 'NAK' };
const judgement: Judgement = {
  violations: [violation, { ...violation, rule: 's' }],
  exercised: new Map([
    ['r', 2],
    ['s', 1],
  ]),
  observed: new Map([['m', new Map([['ACK', 2]])]]),
  notJudged: new Map([['memory', 1]]),
  inconclusive: ['host stall'],
  packets: 7,
};
const none: Names = { rules: new Map(), texts: new Map(), mutants: new Map(), differences: [] };

describe('two judgements', () => {
  it('are the same whatever the order in which rules were met', () => {
    const exercised = new Map([...judgement.exercised].toReversed());
    expect(compareJudgements(judgement, { ...judgement, exercised })).toEqual([]);
  });

  it.each<[string, Partial<Judgement>, string]>([
    ['a verdict that is gone', { violations: [violation] }, 'violations s'],
    [
      'a verdict in other words',
      {
        violations: [
          { ...violation, observed: 'x' },
          { ...violation, rule: 's' },
        ],
      },
      'violations r',
    ],
    [
      'verdicts in another order',
      { violations: [...judgement.violations].toReversed() },
      'order of violations ',
    ],
    ['a count', { exercised: new Map([...judgement.exercised, ['r', 3]]) }, 'exercised r'],
    ['a rule that was not reached', { exercised: new Map([['r', 2]]) }, 'exercised s'],
    ['a choice', { observed: new Map([['m', new Map([['NAK', 2]])]]) }, 'observed m'],
    ['what was not judged', { notJudged: new Map() }, 'notJudged memory'],
    ['a doubt', { inconclusive: [] }, 'inconclusive '],
    ['packets', { packets: 8 }, 'packets '],
  ])('differ in %s', (_, change, what) => {
    const found = compareJudgements(judgement, { ...judgement, ...change });
    expect(found.map(({ field, key }) => `${field} ${key}`)).toEqual([what]);
  });

  it('differ where one could not be made', () => {
    const found = compareJudgements(judgement, { thrown: 'RangeError: no' });
    expect(found.map(({ field }) => field)).toContain('thrown');
  });
});

describe('names that changed', () => {
  it('are as before, and counts of rules that became several are added up', () => {
    const after: Judgement = {
      ...judgement,
      violations: [
        { ...violation, rule: 'r2', expected: 'Acknowledge' },
        { ...violation, rule: 's' },
      ],
      exercised: new Map([
        ['r1', 1],
        ['r2', 1],
        ['s', 1],
      ]),
      observed: new Map([['m', new Map([['Acknowledge', 2]])]]),
      notJudged: new Map([['bytes', 1]]),
    };
    const rules = new Map([
      ['r1', 'r'],
      ['r2', 'r'],
    ]);
    const texts = new Map([
      ['Acknowledge', 'ACK'],
      ['bytes', 'memory'],
    ]);
    expect(compareJudgements(judgement, inNamesBefore(after, { ...none, rules, texts }))).toEqual([]);
    expect(compareJudgements(judgement, inNamesBefore(after, none))).not.toEqual([]);
  });
});

describe('the list of names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'net-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const read = (text: string): Names => {
    writeFileSync(join(folder, 'names.yaml'), text);
    return readNames(join(folder, 'names.yaml'));
  };

  it('leads from what is to what was', () => {
    const { rules, mutants } = read('rules: { old: new, one: [two, three] }\nmutants: { a: b }');
    expect([...rules]).toEqual([
      ['new', 'old'],
      ['two', 'one'],
      ['three', 'one'],
    ]);
    expect([...mutants]).toEqual([['a', 'b']]);
  });

  it('names differences by field, rule and case', () => {
    const names = read('differences: [{ reason: why, field: exercised, key: r, mutant: m }]');
    expect(placeOf({ field: 'exercised', key: 'r' }, { mutant: 'm' }, names)).toBe(0);
    expect(placeOf({ field: 'exercised', key: 'r' }, {}, names)).toBe(-1);
    expect(placeOf({ field: 'violations', key: 'r' }, { mutant: 'm' }, names)).toBe(-1);
  });

  it.each([
    ['differences: [{ field: exercised }]'],
    ["differences: [{ reason: '', field: exercised }]"],
    ['differences: [{ reason: why, field: exercised, rule: r }]'],
    ['rules: { a: 3 }'],
    ['renamed: {}'],
  ])('is refused: %s', (text) => {
    expect(() => read(text)).toThrow(/names\.yaml/);
  });
});

describe('values', () => {
  it('are the same by what they hold', () => {
    const value = { a: 1n, b: new Uint8Array([1, 2]), c: undefined, d: [new Map([['x', 1]]), new Set([2])] };
    const other = { d: [new Map([['x', 1]]), new Set([2])], b: Buffer.from([1, 2]), a: 1n };
    expect(same(value, other)).toBe(true);
    expect(canonical(value)).toBe(canonical(other));
    expect(canonical(value)).toBe('{"a":"1n","b":"0102","d":[{"x":1},[2]]}');
  });

  it.each<[unknown, unknown]>([
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [[1], [1, 2]],
    [new Uint8Array([1]), new Uint8Array([2])],
    [new Map([['x', 1]]), new Map([['x', 2]])],
    [new Set([1]), new Set([2])],
    [1n, 1],
    [{}, []],
    [null, {}],
  ])('differ: %o and %o', (a, b) => {
    expect(same(a, b)).toBe(false);
    expect(same(b, a)).toBe(false);
  });
});
