import type { FactCells } from '../../rules.ts';

/** How a fact is read: as the index of its value, or as a bit set of those it may have. */
export interface FactText {
  readonly kind: 'one' | 'possible';
  readonly text: string;
  /** indexes of its values by name */
  readonly indexes: Readonly<Record<string, number>>;
  /** the index that is likeliest, where there are several */
  readonly likeliest: string;
  /** leaves of the variable that is kept with every value only those with which the fact has value `i` */
  readonly narrow: string;
}

/** Fills in facts of a row from inputs and variables. */
type Fill = (inputs: object, variables: object, row: FactCells) => void;
/** What the text of facts names besides. */
export type Surroundings = Readonly<Record<'c' | 'words' | 'every', unknown>>;

function slotText(name: string, position: number, { kind, text, likeliest }: FactText): string {
  const head = `// ${name}\n`;
  if (kind === 'one') return `${head}i = ${text}; values[${position}] = i; masks[${position}] = 1 << i;`;
  return (
    `${head}m = ${text}; masks[${position}] = m; ` +
    `if ((m & (m - 1)) === 0) values[${position}] = 31 - Math.clz32(m); ` +
    `else { row.certain = false; i = ${likeliest}; ` +
    `values[${position}] = (m >>> i) & 1 ? i : 31 - Math.clz32(m & -m); }`
  );
}

/** One function for facts of one table, by their positions in it. It is compiled when it is first called. */
export function makeFiller(
  facts: Readonly<Record<string, FactText>>,
  positions: ReadonlyMap<string, number>,
  around: Surroundings,
): Fill {
  const text = [...positions].map(([name, position]) => {
    const fact = facts[name];
    if (fact === undefined) throw new RangeError(`the machine gives fact ${name} no meaning`);
    return slotText(name, position, fact);
  });
  const body = [
    '"use strict"; return (s, v, row) => { const { values, masks } = row; let i, m;',
    ...text,
    '};',
  ];
  let fill: Fill | undefined;
  return (inputs, variables, row) => {
    if (fill === undefined) {
      // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- a closure for each fact costs several times as much
      const make = new Function(...Object.keys(around), body.join('\n')) as (...values: unknown[]) => Fill;
      fill = make(...Object.values(around));
    }
    fill(inputs, variables, row);
  };
}
