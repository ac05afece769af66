import type { CellOf, DecisionTable, FactCells } from '../../rules.ts';
import { evaluate } from '../evaluate.ts';
import { stridesOf, wordHelpers, wordText } from '../table/cell.ts';

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
type Texts = Readonly<Record<string, FactText>>;
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

function meaningOf(facts: Texts, name: string): FactText {
  const fact = facts[name];
  if (fact === undefined) throw new RangeError(`the machine gives fact ${name} no meaning`);
  return fact;
}

/** One function for facts of one table, by their positions in it. */
export function makeFiller(facts: Texts, positions: ReadonlyMap<string, number>, around: Surroundings): Fill {
  const slots = [...positions].map(([name, position]) => slotText(name, position, meaningOf(facts, name)));
  const text = `return (s, v, row) => { const { values, masks } = row; let i, m; ${slots.join('\n')} };`;
  return evaluate(text, around) as Fill;
}

/** One function for the cell of a table; `given`: facts whose words are given, as are those without a meaning. */
export function makeCellOf(
  facts: Texts,
  table: DecisionTable,
  given: ReadonlySet<string>,
  around: Surroundings,
): CellOf {
  const strides = stridesOf(table.facts);
  const parts = table.facts.map((fact, i) => {
    const meaning = given.has(fact.name) ? undefined : facts[fact.name];
    const stride = strides[i] ?? 1;
    if (meaning === undefined) return wordText(fact, stride);
    const { kind, text } = meaning;
    return `${kind === 'one' ? `(${text})` : `one(${JSON.stringify(fact.name)}, ${text})`} * ${stride}`;
  });
  const one = (name: string, mask: number): number => {
    if ((mask & (mask - 1)) === 0) return 31 - Math.clz32(mask);
    throw new RangeError(`table ${table.id}: fact ${name} may have several values`);
  };
  return evaluate(`return (s, v, given) => { let x; return ${parts.join(' + ') || '0'}; };`, {
    ...around,
    ...wordHelpers(table.id, table.facts),
    one,
  }) as CellOf;
}
