import { layoutLadder, type LadderRow } from './layout.ts';
import type { LadderEnds, LadderLine } from '../results.ts';
import type { Style } from '../style.ts';
import { plain } from '../style.ts';

const timeWidth = 12;
const smallestLane = 30;

/** Text set into an arrow of exactly `lane` characters; lines that do not fit stand above it. */
function arrow({ text, shape, guilty, lost }: LadderRow, lane: number): string[] {
  const stroke = guilty ? '=' : '-';
  const last = text.at(-1) ?? '';
  const above = text.slice(0, -1).map((line) => `    ${line}`.padEnd(lane));
  const tail = stroke.repeat(lane - 6 - last.length);
  if (lost) {
    const short = tail.length < 4 ? tail : `${tail.slice(0, -4)}x   `;
    return [
      ...above,
      shape === 'right'
        ? `${stroke}${stroke} ${last} ${short}  `
        : `    x${stroke} ${last} ${tail.slice(4)}${stroke}${stroke}`.padEnd(lane),
    ];
  }
  return [
    ...above,
    shape === 'right' ? `${stroke}${stroke} ${last} ${tail}> ` : ` <${stroke} ${last} ${tail}${stroke}`,
  ];
}

function bodies(row: LadderRow, lane: number): string[] {
  switch (row.shape) {
    case 'right':
    case 'left':
      return arrow(row, lane);
    case 'box':
      return row.text.map((line) => `[${line}]`.padStart(lane));
    case 'note':
      return row.text.map((line) => `  (${line})`.padEnd(lane));
  }
}

/**
 * The exchange between the peer (left) and the DUT (right) as text, one event per line with its time. Packets are
 * arrows; calls, completions and events are in brackets at the DUT; guilty lines begin with `>>`. Lines are at
 * most `width` characters long (48 at least). `ends`: how the two sides are named.
 */
export function drawLadder(
  lines: readonly LadderLine[],
  width: number,
  style: Style = plain,
  [left, right]: LadderEnds = ['peer', 'DUT'],
): string[] {
  const lane = Math.max(smallestLane, Math.min(width, 130) - timeWidth - 6);
  const heading = `${' '.repeat(timeWidth + 4)}${left}${right.padStart(lane - left.length + 2)}`;
  return [
    style.dim(heading),
    ...layoutLadder(lines, lane).flatMap((row) => {
      const drawn = bodies(row, lane);
      return drawn.map((body, i) => {
        const mark = row.guilty ? style.bad('>>') : '  ';
        const time = i === drawn.length - 1 ? row.time : '';
        return `${mark} ${style.dim(time.padStart(timeWidth))} |${row.guilty ? style.bad(body) : body}|`;
      });
    }),
  ];
}
