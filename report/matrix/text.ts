import type { Style } from '../style.ts';
import { count, hanging } from '../text.ts';
import { columnText, type Matrix } from './matrix.ts';

/** What a rule came to in a few characters. */
export const cellSigns: Readonly<Record<string, string>> = {
  fail: 'FAIL',
  deviation: 'dev',
  known: 'known',
  other: 'other',
  pass: 'pass',
  observed: 'obs',
  inconclusive: '?',
  vacuous: '.',
  unsupported: '-',
  absent: ' ',
  error: 'ERR',
};

/** What of these is no plain word. */
const cellMeanings: Readonly<Record<string, string>> = {
  deviation: 'a broken SHOULD',
  known: 'broken as the list of known divergences says',
  other: 'broken in this run by another cause',
  observed: 'a MAY that was seen',
  inconclusive: 'in doubt',
  vacuous: 'its case never arose',
  unsupported: 'unsupported',
  absent: 'no such rule in this run',
};

const meaning = (verdict: string): string =>
  `${(cellSigns[verdict] ?? '').trim() || 'blank'}: ${cellMeanings[verdict]}`;

const cellWidth = 6;

/** The matrix for a terminal: a row for each cause with the number of its findings by run, and below it one for each rule. */
export function matrixText(matrix: Matrix, width: number, style: Style): string {
  const { runs, causes, cautions, kept } = matrix;
  const letter = (i: number): string => String.fromCodePoint(65 + (i % 26));
  const room = Math.max(24, width - cellWidth * runs.length - 2);
  const cells = (texts: readonly string[]): string =>
    texts.map((text) => text.slice(0, cellWidth - 1).padStart(cellWidth)).join('');
  const row = (text: string, texts: readonly string[]): string =>
    `${(text.length <= room ? text : `${text.slice(0, room - 3)}...`).padEnd(room)}${cells(texts)}`;
  const lines = [
    ...runs.flatMap((run, i) => hanging(`${letter(i)}  `, columnText(run), width)),
    ...cautions.flatMap((text) => hanging('   caution: ', text, width).map(style.warn)),
    '',
    style.bold(
      row(
        'cause, rules',
        runs.map((_, i) => letter(i)),
      ),
    ),
  ];
  for (const { name, impact = '', findings, rules } of causes) {
    lines.push(
      style.bold(
        row(
          `${impact}  ${name}`,
          findings.map((n) => (n === 0 ? '' : String(n))),
        ),
      ),
    );
    for (const { rule, cells: own } of rules)
      lines.push(
        row(
          `    ${rule}`,
          own.map(({ verdict }) => cellSigns[verdict] ?? verdict),
        ),
      );
  }
  const shown = new Set(
    causes.flatMap(({ rules }) => rules.flatMap(({ cells: own }) => own.map((c) => c.verdict))),
  );
  const legend = Object.keys(cellMeanings).filter((verdict) => shown.has(verdict));
  lines.push(
    '',
    ...hanging('', ['number: findings of the cause', ...legend.map(meaning)].join('; '), width),
    `${count(causes.length, 'cause')}; ${count(kept, 'rule')} that no run breaks`,
  );
  return `${lines.join('\n')}\n`;
}

const escaped = (text: string): string => text.replaceAll(/[\\`*_{}[\]<>#|~]/g, (found) => `\\${found}`);

/** The matrix as tables of markdown. */
export function matrixMarkdown({ runs, causes, cautions, kept }: Matrix): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const head = ['impact', 'cause, rules', ...runs.map(({ name }) => escaped(name))];
  return [
    ...runs.map((run) => `- ${escaped(columnText(run))}, seed ${run.seed}, ${count(run.cases, 'case')}`),
    ...cautions.map((text) => `- Caution: ${escaped(text)}`),
    '',
    line(head),
    line(head.map(() => '---')),
    ...causes.flatMap(({ name, impact = '', findings, rules }) => [
      line([impact, `**${escaped(name)}**`, ...findings.map((n) => (n === 0 ? '' : `**${n}**`))]),
      ...rules.map(({ rule, cells }) =>
        line(['', `\`${rule}\``, ...cells.map(({ verdict }) => cellSigns[verdict] ?? verdict)]),
      ),
    ]),
    '',
    `${count(causes.length, 'cause')}; ${count(kept, 'rule')} that no run breaks.`,
    '',
  ].join('\n');
}
