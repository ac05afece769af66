import { describe, expect, it } from 'vitest';
import { validator } from '../../oracle/compile/shape.ts';
import { matrixHtml } from '../../report/matrix/html.ts';
import { matrixOf } from '../../report/matrix/matrix.ts';
import { matrixMarkdown, matrixText } from '../../report/matrix/text.ts';
import { findingName } from '../../report/results.ts';
import { plain } from '../../report/style.ts';
import { readProjectFile } from '../project/files.ts';
import { sampleFailure, sampleRun } from './sample.ts';

const found = { ...sampleFailure, signature: 'NAK psn-sequence-error' };
const other = { ...found, signature: 'no response', observed: 'no response' };
const broken = sampleRun({ failures: [found] });
const otherwise = sampleRun({ failures: [other], seed: broken.seed + 1 });
const kept = sampleRun({
  failures: [],
  rules: broken.rules.map((rule) =>
    rule.id === found.rule ? { ...rule, verdict: 'pass' as const, violations: 0 } : rule,
  ),
});

describe('a matrix of runs', () => {
  it('has a row for each cause and rule, and a column for each run', () => {
    const matrix = matrixOf([broken, kept, otherwise], ['old', 'fixed', 'other']);
    expect(matrix.runs.map(({ name }) => name)).toEqual(['old', 'fixed', 'other']);
    expect(matrix.cautions).toEqual(['the runs tried different cases (seeds)']);
    expect(matrix.causes.map(({ findings }) => findings)).toEqual([
      [1, 0, 0],
      [0, 0, 1],
    ]);
    const [first] = matrix.causes;
    expect(first?.rules.map(({ rule }) => rule)).toEqual([found.rule]);
    expect(first?.rules[0]?.cells.map(({ verdict }) => verdict)).toEqual(['fail', 'pass', 'other']);
    expect(first?.rules[0]?.cells.map(({ signatures }) => signatures)).toEqual([[found.signature], [], []]);
    expect(matrix.kept).toBe(broken.rules.length - 1);
  });

  it('puts causes of several runs together where they share a finding', () => {
    const both = { ...sampleRun({ failures: [found, other] }) };
    const matrix = matrixOf([broken, both], ['a', 'b']);
    const row = matrix.causes.find(({ findings }) => findings[0] === 1);
    expect(row?.findings[1]).toBeGreaterThan(0);
    const names = matrix.causes.flatMap(({ rules }) => rules.map(({ rule }) => rule));
    expect(new Set(names)).toEqual(new Set([findingName(found).split(' ')[0]]));
  });

  it('keeps a finding of two runs apart where the list has it for two defects', () => {
    const known = (link: string): typeof broken => ({
      ...sampleRun({ failures: [{ ...found, known: true, divergence: { reason: 'r', link } }] }),
    });
    const rows = (...runs: (typeof broken)[]): number[][] =>
      matrixOf(runs, ['a', 'b']).causes.map(({ findings }) => findings);
    expect(rows(known('#one'), known('#two'))).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(rows(known('#one'), known('#one'))).toEqual([[1, 1]]);
    expect(rows(known('#one'), broken)).toEqual([[1, 1]]);
  });

  it('is data that fits its schema', () => {
    const valid = validator(
      JSON.parse(readProjectFile('spec/schema/matrix.schema.json')) as Record<string, unknown>,
    );
    const matrix: unknown = JSON.parse(JSON.stringify(matrixOf([broken, kept, otherwise], ['a', 'b', 'c'])));
    expect(valid(matrix), JSON.stringify(valid.errors)).toBe(true);
    expect(valid({ ...(matrix as object), kept: -1 })).toBe(false);
  });

  it('is told as text, markdown and one page', () => {
    const matrix = matrixOf([broken, kept], ['old', 'fixed']);
    expect(matrixText(matrix, 80, plain)).toMatch(new RegExp(`^ {4}${found.rule} +FAIL +pass$`, 'm'));
    expect(matrixMarkdown(matrix)).toContain(`|  | \`${found.rule}\` | FAIL | pass |`);
    const page = matrixHtml(matrix, '1');
    expect(page).toMatch(/<td class="c changed"/);
    expect(page).toContain('>fixed</th>');
  });

  it('says what its signs mean, those alone that are in it', () => {
    const vacuous = {
      ...kept,
      rules: kept.rules.map((rule) =>
        rule.id === found.rule ? { ...rule, verdict: 'vacuous' as const, exercised: 0 } : rule,
      ),
    };
    const text = (...runs: (typeof kept)[]): string => matrixText(matrixOf(runs, ['a', 'b']), 80, plain);
    expect(text(broken, vacuous)).toMatch(/^number: findings of the cause; \.: its case never arose$/m);
    expect(text(broken, kept)).toMatch(/^number: findings of the cause$/m);
    const elsewhere = text(broken, otherwise).replaceAll(/\s+/g, ' ');
    expect(elsewhere).toContain(`${found.rule} FAIL other`);
    expect(elsewhere).toContain('other: broken in this run by another cause');
  });
});
