import type { Rule } from '../rules.ts';
import type { Spot } from '../spot.ts';
import type { Ledger } from './ledger.ts';
import type { MachineTables, Met, Question } from './machine-tables.ts';
import { ruleWord } from './outcome.ts';
import { RuleBook } from './rule-book.ts';
import type { RuleBookOf } from './rule-book.ts';

const none: readonly Rule[] = [];

/** How a call of software ended; `errno`: it failed with it. */
export interface Ended {
  readonly call: string;
  readonly at: Spot;
  readonly errno: number | undefined;
}

/** The rules of a machine whose facts and demands the YAML declares, as a trace is held against them. */
export class MachineBook<
  Name extends string,
  Variables extends object,
  Inputs extends object,
> extends RuleBook<Name, Question<Variables, Inputs>> {
  readonly tables: MachineTables<Name, Variables, Inputs>;

  constructor(tables: MachineTables<Name, Variables, Inputs>, ledger: Ledger, of: RuleBookOf = {}) {
    super(tables, ledger, of);
    this.tables = tables;
  }

  /** Of the rules that decide, which count as exercised, those that demand of `key` what was not seen. */
  broken(table: Name, key: string, met: Met<Variables, Inputs>): readonly Rule[] {
    return this.unmet(this.decide(table, met), key, met);
  }

  /** Of these rules, those that demand of `key` what was not seen. */
  unmet(rules: readonly Rule[], key: string, { inputs, variables }: Met<Variables, Inputs>): readonly Rule[] {
    const holds = this.tables.machine.holds(key);
    let found: Rule[] | undefined;
    for (const rule of rules) {
      const [outcome] = rule.outcomes;
      if (outcome !== undefined && holds(outcome, inputs, variables) === false) (found ??= []).push(rule);
    }
    return found ?? none;
  }

  /** A call ended as a rule has it (`result`), or not. */
  ended(rules: readonly Rule[], met: Met<Variables, Inputs>, { call, at, errno }: Ended): void {
    const failed = errno === undefined ? undefined : `it fails with errno ${errno}`;
    for (const rule of rules)
      if (ruleWord(rule, 'result') === 'either')
        this.choice(rule, failed === undefined ? 'accepted' : 'refused');
    for (const rule of this.unmet(rules, 'result', met))
      this.violate(
        rule,
        at,
        `${call} ${failed === undefined ? 'fails' : 'succeeds'}`,
        failed ?? 'it succeeds',
      );
  }

  /** An asynchronous event came (`mustRaise`). */
  came(table: Name, met: Met<Variables, Inputs>, at: Spot, expected: string, observed: string): void {
    for (const rule of this.broken(table, 'mustRaise', met)) this.violate(rule, at, expected, observed);
  }

  /** Whether an asynchronous event has not come that is due. */
  missed(table: Name, met: Met<Variables, Inputs>, at: Spot, type: string): boolean {
    const broken = this.broken(table, 'mustRaise', met);
    for (const rule of broken) this.violate(rule, at, type, 'no event');
    return broken.length > 0;
  }
}
