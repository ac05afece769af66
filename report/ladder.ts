import type { LadderLine } from './results.ts';
import type { Style } from './style.ts';
import { plain } from './style.ts';
import { duration, wrap } from './text.ts';

const timeWidth = 12;
const smallestLane = 30;

interface Row {
  time: string;
  body: string;
  guilty: boolean;
}

/** Text set into an arrow of exactly `lane` characters; text that does not fit stands on lines above it. */
function arrow(text: string, lane: number, direction: 'right' | 'left', guilty: boolean): string[] {
  const stroke = guilty ? '=' : '-';
  const room = lane - 8;
  const lines = wrap(text, room);
  const last = lines.pop() ?? '';
  const above = lines.map((line) => `    ${line}`.padEnd(lane));
  const tail = stroke.repeat(lane - 6 - last.length);
  return [
    ...above,
    direction === 'right' ? `${stroke}${stroke} ${last} ${tail}> ` : ` <${stroke} ${last} ${tail}${stroke}`,
  ];
}

/** What happened at the DUT's end alone, boxed against its line. */
function atDut(text: string, lane: number): string[] {
  return wrap(text, lane - 6).map((line) => `[${line}]`.padStart(lane));
}

function rows(line: LadderLine, lane: number): Row[] {
  const guilty = line.guilty === true;
  const bodies = ((): string[] => {
    switch (line.kind) {
      case 'to-dut':
        return arrow(line.text, lane, 'right', guilty);
      case 'from-dut':
        return arrow(line.text, lane, 'left', guilty);
      case 'verbs':
      case 'completion':
      case 'event':
        return atDut(line.text, lane);
      case 'note':
        return wrap(line.text, lane - 6).map((text) => `  (${text})`.padEnd(lane));
    }
  })();
  return bodies.map((body, i) => ({
    time: i === bodies.length - 1 ? duration(line.t) : '',
    body,
    guilty,
  }));
}

/**
 * The exchange between the peer (left) and the DUT (right) as text, one event per line with its time. Packets are
 * arrows; calls, completions and events stand in brackets at the DUT; guilty lines begin with `>>`. Lines are at
 * most `width` characters long (48 at least).
 */
export function drawLadder(lines: readonly LadderLine[], width: number, style: Style = plain): string[] {
  const lane = Math.max(smallestLane, Math.min(width, 130) - timeWidth - 6);
  const heading = `${' '.repeat(timeWidth + 4)}peer${' '.repeat(lane - 5)}DUT`;
  return [
    style.dim(heading),
    ...lines.flatMap((line) =>
      rows(line, lane).map(({ time, body, guilty }) => {
        const mark = guilty ? style.bad('>>') : '  ';
        const text = guilty ? style.bad(body) : body;
        return `${mark} ${style.dim(time.padStart(timeWidth))} |${text}|`;
      }),
    ),
  ];
}
