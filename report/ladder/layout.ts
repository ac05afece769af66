import type { LadderLine } from '../results.ts';
import { duration, wrap } from '../text.ts';

/** One event of an exchange, ready to be drawn: as text or as a picture. */
export interface LadderRow {
  /** `right`: from the peer to the DUT; `left`: from the DUT; `box`: at the DUT's end alone; `note`: beside both */
  shape: 'right' | 'left' | 'box' | 'note';
  /** lines of at most as many characters as the row has room for; at least one */
  text: string[];
  /** time for people, e.g. "1.250 us" */
  time: string;
  /** `t` of the line, nanoseconds since the start of the trace */
  t: number;
  kind: LadderLine['kind'];
  guilty: boolean;
  /** the packet never reaches the other end */
  lost: boolean;
  /** index of the line that it draws */
  line: number;
  /** frame bytes as hex, for packets */
  frame?: string;
}

/** Characters that a row's own marks take of the lane between the two ends: the ends of an arrow, brackets. */
const marks = { right: 8, left: 8, box: 6, note: 6 } as const;

function shapeOf(kind: LadderLine['kind']): LadderRow['shape'] {
  switch (kind) {
    case 'to-dut':
      return 'right';
    case 'from-dut':
      return 'left';
    case 'verbs':
    case 'completion':
    case 'event':
      return 'box';
    case 'note':
      return 'note';
  }
}

/**
 * The exchange as rows between two ends that stand `lane` characters apart: the one model that `drawLadder` (text) and
 * `ladderSvg` (picture) draw.
 */
export function layoutLadder(lines: readonly LadderLine[], lane: number): LadderRow[] {
  return lines.map((line, index) => {
    const shape = shapeOf(line.kind);
    return {
      shape,
      text: wrap(line.text, lane - marks[shape]),
      time: duration(line.t),
      t: line.t,
      kind: line.kind,
      guilty: line.guilty === true,
      lost: line.lost === true,
      line: index,
      ...(line.frame === undefined ? {} : { frame: line.frame }),
    };
  });
}
