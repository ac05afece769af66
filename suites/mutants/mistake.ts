import type { Place } from '../../oracle/rules.ts';

/** One mistake in the files of mutants, for people, with its place. */
export interface MutantMistake extends Place {
  readonly message: string;
}

/** `spec/mutants/x.yaml:12:3: message` */
function format({ file, line, column, message }: MutantMistake): string {
  return `${file}:${line}:${column}: ${message}`;
}

/** Files of mutants have mistakes; the message has a heading and a line for each. */
export class MutantError extends Error {
  /** `file:line:column: message` each */
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly MutantMistake[]) {
    const lines = mistakes.map(format);
    const heading = `the mutants have ${lines.length} mistake${lines.length === 1 ? '' : 's'}`;
    super([heading, ...lines].join('\n'));
    this.name = 'MutantError';
    this.mistakes = lines;
  }
}
