import type { BuiltTable, Cell, Row } from '../error-model/build.ts';
import type { Style } from '../../report/style.ts';
import { hanging } from '../../report/text.ts';
import type { Topic } from './topic.ts';

/** A row of the document's tables of causes and effects. */
export interface CauseRow {
  table: BuiltTable;
  row: Row;
}

function names(cell: Cell, topic: Topic): boolean {
  const answers = cell.askedRules.flatMap(({ when }) => when['answer'] ?? []);
  return topic.words.some((word) => [...cell.says, ...cell.rules, ...answers].includes(word));
}

/** The rows that name a topic, by what the document says, by what the rules say, or by the answer on the wire. */
export function rowsOf(topic: Topic, tables: readonly BuiltTable[]): CauseRow[] {
  return tables
    .filter(({ effects }) => effects)
    .flatMap((table) =>
      table.rows
        .filter(({ cells }) => cells.some((cell) => names(cell, topic)))
        .map((row) => ({ table, row })),
    );
}

const list = (words: readonly string[]): string => words.join(' or ') || 'nothing';

const line = (name: string, text: string, width: number): string[] =>
  hanging(`    ${name.padEnd(21)} `, text, width);

function cellLines({ column, says, rules, argued }: Cell, width: number): string[] {
  const judged = rules.length === 0 ? 'not judged' : `the rules: ${list(rules)}`;
  return line(column, argued === undefined ? list(says) : `${list(says)} (${judged})`, width);
}

/** The rows with both ends, as the document has them, and where the rules differ. */
export function rowLines(rows: readonly CauseRow[], width: number, style: Style): string[] {
  if (rows.length === 0) return [];
  return [
    style.bold(`Rows of the document's tables (${rows.length})`),
    ...rows.flatMap(({ table, row }) => {
      const reasons = [...new Set(row.cells.flatMap(({ argued }) => argued?.because ?? []))];
      const judging = [...new Set(row.cells.flatMap(({ askedRules }) => askedRules.map(({ id }) => id)))];
      return [
        ...hanging('  ', `${table.title}: ${row.name} (section ${table.section})`, width),
        ...row.cells.flatMap((cell) => cellLines(cell, width)),
        ...reasons.flatMap((because) => line('because', because, width)),
        ...line('rules', judging.join(', '), width),
        '',
      ];
    }),
  ];
}
