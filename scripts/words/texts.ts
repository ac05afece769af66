import { isScalar, LineCounter, parseDocument, visit } from 'yaml';

/** A piece of text that people read, and the line of the file on which it begins, from 1. */
export interface Piece {
  line: number;
  text: string;
}

/** Of what has fewer words nobody can say whether it is a text or a name. */
const leastWords = 2;
const isText = (text: string): boolean => text.trim().split(/\s+/).length >= leastWords;
/** Formulas and statements of machines. */
const isExpression = (text: string): boolean => / :?= /.test(text);

const lineAt = (source: string, offset: number): number => source.slice(0, offset).split('\n').length;

/** A page without its code: blocks, words in backticks, targets of links. */
function ofMarkdown(source: string): Piece[] {
  const blank = (code: string): string => code.replaceAll(/[^\n]/g, ' ');
  const prose = source.replaceAll(/^ *```[^]*?^ *```/gm, blank).replaceAll(/`[^`]*`|\]\([^)]*\)/g, blank);
  return prose.split('\n').map((text, i) => ({ line: i + 1, text }));
}

/** Values of a YAML file that are sentences. */
function ofYaml(source: string): Piece[] {
  const lines = new LineCounter();
  const pieces: Piece[] = [];
  visit(parseDocument(source, { lineCounter: lines }), {
    Scalar: (key, node) => {
      if (key === 'key' || typeof node.value !== 'string' || !isText(node.value) || isExpression(node.value))
        return;
      pieces.push({
        line: lines.linePos(isScalar(node) ? (node.range?.[0] ?? 0) : 0).line,
        text: node.value,
      });
    },
  });
  return pieces;
}

/** Strings of a program that are sentences; comments are none of them. */
function ofProgram(source: string): Piece[] {
  const tokens = /\/\/[^\n]*|\/\*[^]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
  return [...source.matchAll(tokens)]
    .filter(([token]) => !token.startsWith('/'))
    .map(({ 0: token, index }) => ({
      line: lineAt(source, index),
      text: token.slice(1, -1).replaceAll(/\$\{[^}]*\}/g, '_'),
    }))
    .filter(({ text }) => isText(text));
}

/** What of a file people read; nothing of a file of another kind. */
export function textsOf(path: string, source: string): Piece[] {
  if (path.endsWith('.md')) return ofMarkdown(source);
  if (path.endsWith('.yaml')) return ofYaml(source);
  return /\.[jt]s$/.test(path) ? ofProgram(source) : [];
}
