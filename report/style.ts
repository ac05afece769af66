/** Ways to set off text on a terminal. `plain` returns every string as it is. */
export interface Style {
  bold: (text: string) => string;
  dim: (text: string) => string;
  good: (text: string) => string;
  bad: (text: string) => string;
  warn: (text: string) => string;
  accent: (text: string) => string;
}

const same = (text: string): string => text;

export const plain: Style = { bold: same, dim: same, good: same, bad: same, warn: same, accent: same };

function sgr(on: number, off: number): (text: string) => string {
  return (text) => (text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`);
}

const coloured: Style = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  good: sgr(32, 39),
  bad: sgr(31, 39),
  warn: sgr(33, 39),
  accent: sgr(36, 39),
};

export function styleFor(colour: boolean): Style {
  return colour ? coloured : plain;
}
