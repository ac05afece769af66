import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildDiagram, fullMask } from '../../../oracle/compile/table/diagram.ts';
import { cellsWhere } from '../../../oracle/compile/table/cells.ts';
import type { TableDraft } from '../../../oracle/compile/table/draft.ts';
import { loadRules } from '../../../oracle/compile/load.ts';
import { makeTable } from '../../../oracle/compile/table/table.ts';
import type { FactDef, HitPolicy, Rule } from '../../../oracle/rules.ts';
import { edited, small } from './fixture.ts';

interface Shape {
  sizes: number[];
  impossible: number[][];
  rules: number[][];
  hit: HitPolicy;
}

const shapes: fc.Arbitrary<Shape> = fc
  .array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 })
  .chain((sizes) => {
    // A bit set per fact; all values more often than chance would have it.
    const condition = fc.tuple(
      ...sizes.map((size) =>
        fc.oneof(fc.constant(fullMask(size)), fc.integer({ min: 1, max: fullMask(size) })),
      ),
    );
    return fc.record({
      sizes: fc.constant(sizes),
      impossible: fc.array(condition, { maxLength: 2 }),
      rules: fc.array(condition, { maxLength: 8 }),
      hit: fc.constantFrom<HitPolicy>('first', 'unique', 'any', 'all'),
    });
  });

function* cellsOf(sizes: readonly number[]): Generator<number[]> {
  const [size, ...rest] = sizes;
  if (size === undefined) yield [];
  else for (let value = 0; value < size; value++) for (const tail of cellsOf(rest)) yield [value, ...tail];
}

const holds = (masks: readonly number[], cell: readonly number[]): boolean =>
  masks.every((mask, fact) => ((mask >>> (cell[fact] ?? 0)) & 1) === 1);

/** The meaning of a table, by brute force. */
function expected({ impossible, rules, hit }: Shape, cell: readonly number[]): number[] {
  if (impossible.some((masks) => holds(masks, cell))) return [];
  const matching = rules.flatMap((masks, i) => (holds(masks, cell) ? [i] : []));
  return hit === 'first' ? matching.slice(0, 1) : matching;
}

function table(shape: Shape) {
  const facts = shape.sizes.map((size, i): FactDef => {
    return { name: `f${i}`, values: Array.from({ length: size }, (_, v) => `v${v}`) };
  });
  const location = { file: 'x.yaml', line: 1, column: 1 };
  const when = (masks: number[]): Record<string, string[]> =>
    Object.fromEntries(
      facts.map(({ name, values }, i) => [name, values.filter((_, v) => ((masks[i] ?? 0) >>> v) & 1)]),
    );
  const rules = shape.rules.map((masks, index): Rule => {
    const base = {
      id: `r${index}`,
      index,
      table: 't',
      says: 'x',
      level: 'must' as const,
      impact: 'protocol' as const,
    };
    return { ...base, covers: [], requires: [], outcomes: [{}], when: when(masks), location };
  });
  const draft: TableDraft = {
    table: 't',
    on: {},
    hit: shape.hit,
    impossible: shape.impossible.map((masks) => ({ when: when(masks), because: 'x', location })),
    rules,
    location,
  };
  return makeTable(draft, 'x', facts, rules);
}

describe('decision tables', () => {
  test('decide agrees with trying every rule, in every cell', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const made = table(shape);
        for (const cell of cellsOf(shape.sizes)) {
          expect(made.decide(cell).map((rule) => rule.index)).toEqual(expected(shape, cell));
        }
      }),
    );
  });

  test('decideAny agrees with the union of decide over the possible cells', () => {
    fc.assert(
      fc.property(
        shapes,
        fc.array(fc.integer({ min: 0, max: 31 }), { minLength: 4, maxLength: 4 }),
        (shape, masks) => {
          const made = table(shape);
          const chosen = new Set<number>();
          for (const cell of cellsOf(shape.sizes)) {
            if (holds(masks.slice(0, cell.length), cell)) {
              for (const rule of made.decide(cell)) chosen.add(rule.index);
            }
          }
          const answer = made.decideAny(masks);
          expect(answer.map((rule) => rule.index)).toEqual([...chosen].toSorted((a, b) => a - b));
          expect(made.decideAny(masks)).toBe(answer);
        },
      ),
    );
  });

  test('the undecided cells are found, counted and merged without loss', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const diagram = buildDiagram(shape.sizes, shape.impossible, shape.rules, shape.hit);
        const found = cellsWhere(diagram, (choice) => choice.kind === 'undecided', 10_000);
        const all = [...cellsOf(shape.sizes)];
        const listed = all.filter((cell) =>
          found.partial.some((partial) =>
            [...partial].every(([f, values]) => values.includes(cell[f] ?? -1)),
          ),
        );
        const undecided = all.filter(
          (cell) => ![...shape.impossible, ...shape.rules].some((masks) => holds(masks, cell)),
        );
        expect(listed).toEqual(undecided);
        expect(found.cellCount).toBe(undecided.length);
        expect(found.partialCount).toBe(found.partial.length);
      }),
    );
  });

  test('a cell that does not exist has no rules', () => {
    const made = table({ sizes: [2, 2], impossible: [], rules: [[3, 3]], hit: 'first' });
    expect(made.decide([1, 1])).toHaveLength(1);
    for (const cell of [[2, 0], [-1, 0], [0], [0.5, 0], [Number.NaN, 0]])
      expect(made.decide(cell)).toEqual([]);
    expect(made.decideAny([1, 0])).toEqual([]);
    expect(made.decideAny([-1, -1])).toHaveLength(1);
  });

  test('a million cells are laid out as blocks', () => {
    const sizes = Array.from({ length: 10 }, () => 4);
    const rules = sizes.map((_, i) => sizes.map((__, fact) => (fact === i ? 0b0011 : 0b1111)));
    const shape: Shape = { sizes, impossible: [], rules: [...rules, sizes.map(() => 15)], hit: 'first' };
    const made = table(shape);
    for (const cell of [[0, 3, 3, 3, 3, 3, 3, 3, 3, 3], sizes.map(() => 3), [3, 3, 3, 3, 3, 3, 3, 3, 3, 1]]) {
      expect(made.decide(cell).map((rule) => rule.index)).toEqual(expected(shape, cell));
    }
  });
});

describe('the compiled form', () => {
  const rules = loadRules({ directory: small });

  test('rules carry their words, defaults filled in, and where they stand', () => {
    expect(rules.rule('execute-quietly')).toEqual({
      id: 'execute-quietly',
      index: 1,
      impact: 'protocol',
      table: 'execute',
      says: 'Without AckReq nothing needs to be said.',
      level: 'should',
      covers: ['in-order'],
      requires: [],
      latitude: 'ACKs may be coalesced',
      when: {},
      outcomes: [{ reply: 'none', events: ['nothing'] }],
      location: { file: 'small/machines/toy/execute.yaml', line: 12, column: 9 },
    });
    expect(rules.rule('request-duplicate')?.outcomes).toEqual([{ reply: 'acknowledge' }, { reply: 'none' }]);
    expect(rules.rule('request-ahead-again')?.when).toEqual({
      psn: ['ahead'],
      nakState: ['sequence', 'rnr'],
    });
    expect(rules.rule('no-such-rule')).toBeUndefined();
    expect(rules.rules.map((rule) => rule.index)).toEqual(rules.rules.map((_, i) => i));
  });

  test('facts keep the order of the vocabulary, also where values look like numbers or booleans', () => {
    expect(rules.tables.get('execute')?.facts).toEqual([{ name: 'ackReq', values: ['true', 'false'] }]);
    const files = {
      'machines/toy/machine.yaml': edited('machines/toy/machine.yaml', [
        'true: set, false: clear',
        '7: x, 1: y',
      ]),
      'machines/toy/execute.yaml': edited('machines/toy/execute.yaml', ['ackReq: true', 'ackReq: 1']),
    };
    const other = loadRules({ directory: small, files }).tables.get('execute');
    expect(other?.facts[0]?.values).toEqual(['7', '1']);
    expect(other?.decide([1]).map((rule) => rule.id)).toEqual(['execute-acknowledged']);
  });

  test('the digest follows the contents', () => {
    const file = {
      'machines/toy/execute.yaml': edited('machines/toy/execute.yaml', ['reply: acknowledge', 'reply: nak']),
    };
    const changed = loadRules({ directory: small, files: file });
    expect(rules.digest).toMatch(/^[0-9a-f]{12}$/);
    expect(changed.digest).not.toBe(rules.digest);
    expect(loadRules({ directory: small }).digest).toBe(rules.digest);
    expect(changed.rule('execute-acknowledged')?.outcomes).toEqual([
      { reply: 'nak', events: ['established', 'nothing'] },
    ]);
  });
});
