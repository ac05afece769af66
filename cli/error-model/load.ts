import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSpecYaml, specDirectory } from '../../spec/load.ts';
import type { JsonSchema } from '../../oracle/compile/schema.ts';
import { validator } from '../../oracle/compile/shape.ts';

/** Words of the rules by those of the document. */
type Words = Readonly<Record<string, readonly string[]>>;

/** What a cell should hold, and what is asked for it. */
export interface ColumnDraft {
  /** field of the row of the statement's table */
  field?: string;
  /** of a list of that many words, the one with this number: "1 of 3" */
  take?: string;
  says?: string[];
  words?: Words;
  ask?: string[];
}

export interface Argument {
  /** what the rules say */
  rules: string[];
  because: string;
}

/** A row, by column. */
export interface RowDraft {
  name?: string;
  statement?: string;
  says?: Words;
  ask?: Readonly<Record<string, readonly string[]>>;
  argued?: Readonly<Record<string, Argument>>;
}

export interface TableDraft {
  id: string;
  title: string;
  section: string;
  /** whose table has the rows */
  statement?: string;
  /** name of a row, with $field in it */
  name?: string;
  /** its rows tell causes and their effects at both ends */
  effects?: boolean;
  columns: Readonly<Record<string, ColumnDraft>>;
  /** for each row of the statement's table */
  rows?: RowDraft[];
  /** rows that the statement's table does not have */
  more?: RowDraft[];
}

/** The tables of `spec/error-model/`, validated; throws an Error that says what is wrong with them. */
export function loadErrorModel(): TableDraft[] {
  const schema = JSON.parse(
    readFileSync(join(specDirectory, 'schema', 'error-model.schema.json'), 'utf8'),
  ) as JsonSchema;
  const validate = validator(schema);
  return ['reports', 'effects'].flatMap((name) => {
    const file = `error-model/${name}.yaml`;
    const model = loadSpecYaml(file);
    if (validate(model)) return (model as { tables: TableDraft[] }).tables;
    const [error] = validate.errors ?? [];
    throw new Error(`spec/${file}: ${error?.instancePath ?? ''} ${error?.message ?? ''}`);
  });
}
