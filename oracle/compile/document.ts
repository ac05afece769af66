import type { Document, Node } from 'yaml';
import { yaml } from '../../spec/yaml.ts';
import type { Place } from '../rules.ts';
import type { Diagnostic } from './diagnostic.ts';
import { syntaxMessage } from './syntax.ts';

export type Path = readonly (string | number)[];

/** One YAML file with the way back from a path in its value to a place in its text. */
export interface SourceDocument {
  /** as printed, e.g. `spec/machines/x/y.yaml` */
  readonly file: string;
  readonly text: string;
  /** plain data; map keys are strings, in the order of the file where `keysAt` asks for it */
  readonly value: unknown;
  readonly errors: readonly Diagnostic[];
  readonly document: Document;
  /** place of the node at a path, or of the nearest ancestor that exists */
  placeOf(path: Path): Place;
  /** place of a key of the map at a path */
  placeOfKey(path: Path, key: string): Place;
  /** keys of the map at a path in file order (an object would sort numeric ones to the front) */
  keysAt(path: Path): string[];
}

function keyText(key: unknown): string {
  return yaml().isScalar(key) ? String(key.value) : String(key);
}

function offsetOf(node: unknown): number | undefined {
  return (node as { range?: [number, number, number] | null } | undefined)?.range?.[0];
}

/** Child of a node by key or index, aliases followed. */
function child(document: Document, node: unknown, step: string | number): Node | undefined {
  const target = yaml().isAlias(node) ? node.resolve(document) : node;
  if (yaml().isMap(target)) {
    const pair = target.items.find((p) => keyText(p.key) === String(step));
    return (pair?.value ?? undefined) as Node | undefined;
  }
  if (yaml().isSeq(target)) return target.items[Number(step)] as Node | undefined;
  return undefined;
}

/** Parses YAML 1.2; the first syntax error becomes a diagnostic, never an exception. `file` is the name that places carry. */
export function parseSource(file: string, text: string): SourceDocument {
  const lines = new (yaml().LineCounter)();
  const document = yaml().parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const find = (path: Path): { node: Node | undefined; pairKey: unknown } => {
    let node: Node | undefined = document.contents ?? undefined;
    let pairKey: unknown;
    for (const step of path) {
      if (yaml().isMap(node))
        pairKey = node.items.find((p) => keyText(p.key) === String(step))?.key ?? pairKey;
      const next = child(document, node, step);
      if (next === undefined) return { node: undefined, pairKey };
      node = next;
    }
    return { node, pairKey };
  };
  const placeOf = (path: Path): Place => {
    for (let length = path.length; length >= 0; length--) {
      const { node, pairKey } = find(path.slice(0, length));
      const offset = offsetOf(node) ?? (length === path.length ? offsetOf(pairKey) : undefined);
      if (offset !== undefined) return place(offset);
    }
    return place(0);
  };
  const mapAt = (path: Path) => {
    const { node } = find(path);
    const target = yaml().isAlias(node) ? node.resolve(document) : node;
    return yaml().isMap(target) ? target : undefined;
  };
  const noText = /[\0\ufffd]/.exec(text);
  // what comes after the first one is mostly its consequence
  const mistakes: Diagnostic[] = document.errors.slice(0, 1).map((error) => {
    const at = place(error.pos[0]);
    return { ...at, code: 'yaml-syntax', message: syntaxMessage(error, text, at.line) };
  });
  const errors: Diagnostic[] =
    noText === null
      ? mistakes
      : [{ ...place(noText.index), code: 'yaml-syntax', message: 'not valid YAML: the file is no text' }];
  return {
    file,
    text,
    document,
    errors,
    value: errors.length === 0 ? (document.toJS() as unknown) : undefined,
    placeOf,
    placeOfKey: (path, key) => {
      const pair = mapAt(path)?.items.find((p) => yaml().isPair(p) && keyText(p.key) === key);
      const offset = offsetOf(pair?.key);
      return offset === undefined ? placeOf(path) : place(offset);
    },
    keysAt: (path) => mapAt(path)?.items.map((p) => keyText(p.key)) ?? [],
  };
}
