import { expect, it } from 'vitest';
import { reportWidth } from '../../../cli/streams.ts';

it.each([
  ['the terminal', { out: 80, asked: '120', err: undefined }, 80],
  ['what COLUMNS asks for', { out: undefined, asked: '120', err: 80 }, 120],
  ['the terminal in front of a pipe', { out: undefined, asked: undefined, err: 80 }, 80],
  ['the usual one where there is none', { out: undefined, asked: '', err: undefined }, 100],
  ['the usual one where a terminal does not know', { out: 0, asked: undefined, err: undefined }, 100],
  ['no less than can be read', { out: 20, asked: undefined, err: undefined }, 48],
  ['no more than can be read', { out: 400, asked: undefined, err: undefined }, 160],
])('a report is as wide as %s', (_, widths, columns) => {
  expect(reportWidth(widths)).toBe(columns);
});
