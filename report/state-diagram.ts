import { escapeXml } from './formats/xml.ts';

/** States and what leads from one to another. */
export interface StateDiagram {
  title: string;
  about: string;
  states: readonly string[];
  /** edges, in the order of their numbers (from 1); `from` absent: from any state */
  edges: readonly StateEdge[];
}

export interface StateEdge {
  from: string | undefined;
  to: string;
  /** what causes it, one entry per cause */
  causes: readonly string[];
}

const radius = 30;
const stateWidth = 86;
const stateHeight = 34;
const any = 'any state';

/** Colours where the picture stands alone; a page sets the same variables. */
export const stateStyle = `
    .states text { font: 13px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: var(--text); text-anchor: middle; dominant-baseline: central; }
    .states .state { fill: var(--box); stroke: var(--line); stroke-width: 1.5; }
    .states .any { stroke-dasharray: 4 3; fill: none; }
    .states path { stroke: var(--dim); stroke-width: 1.5; fill: none; }
    .states .tip { fill: var(--dim); stroke: none; }
    .states .number { fill: var(--page); stroke: var(--dim); }
    .states .n { font-size: 11px; }`;

interface Point {
  x: number;
  y: number;
}

const px = (n: number): string => String(Math.round(n * 10) / 10);

/** Where the line from a box's centre towards a point leaves the box. */
function rim(at: Point, towards: Point): Point {
  const dx = towards.x - at.x;
  const dy = towards.y - at.y;
  const scale = Math.min(
    dx === 0 ? Infinity : (stateWidth / 2 + 2) / Math.abs(dx),
    dy === 0 ? Infinity : (stateHeight / 2 + 2) / Math.abs(dy),
  );
  return { x: at.x + dx * scale, y: at.y + dy * scale };
}

function tip(at: Point, from: Point): string {
  const angle = (Math.atan2(at.y - from.y, at.x - from.x) * 180) / Math.PI;
  return `<path class="tip" d="M0 0 l-9 -4.5 v9 z" transform="translate(${px(at.x)} ${px(at.y)}) rotate(${px(angle)})"/>`;
}

function label(at: Point, number: number): string {
  return (
    `<circle class="number" cx="${px(at.x)}" cy="${px(at.y)}" r="9"/>` +
    `<text class="n" x="${px(at.x)}" y="${px(at.y)}">${number}</text>`
  );
}

function loop(at: Point, centre: Point, number: number): string {
  const out = at.y <= centre.y ? -1 : 1;
  const edge = at.y + (out * stateHeight) / 2;
  const peak: Point = { x: at.x, y: edge + out * radius };
  const d = `M${px(at.x - 16)} ${px(edge)} C${px(at.x - 22)} ${px(peak.y)} ${px(at.x + 22)} ${px(peak.y)} ${px(at.x + 16)} ${px(edge + out * 2)}`;
  return `<path d="${d}"/>${tip({ x: at.x + 16, y: edge + out * 2 }, { x: at.x + 19, y: peak.y })}${label({ x: at.x, y: edge + out * radius * 0.76 }, number)}`;
}

/** A curve that leaves room for its counterpart in the other direction. */
function curve(from: Point, to: Point, number: number): string {
  const middle: Point = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const bend = Math.min(38, length * 0.18);
  const control: Point = { x: middle.x - (dy / length) * bend, y: middle.y + (dx / length) * bend };
  const start = rim(from, control);
  const end = rim(to, control);
  const half: Point = {
    x: (start.x + 2 * control.x + end.x) / 4,
    y: (start.y + 2 * control.y + end.y) / 4,
  };
  const d = `M${px(start.x)} ${px(start.y)} Q${px(control.x)} ${px(control.y)} ${px(end.x)} ${px(end.y)}`;
  return `<path d="${d}"/>${tip(end, control)}${label(half, number)}`;
}

/** The states on an ellipse, edges numbered: what causes them stands beside the picture. */
export function stateSvg({ title, states, edges }: StateDiagram): string {
  const names = edges.some(({ from }) => from === undefined) ? [...states, any] : [...states];
  const wide = Math.max(190, names.length * 46);
  const tall = Math.max(110, names.length * 26);
  const centre: Point = { x: wide + 70, y: tall + 70 };
  const places = new Map(
    names.map((name, i) => {
      const angle = (2 * Math.PI * i) / names.length - Math.PI / 2;
      return [name, { x: centre.x + wide * Math.cos(angle), y: centre.y + tall * Math.sin(angle) }];
    }),
  );
  const drawn = edges.map(({ from = any, to }, i) => {
    const [start, end] = [places.get(from), places.get(to)];
    if (start === undefined || end === undefined) return '';
    return from === to ? loop(start, centre, i + 1) : curve(start, end, i + 1);
  });
  const boxes = [...places].map(
    ([name, { x, y }]) =>
      `<rect class="state${name === any ? ' any' : ''}" x="${px(x - stateWidth / 2)}" y="${px(y - stateHeight / 2)}" width="${stateWidth}" height="${stateHeight}" rx="8"/>` +
      `<text x="${px(x)}" y="${px(y)}">${escapeXml(name)}</text>`,
  );
  const [width, height] = [centre.x * 2, centre.y * 2];
  return (
    `<svg class="states" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${px(width)} ${px(height)}" width="${px(width)}" ` +
    `height="${px(height)}" role="img" aria-label="${escapeXml(title)}">\n${[...drawn, ...boxes].join('\n')}\n</svg>`
  );
}
