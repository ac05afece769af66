import type { Statement } from '../../oracle/compile/statements.ts';
import type { Rule, RuleSet } from '../../oracle/rules.ts';
import { ask } from './ask.ts';
import type { Argument, ColumnDraft, RowDraft, TableDraft } from './load.ts';

/** One cell of the document's tables, and what the rules have in its place. */
export interface Cell {
  column: string;
  /** in words of the rules */
  says: readonly string[];
  rules: readonly string[];
  askedRules: readonly Rule[];
  /** why the two differ */
  argued?: Argument;
  /** what is wrong with the cell, or with the reason that is given for it */
  wrong?: string;
}

export interface Row {
  name: string;
  statement: string;
  cells: readonly Cell[];
}

export interface BuiltTable {
  id: string;
  title: string;
  section: string;
  effects: boolean;
  columns: readonly string[];
  rows: readonly Row[];
}

/** Words of outcomes that mean the same as those of the document. */
const alike: Readonly<Record<string, string>> = { error: 'ERR', sqe: 'SQE' };

type Fields = Readonly<Record<string, unknown>>;

/** Fills in the fields of a row for their names. */
function filled(text: string, fields: Fields): string {
  return text.replaceAll(/\$(\w+)/g, (name, field: string) => {
    const value = fields[field];
    return typeof value === 'string' ? value : name;
  });
}

/** What the document says, in words of the rules; undefined where its table has no such cell. */
function documentSays(column: ColumnDraft, fields: Fields): readonly string[] | undefined {
  if (column.field === undefined) return column.says;
  const value = fields[column.field];
  if (Array.isArray(value)) {
    const [place, of] = (column.take ?? '').split(' of ').map(Number);
    return value.length === of ? [String(value[(place ?? 0) - 1]).toLowerCase()] : undefined;
  }
  if (typeof value !== 'string' || value === '(blank)') return undefined;
  const words = column.words?.[value];
  if (words !== undefined) return words.map(String);
  const named = value.match(/\bIBV_\w+/g);
  if (named === null) throw new RangeError(`no words of the rules stand for "${value}"`);
  return named;
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((word) => b.includes(word));

const list = (words: readonly string[]): string => (words.length === 0 ? 'nothing' : words.join(', '));

function wrongWith(says: readonly string[], rules: readonly string[], argued?: Argument): string | undefined {
  const right = same(says, rules);
  if (argued === undefined)
    return right ? undefined : `the document says ${list(says)}, the rules ${list(rules)}`;
  if (right) return 'the rules say what the document says, and a reason is given for a difference';
  return same(argued.rules, rules)
    ? undefined
    : `the reason is for ${list(argued.rules)}, and the rules say ${list(rules)}`;
}

function builtRow(draft: RowDraft, fields: Fields, table: TableDraft, statement: string, set: RuleSet): Row {
  const cells = Object.entries(table.columns).flatMap(([name, column]): Cell[] => {
    const says = draft.says?.[name] ?? documentSays(column, fields);
    if (says === undefined) return [];
    const questions = draft.ask?.[name] ?? column.ask ?? [];
    const answers = questions.map((text) => ask(filled(text, fields), set));
    const words = answers.flatMap((answer) => answer.words.map((word) => alike[word] ?? word));
    const rules = [...new Set(words)];
    const argued = draft.argued?.[name];
    const wrong = wrongWith(says, rules, argued);
    return [
      {
        column: name,
        says,
        rules,
        askedRules: [...new Set(answers.flatMap((answer) => answer.rules))],
        ...(argued !== undefined && { argued }),
        ...(wrong !== undefined && { wrong }),
      },
    ];
  });
  return { name: filled(draft.name ?? table.name ?? '', fields), statement, cells };
}

/** The tables of the document, built from the rules. RangeError where a row has no statement, or nothing that the rules could be asked. */
export function buildTables(
  model: readonly TableDraft[],
  set: RuleSet,
  statements: readonly Statement[],
): BuiltTable[] {
  return model.map((table) => {
    const rows = statements.find(({ id }) => id === table.statement)?.table ?? [];
    const drafts = table.rows ?? rows.map(() => ({}));
    if (drafts.length !== rows.length)
      throw new RangeError(
        `${table.statement ?? table.id} has ${rows.length} rows, ${table.id} ${drafts.length}`,
      );
    const built = [
      ...rows.map((fields, i) => builtRow(drafts[i] ?? {}, fields, table, table.statement ?? '', set)),
      ...(table.more ?? []).map((draft) => builtRow(draft, {}, table, draft.statement ?? '', set)),
    ];
    const { id, title, section, effects = false } = table;
    const columns = Object.keys(table.columns);
    return { id, title, section, effects, columns, rows: built.filter(({ cells }) => cells.length > 0) };
  });
}
