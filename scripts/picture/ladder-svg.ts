import { layoutLadder, type LadderRow } from '../../report/ladder/layout.ts';
import type { LadderLine } from '../../report/results.ts';
import { count } from '../../report/text.ts';
import { escapeXml } from '../../report/formats/xml.ts';

/** Sizes in pixels. A monospaced character of this size is `character` wide in every common font, or less. */
const fontSize = 12;
const character = 7.3;
const lineHeight = 16;
const rowGap = 10;
const margin = 8;
const timeCharacters = 11;
const headHeight = 30;

/** Colours of a ladder that stands alone; a page sets the same variables for its own scheme. */
const standAlone = `
    .ladder { --line: #9aa4b2; --text: #1b1f24; --dim: #5c6673; --bad: #c0262d; --band: #fdecec; --box: #f1f4f8; }
    @media (prefers-color-scheme: dark) {
      .ladder { --line: #5c6673; --text: #e6e9ee; --dim: #9aa4b2; --bad: #ff7b7f; --band: #3a1d20; --box: #20262e; }
    }`;

/** How a ladder is drawn; the page that holds it must have this too, or `alone` be set. */
export const ladderStyle = `
    .ladder text { font: ${fontSize}px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: var(--text); white-space: pre; }
    .ladder .time, .ladder .note { fill: var(--dim); }
    .ladder .head { font-weight: bold; }
    .ladder line, .ladder path { stroke: var(--dim); stroke-width: 1.5; fill: none; }
    .ladder .tip { fill: var(--dim); stroke: none; }
    .ladder .life { stroke: var(--line); stroke-width: 2; }
    .ladder .box { fill: var(--box); stroke: var(--line); }
    .ladder .guilty line { stroke: var(--bad); stroke-width: 2.5; }
    .ladder .guilty .tip { fill: var(--bad); }
    .ladder .guilty text { fill: var(--bad); font-weight: bold; }
    .ladder .guilty .box { stroke: var(--bad); }
    .ladder .band { fill: var(--band); stroke: none; }
    .ladder a:focus-visible .hit, .ladder a:hover .hit { stroke: var(--line); stroke-dasharray: 3 3; }
    .ladder .hit { fill: transparent; }`;

export interface LadderSvgOptions {
  /** characters between the two ends; default 84. Below 60, times stand above their rows instead of beside them. */
  lane?: number;
  /** true: the picture brings its own colours, light and dark; default: those of the page */
  alone?: boolean;
  /** where a packet of the ladder leads to, by the index of its line */
  link?: (line: number) => string | undefined;
}

interface Frame {
  left: number;
  right: number;
  beside: boolean;
}

const px = (n: number): string => String(Math.round(n * 10) / 10);

function texts(lines: readonly string[], x: number, y: number, kind: string, anchor = 'start'): string {
  return lines
    .map(
      (line, i) =>
        `<text${kind === '' ? '' : ` class="${kind}"`} x="${px(x)}" y="${px(y + i * lineHeight)}"${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}>${escapeXml(line)}</text>`,
    )
    .join('');
}

function arrowMarks(row: LadderRow, y: number, { left, right }: Frame): string {
  const [from, to] = row.shape === 'right' ? [left + 2, right - 2] : [right - 2, left + 2];
  const back = row.shape === 'right' ? -9 : 9;
  if (row.lost) {
    const end = to + 8 * back;
    const cross = `M${px(end - 5)} ${px(y - 5)} l10 10 m0 -10 l-10 10`;
    return `<line x1="${px(from)}" y1="${px(y)}" x2="${px(end)}" y2="${px(y)}"/><path d="${cross}"/>`;
  }
  const tip = `M${px(to)} ${px(y)} l${back} -4.5 v9 z`;
  return `<line x1="${px(from)}" y1="${px(y)}" x2="${px(to + back / 2)}" y2="${px(y)}"/><path class="tip" d="${tip}"/>`;
}

/** Height that a row takes, gap below it included. */
function heightOf(row: LadderRow, beside: boolean): number {
  const lines = row.text.length + (beside ? 0 : 1);
  return lines * lineHeight + (row.shape === 'right' || row.shape === 'left' ? 6 : 4) + rowGap;
}

function drawRow(row: LadderRow, top: number, frame: Frame, link: string | undefined): string {
  const { left, right, beside } = frame;
  const height = heightOf(row, beside);
  const textTop = top + fontSize + (beside ? 0 : lineHeight);
  const below = textTop + (row.text.length - 1) * lineHeight;
  const parts: string[] = [];
  if (row.guilty) {
    const [x, end] = [margin / 2, right + margin / 2];
    parts.push(
      `<rect class="band" x="${px(x)}" y="${px(top - rowGap / 2)}" width="${px(end - x)}" height="${px(height)}" rx="4"/>`,
    );
  }
  const timeY = beside ? below : top + fontSize;
  const timeX = beside ? margin + timeCharacters * character : left + 8;
  parts.push(texts([row.time], timeX, timeY, 'time', beside ? 'end' : 'start'));
  switch (row.shape) {
    case 'right':
    case 'left':
      parts.push(texts(row.text, left + 14, textTop, ''), arrowMarks(row, below + 7, frame));
      break;
    case 'box': {
      const widest = Math.max(...row.text.map((line) => line.length)) * character;
      const boxTop = textTop - fontSize - 1;
      parts.push(
        `<rect class="box" x="${px(right - 10 - widest - 12)}" y="${px(boxTop)}" width="${px(widest + 12)}" height="${px(below - boxTop + 7)}" rx="4"/>`,
        `<line x1="${px(right - 10)}" y1="${px((boxTop + below + 7) / 2)}" x2="${px(right)}" y2="${px((boxTop + below + 7) / 2)}"/>`,
        texts(row.text, right - 16, textTop, '', 'end'),
      );
      break;
    }
    case 'note':
      parts.push(texts(row.text, left + 14, textTop, 'note'));
      break;
  }
  const drawn = parts.join('');
  const inner =
    link === undefined
      ? drawn
      : `<a href="${escapeXml(link)}"><rect class="hit" x="${px(left + 4)}" y="${px(top - 3)}" width="${px(right - left - 8)}" height="${px(height - 4)}" rx="4"/>${drawn}</a>`;
  return `<g class="row${row.guilty ? ' guilty' : ''}" data-line="${row.line}">${inner}</g>`;
}

/**
 * The exchange between the peer (left) and the DUT (right) as an SVG element: the drawing of `drawLadder`, from the same
 * layout. It scales with its container; one unit is one pixel.
 */
export function ladderSvg(lines: readonly LadderLine[], options: LadderSvgOptions = {}): string {
  const { lane = 84, alone = false, link } = options;
  const beside = lane >= 60;
  const left = margin + (beside ? (timeCharacters + 1) * character : 0);
  const frame: Frame = { left, right: left + lane * character, beside };
  const width = frame.right + margin;
  let top = headHeight + rowGap;
  const rows: string[] = [];
  for (const row of layoutLadder(lines, lane)) {
    rows.push(drawRow(row, top, frame, row.frame === undefined ? undefined : link?.(row.line)));
    top += heightOf(row, beside);
  }
  const head =
    texts(['peer'], left, 18, 'head', beside ? 'middle' : 'start') +
    texts(['device under test'], frame.right + margin - 2, 18, 'head', 'end');
  const life = [left, frame.right]
    .map((x) => `<line class="life" x1="${px(x)}" y1="${headHeight - 4}" x2="${px(x)}" y2="${px(top)}"/>`)
    .join('');
  const title = `Exchange of ${count(lines.length, 'line')} between the peer and the device under test`;
  const style = alone ? `<style>${standAlone}${ladderStyle}\n  </style>` : '';
  return (
    `<svg class="ladder" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${px(width)} ${px(top + margin)}" ` +
    `width="${px(width)}" height="${px(top + margin)}" role="group" aria-label="${escapeXml(title)}">` +
    `${style}${head}${life}${rows.join('')}</svg>`
  );
}
