import { ExpressionError } from './ast.ts';

export interface Token {
  readonly kind: 'number' | 'name' | 'symbol' | 'end';
  readonly text: string;
  readonly at: number;
}

// A hyphen inside a word belongs to it (`remote-access-error`): a minus has spaces around it.
const pattern =
  /\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?)|([A-Za-z_][\w]*(?:-[\w]+)*(?:\.[A-Za-z_][\w]*)*)|(:=|!=|<=|>=|[-+*/^=<>(),]))/y;

/** Splits a text into tokens, an `end` last; ExpressionError at a character that begins none. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (text.slice(at).trim() !== '') {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) {
      const start = at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
      throw new ExpressionError(`unexpected character "${text[start] ?? ''}"`, start);
    }
    const [whole, number, name, symbol] = found;
    const kind = number !== undefined ? 'number' : name !== undefined ? 'name' : 'symbol';
    const word = number ?? name ?? symbol ?? '';
    tokens.push({ kind, text: word, at: at + whole.length - word.length });
    at += whole.length;
  }
  return [...tokens, { kind: 'end', text: '', at: text.length }];
}
