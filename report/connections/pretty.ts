import { seenIn } from './hint-text.ts';
import { columns, endName, endRemarks, sending } from './words.ts';
import type { Connection, Connections } from './shape.ts';
import type { Style } from '../style.ts';
import { count, duration, grouped, hanging } from '../text.ts';

/** Connections that are written out; the rest is counted. */
const mostShown = 8;
const indent = 4;
const widths = columns.map(({ head }) => Math.max(8, head.length + 1));

function row(label: string, cells: readonly string[]): string {
  return label.padEnd(indent) + cells.map((cell, i) => cell.padStart(widths[i] ?? 8)).join('');
}

/** `alone`: no other connection is listed, so that its hints are shown in full. */
function connectionLines(connection: Connection, width: number, style: Style, alone: boolean): string[] {
  const { service, ends, first, last, mtu, violations, judged, hints } = connection;
  const broken = violations === 0 ? '' : `, ${count(violations, 'violation')}`;
  const names = `${endName(ends[0])} - ${endName(ends[1])}${broken}`;
  const facts = [
    `${duration(first)} to ${duration(last)}`,
    mtu === undefined ? undefined : `path MTU ${mtu}`,
    `judged: ${judged}`,
  ].filter((fact) => fact !== undefined);
  return [
    ...hanging(service.padEnd(indent), names, width).map((line) =>
      violations > 0 ? style.bad(line) : style.accent(line),
    ),
    ...hanging('    ', facts.join(', '), width),
    ...sending(connection).flatMap(({ sign, end }) => [
      row(
        ` ${sign}`,
        columns.map(({ of }) => of(end)),
      ),
      ...endRemarks(end).flatMap((remark) => hanging('        ', remark, width)),
    ]),
    ...(alone ? hints : hints.map(seenIn)).flatMap((hint) => warning(hint, width, style)),
  ];
}

const warning = (text: string, width: number, style: Style): string[] =>
  hanging('  ! ', text, width).map((line) => style.warn(line));

/** What is seen of several connections means, said once. */
function hintLines({ total, hints }: Connections, width: number, style: Style): string[] {
  if (total === 1 || hints.length === 0) return [];
  return [
    style.bold('What that may mean, and of how many connections'),
    ...hints.flatMap(({ says, connections }) =>
      hanging(`${grouped(connections).padStart(8)}  `, says, width),
    ),
    '',
  ];
}

/** Who talks to whom: the table at the head of the report on a capture. */
export function connectionsPart(connections: Connections | undefined, width: number, style: Style): string[] {
  if (connections === undefined || connections.total === 0) return [];
  const { total, listed } = connections;
  const shown = listed.slice(0, mostShown);
  const more = total - shown.length;
  return [
    style.bold(total > 1 ? `Connections (${grouped(total)}, worst first)` : 'Connection'),
    style.dim(
      row(
        '',
        columns.map(({ head }) => head),
      ),
    ),
    ...shown.flatMap((connection) => connectionLines(connection, width, style, total === 1)),
    ...(more > 0 ? [`and ${grouped(more)} more`] : []),
    '',
    ...hintLines(connections, width, style),
  ];
}
