import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { parseSource, type SourceDocument } from '../../oracle/compile/document.ts';
import { checkShape } from '../../oracle/compile/shape.ts';
import type { Statement } from '../../oracle/compile/statements.ts';
import type { Place } from '../../oracle/rules.ts';
import { specDirectory } from '../../spec/load.ts';
import { nearest } from '../flags/nearest.ts';

const excuseKinds = [
  'table',
  'informative',
  'not-observable',
  'other-medium',
  'other-service',
  'connection-manager',
  'profile',
  'experiment',
  'lost',
] as const;

export type ExcuseKind = (typeof excuseKinds)[number];

/** Why no rule covers a statement (`spec/coverage/*.yaml`, `spec/schema/excuses.schema.json`). */
export interface Excuse {
  readonly kind: ExcuseKind;
  readonly where?: string;
  readonly because: string;
}

/** One mistake in a file of excuses, with its place. */
export interface ExcuseMistake extends Place {
  readonly message: string;
}

export interface ExcuseOptions {
  /** a folder laid out as `spec/`; default: the package's own */
  readonly directory?: string;
  /** texts by name below that folder (`coverage/x.yaml`) that replace its files, or are added to them */
  readonly files?: Readonly<Record<string, string>>;
}

function readFiles({ directory = specDirectory, files = {} }: ExcuseOptions): Map<string, string> {
  const folder = join(directory, 'coverage');
  const onDisk = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.yaml')) : [];
  const names = new Set([...onDisk.map((name) => `coverage/${name}`), ...Object.keys(files)]);
  return new Map(
    [...names]
      .toSorted()
      .map((name): [string, string] => [name, files[name] ?? readFileSync(join(directory, name), 'utf8')]),
  );
}

function child(value: unknown, step: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return Reflect.get(value, step);
}

/** What is wrong with `constants/x.yaml#/a/b`, a place of a table; `undefined` if something stands there. */
function missingTable(where: string, directory: string): string | undefined {
  const found = /^((?:constants|machines\/[\w-]+)\/[\w-]+\.yaml)#((?:\/[^/]+)+)$/.exec(where);
  const [, file = '', pointer = ''] = found ?? [];
  if (found === null) return `"${where}" is no place of a table, such as constants/timers.yaml#/ackTimeout`;
  const path = join(directory, file);
  if (!existsSync(path)) return `there is no file ${file}`;
  let value: unknown = parse(readFileSync(path, 'utf8'));
  for (const step of pointer.slice(1).split('/')) {
    value = child(value, step.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (value === undefined) return `nothing stands at ${pointer} of ${file}`;
  }
  return undefined;
}

/** Facts that an excuse is held against. */
export interface ExcuseContext {
  readonly statements: ReadonlyMap<string, Statement>;
  /** ids of rules by statement that they cover */
  readonly coveredBy: ReadonlyMap<string, readonly string[]>;
}

function* mistakesOf(
  id: string,
  excuse: Excuse,
  source: SourceDocument,
  context: ExcuseContext & { directory: string; before: Place | undefined },
): Generator<ExcuseMistake> {
  const key = source.placeOfKey([], id);
  const statement = context.statements.get(id);
  if (statement === undefined) {
    const close = nearest(id, context.statements.keys());
    yield { ...key, message: `unknown statement "${id}"${close ? `; did you mean "${close}"?` : ''}` };
    return;
  }
  if (context.before !== undefined) {
    yield { ...key, message: `${id} is excused already, in ${context.before.file}:${context.before.line}` };
  }
  const rules = context.coveredBy.get(id) ?? [];
  if (rules.length > 0) {
    yield { ...key, message: `${id} is covered by ${rules.join(', ')}: its excuse is stale` };
  }
  if (excuse.kind === 'informative' && statement.kind === 'rule') {
    yield {
      ...source.placeOf([id, 'kind']),
      message: `${id} is a rule, which no device may take as informative`,
    };
  }
  if (excuse.kind === 'table') {
    const missing = missingTable(excuse.where ?? '', context.directory);
    if (missing !== undefined) yield { ...source.placeOf([id, 'where']), message: missing };
  }
}

function isExcuses(value: unknown): value is Record<string, Excuse> {
  return typeof value === 'object' && value !== null;
}

/** All excuses by statement, and every mistake in their files: shape, unknown or covered statements, tables that are not. */
export function loadExcuses(
  context: ExcuseContext,
  options: ExcuseOptions = {},
): { excuses: Map<string, Excuse>; mistakes: ExcuseMistake[] } {
  const directory = options.directory ?? specDirectory;
  const schema: unknown = JSON.parse(
    readFileSync(join(specDirectory, 'schema', 'excuses.schema.json'), 'utf8'),
  );
  if (typeof schema !== 'object' || schema === null) throw new Error('excuses.schema.json holds no schema');
  const excuses = new Map<string, Excuse>();
  const places = new Map<string, Place>();
  const mistakes: ExcuseMistake[] = [];
  for (const [name, text] of readFiles(options)) {
    const source = parseSource(`${basename(directory)}/${name}`, text);
    const shape = source.errors.length > 0 ? source.errors : checkShape({ ...schema }, source);
    mistakes.push(...shape);
    if (shape.length > 0 || !isExcuses(source.value)) continue;
    for (const [id, excuse] of Object.entries(source.value)) {
      mistakes.push(...mistakesOf(id, excuse, source, { ...context, directory, before: places.get(id) }));
      places.set(id, source.placeOfKey([], id));
      excuses.set(id, excuse);
    }
  }
  return { excuses, mistakes };
}

/** `spec/coverage/x.yaml:12:3: message` */
export function formatMistake({ file, line, column, message }: ExcuseMistake): string {
  return `${file}:${line}:${column}: ${message}`;
}
