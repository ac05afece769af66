import { isCollection, isMap } from 'yaml';
import type { Pair, Scalar, YAMLMap } from 'yaml';
import type { Path, SourceDocument } from './document.ts';

/** Plain scalars need quotes where YAML would read them as something else. */
export function scalar(word: string): string {
  return /^[A-Za-z][A-Za-z0-9_-]*$/.test(word) && !/^(true|false|null)$/i.test(word)
    ? word
    : JSON.stringify(word);
}

function splice(text: string, from: number, to: number, inserted: string): string {
  return text.slice(0, from) + inserted + text.slice(to);
}

interface Ranged {
  range?: [number, number, number] | null;
}

/** Text with the value of a key of the map at a path replaced; a key that is absent is added to it. */
export function rewritten(
  source: SourceDocument,
  path: Path,
  key: string,
  value: string,
): string | undefined {
  const map = source.document.getIn(path, true);
  if (!isMap(map)) return undefined;
  const node = map.get(key, true) as Ranged | undefined;
  if (node?.range) {
    const [start, end] = node.range;
    // A block list ends behind its last entry; in its place stands a flow list on one line less or more.
    const tail = isCollection(node) && !node.flow && source.text.slice(start, end).endsWith('\n') ? '\n' : '';
    return splice(source.text, start, end, value + tail);
  }
  return addKey(source, map, key, value);
}

function addKey(source: SourceDocument, map: YAMLMap, key: string, value: string): string | undefined {
  if (map.range == null) return undefined;
  const [start] = map.range;
  if (map.flow === true) {
    return splice(source.text, start + 1, start + 1, ` ${key}: ${value}${map.items.length > 0 ? ',' : ' '}`);
  }
  // Block map: one line more, at the indent of its first key.
  const lineStart = source.text.lastIndexOf('\n', start - 1) + 1;
  const indent = ' '.repeat(start - lineStart);
  return splice(source.text, start, start, `${key}: ${value}\n${indent}`);
}

/** Text without a key of the map at a path; `undefined` where it does not stand there. */
export function without(source: SourceDocument, path: Path, key: string): string | undefined {
  const map = source.document.getIn(path, true);
  if (!isMap(map) || map.range == null) return undefined;
  const pairs = map.items as Pair<Scalar<string>, Ranged>[];
  const place = pairs.findIndex((pair) => pair.key.value === key);
  const pair = pairs[place];
  const [from, to] = [pair?.key.range?.[0], pair?.value?.range?.[1]];
  if (from === undefined || to === undefined) return undefined;
  const next = pairs[place + 1]?.key.range?.[0];
  if (next !== undefined) return splice(source.text, from, next, '');
  const before = pairs[place - 1]?.value?.range?.[1];
  if (map.flow === true) return splice(source.text, before ?? from, to, '');
  // the last key of a block map goes with its line; without any key it is written as an empty one
  return before === undefined ? splice(source.text, from, to, '{}') : splice(source.text, before, to, '');
}
