import { isMap, isScalar, isSeq, LineCounter, parseDocument, isNode, type Node, type YAMLMap } from 'yaml';
import type { KnownDivergence } from '../../suites/index.ts';
import { CliError, exitCode, messageOf } from '../exit-codes.ts';
import { readText } from './read-text.ts';
import { unknownWord } from '../flags/nearest.ts';

/** A known divergence as the file of them lists it: of which device, and until when. */
export interface ListedDivergence extends KnownDivergence {
  /** as given to --adapter; `rxe` also stands for rxe with parameters */
  adapter: string;
  /** beginnings of the version in the device's profile, e.g. "Linux 6.1."; absent: any */
  version?: string | string[];
  /** YYYY-MM-DD; from that day on it is not expected any more */
  expires?: string;
}

const fields = ['rule', 'signature', 'adapter', 'version', 'reason', 'link', 'seldom', 'expires'] as const;
type Field = (typeof fields)[number];
/** What may be a list of texts. */
const listable = ['signature', 'version'] as const;
type Listable = (typeof listable)[number];
const required = ['rule', 'adapter', 'reason'] as const;

/** A mistake in the file, with its place; exit code 78. */
type Complain = (node: Node | null | undefined, message: string) => CliError;

function textOf(node: unknown, field: Field, entry: YAMLMap, complain: Complain): string {
  // Numbers are taken as written: a rule or a date must not change by being read.
  const value = isScalar(node) ? (node.source ?? String(node.value)) : '';
  if (value.trim() === '') throw complain(isNode(node) ? node : entry, `"${field}" must be a text`);
  return value;
}

/** Whether a text is a day of the calendar, as YYYY-MM-DD. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** One text, or a list of them. */
function textsOf(entry: YAMLMap, field: Listable, complain: Complain): string | string[] | undefined {
  const node = entry.get(field, true);
  if (node === undefined) return undefined;
  if (!isSeq(node)) return textOf(node, field, entry, complain);
  if (node.items.length === 0) throw complain(node, `"${field}" must not be an empty list`);
  return node.items.map((item) => textOf(item, field, entry, complain));
}

function readEntry(
  node: unknown,
  list: Node,
  ruleIds: readonly string[],
  complain: Complain,
): ListedDivergence {
  if (!isMap(node))
    throw complain(isScalar(node) ? node : list, 'an entry must have rule, adapter and reason');
  const values: Partial<Record<Field, string>> = {};
  for (const { key } of node.items) {
    const name = isScalar(key) ? String(key.value) : '';
    const field = fields.find((candidate) => candidate === name);
    const place = isScalar(key) ? key : node;
    if (field === undefined) throw complain(place, unknownWord('key', name, fields));
    if (!listable.some((name) => name === field))
      values[field] = textOf(node.get(field, true), field, node, complain);
  }
  const signature = textsOf(node, 'signature', complain);
  const version = textsOf(node, 'version', complain);
  const missing = required.find((field) => values[field] === undefined);
  if (missing !== undefined) throw complain(node, `"${missing}" is missing`);
  const { rule = '', adapter = '', reason = '', link, seldom, expires } = values;
  if (!ruleIds.includes(rule)) throw complain(node.get('rule', true), unknownWord('rule', rule, ruleIds));
  if (expires !== undefined && !isDay(expires)) {
    throw complain(
      node.get('expires', true),
      `"expires" must be a date such as 2030-01-31, not "${expires}"`,
    );
  }
  return {
    rule,
    adapter,
    reason,
    ...(signature === undefined ? {} : { signature }),
    ...(version === undefined ? {} : { version }),
    ...(link === undefined ? {} : { link }),
    ...(seldom === undefined ? {} : { seldom }),
    ...(expires === undefined ? {} : { expires }),
  };
}

/** The entries of a known-divergences text; throws CliError (78) with file, line and column of the first mistake. */
export function parseKnown(text: string, file: string, ruleIds: readonly string[]): ListedDivergence[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const mistake = (offset: number, message: string): CliError => {
    const { line, col } = lines.linePos(offset);
    return new CliError(exitCode.config, `${file}:${line}:${col}: ${message}`);
  };
  const complain: Complain = (node, message) => mistake(node?.range?.[0] ?? 0, message);
  const [error] = document.errors;
  if (error !== undefined) throw mistake(error.pos[0], messageOf(error));
  const { contents } = document;
  if (contents === null) return [];
  if (!isSeq(contents)) throw complain(contents, 'the file must be a list of known divergences');
  return contents.items.map((node) => readEntry(node, contents, ruleIds, complain));
}

/** Reads the file of `--known`. */
export function readKnown(file: string, directory: string, ruleIds: readonly string[]): ListedDivergence[] {
  return parseKnown(readText(file, directory), file, ruleIds);
}

/** Whether an entry is of a device with this version. */
export function isOfVersion({ version = '' }: { version?: string | string[] }, ofDevice: string): boolean {
  return [version].flat().some((start) => ofDevice.startsWith(start));
}

/** Those that are expected of a device of this adapter and version on this day; `expired` are those that were, until it. */
export function knownFor(
  all: readonly ListedDivergence[],
  device: { adapter: string; version?: string | undefined },
  today: Date,
): { known: ListedDivergence[]; expired: ListedDivergence[] } {
  const day = today.toISOString().slice(0, 10);
  const { adapter, version = '' } = device;
  const mine = all.filter(
    (entry) =>
      (adapter === entry.adapter || adapter.startsWith(`${entry.adapter}:`)) && isOfVersion(entry, version),
  );
  return {
    known: mine.filter((entry) => entry.expires === undefined || day < entry.expires),
    expired: mine.filter((entry) => entry.expires !== undefined && day >= entry.expires),
  };
}
