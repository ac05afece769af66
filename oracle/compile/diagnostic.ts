import type { Place } from '../rules.ts';

/** What the compiler refuses, by kind; each has a test. */
export type DiagnosticCode =
  | 'yaml-syntax'
  | 'schema'
  | 'unknown-key'
  | 'unknown-fact'
  | 'unknown-fact-value'
  | 'fact-not-in-table'
  | 'unknown-outcome'
  | 'unknown-outcome-value'
  | 'outcome-not-in-table'
  | 'incomplete-outcome'
  | 'unknown-statement'
  | 'unknown-table'
  | 'unknown-capability'
  | 'duplicate-word'
  | 'unused-word'
  | 'no-meaning'
  | 'expression'
  | 'duplicate-rule'
  | 'duplicate-table'
  | 'duplicate-alternative'
  | 'missing-rules'
  | 'table-cycle'
  | 'table-too-large'
  | 'dead-rule'
  | 'contradiction'
  | 'redundant-rule'
  | 'undecided-cells'
  | 'redundant-impossible';

/** One mistake in the vocabulary or a rule file, for people: the message says what is wrong and, where it can, what to do. */
export interface Diagnostic extends Place {
  readonly code: DiagnosticCode;
  readonly message: string;
  /** other places that the message speaks of */
  readonly related?: readonly (Place & { readonly message: string })[];
}

function at({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}

/** Text of a file may hold anything, and a terminal obeys it: control characters but line ends are shown by their code. */
function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  return text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}

/** `spec/machines/x/y.yaml:12:5: message`, related places indented below. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  return [
    `${at(diagnostic)}: ${printable(diagnostic.message)} [${diagnostic.code}]`,
    ...(diagnostic.related ?? []).map((r) => `  ${at(r)}: ${printable(r.message)}`),
  ].join('\n');
}

/** By file, line, column: the order in which a person mends them. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted(
    (a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.line - b.line || a.column - b.column,
  );
}

/** The rule set does not compile; the message lists every mistake with its place. */
export class RuleError extends Error {
  readonly diagnostics: readonly Diagnostic[];
  constructor(diagnostics: readonly Diagnostic[]) {
    const n = diagnostics.length;
    super(
      `the rules do not compile: ${n} mistake${n === 1 ? '' : 's'}\n${diagnostics.map(formatDiagnostic).join('\n')}`,
    );
    this.name = 'RuleError';
    this.diagnostics = diagnostics;
  }
}
