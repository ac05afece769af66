import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { specDirectory } from '../../spec/load.ts';
import { yaml } from '../../spec/yaml.ts';
import { readSources } from './sources.ts';
import type { LoadOptions } from './sources.ts';
import { validator } from './shape.ts';

/** One statement of a source document, in our words (`spec/statements/`, `spec/schema/statement.schema.json`). */
export interface Statement {
  id: string;
  source: { doc: string; section: string };
  statement: string;
  role: string;
  service: ('RC' | 'UC' | 'RD' | 'UD' | 'XRC')[];
  kind: 'rule' | 'definition' | 'informative';
  observable: string[];
  stimulus: string;
  expectation: string;
  level: 'must' | 'should' | 'may' | 'vendor';
  erratum: string | null;
  /** rows of a source table */
  table?: Record<string, unknown>[];
  /** content lost from the source, supplied from general knowledge */
  filled?: boolean;
  /** implied by the source, not literally stated */
  derived?: boolean;
  note?: string;
}

/** What a statement begins with in its file. */
const head = /^- id: *["']?([A-Za-z0-9-]+)/;

/** Ids of all statements, by a scan of the lines: a hundredth of the cost of parsing the files. */
export function statementIds(
  texts: ReadonlyMap<string, string> = readSources().statements(),
): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const text of texts.values())
    for (const match of text.matchAll(new RegExp(head, 'gm'))) if (match[1]) ids.add(match[1]);
  return ids;
}

/** Whether to take a statement, by its id and its lines as they stand in the file, with single spaces. */
type Wanted = (id: string, text: string) => boolean;

/** The lines of a file that hold the statements to take. */
function linesOf(text: string, wanted: Wanted): string {
  const entries = text.split(/^(?=- id:)/m);
  return entries
    .filter((entry) => wanted(head.exec(entry)?.[1] ?? '', entry.replaceAll(/\s+/g, ' ')))
    .join('');
}

let all: readonly Statement[] | undefined;

/** All statements, parsed and validated; throws an Error that names file and statement where one is not sound. */
export function loadStatements(options?: LoadOptions): Statement[] {
  if (options !== undefined) return [...parsed(options)];
  // a report takes them for its texts, and again for what covers them
  all ??= [...parsed({})];
  return [...all];
}

/** The statements with these ids, in the order of the files; all others are not even parsed, which takes most of a second. */
export function statementsOf(ids: Iterable<string>): Statement[] {
  const wanted = new Set(ids);
  return [...parsed({}, (id) => wanted.has(id))];
}

/** Likewise the statements that `wanted` takes. */
export function statementsWhere(wanted: Wanted): Statement[] {
  return [...parsed({}, wanted)];
}

let schema: Record<string, unknown> | undefined;

/** Read when a statement is parsed, and once: to compile it takes longer than to find one statement. */
function shape(): ReturnType<typeof validator> {
  schema ??= JSON.parse(
    readFileSync(join(specDirectory, 'schema', 'statement.schema.json'), 'utf8'),
  ) as Record<string, unknown>;
  return validator(schema);
}

function* parsed(options: LoadOptions, only?: Wanted): Generator<Statement> {
  const sources = readSources(options);
  for (const [name, text] of sources.statements()) {
    const lines = only === undefined ? text : linesOf(text, only);
    if (only !== undefined && lines === '') continue;
    const list = yaml().parse(lines) as unknown;
    if (!Array.isArray(list)) throw new Error(`${sources.display(name)}: not a list of statements`);
    const validate = shape();
    for (const [i, entry] of list.entries()) {
      if (validate(entry)) {
        yield entry as Statement;
        continue;
      }
      const id = (entry as { id?: unknown } | null)?.id;
      const [error] = validate.errors ?? [];
      throw new Error(
        `${sources.display(name)}: statement ${typeof id === 'string' ? id : i + 1}: ${error?.instancePath ?? ''} ${error?.message ?? ''}`,
      );
    }
  }
}
