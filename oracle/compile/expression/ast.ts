/** What an expression of a machine is: a tree, each node with the offset of its first character in the text. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number; readonly unit?: string; readonly at: number }
  /** a variable, value or timer of the machine, an input such as `packet.psn`, a word of an enumeration, or `unknown` */
  | { readonly kind: 'name'; readonly name: string; readonly at: number }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly of: Expression; readonly at: number }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly at: number;
    }
  | {
      readonly kind: 'choice';
      readonly condition: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
      readonly at: number;
    }
  /** `NAME early`, where NAME is a timer */
  | { readonly kind: 'phase'; readonly timer: string; readonly phase: TimerPhase; readonly at: number };

export type UnaryOperator = '-' | 'not' | 'known' | 'round' | 'ceil';
export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '^'
  | 'min'
  | 'max'
  /** see packets-of.ts */
  | 'packetsOf'
  | '='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'behind'
  | 'ahead'
  | 'and'
  | 'or';

/**
 * Of a timer: `stopped`; `early`, before the least of its interval; `overdue`, later than the most of it, what the device and
 * the host may take besides allowed for; `due` between the two.
 */
export const timerPhases = ['stopped', 'early', 'due', 'overdue'] as const;
export type TimerPhase = (typeof timerPhases)[number];

/** A change of state. */
export type Statement =
  | {
      readonly kind: 'assign';
      readonly variable: string;
      readonly value: Expression;
      /** the device may have changed it or not */
      readonly may: boolean;
      readonly at: number;
    }
  | {
      readonly kind: 'timer';
      /** `expire`: it has run out, and counts anew */
      readonly action: 'start' | 'stop' | 'expire';
      readonly timer: string;
      readonly at: number;
    }
  /** every variable has its start value again, but for some */
  | { readonly kind: 'reset'; readonly but: readonly string[]; readonly at: number };

/** A text that is no expression or statement; `at` is the offset in it. */
export class ExpressionError extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.name = 'ExpressionError';
    this.at = at;
  }
}
