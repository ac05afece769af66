import { machineOf } from '../rulebook/machine.ts';
import type { TypedMachine } from '../rulebook/machine.ts';
import type { RuleBook } from '../rulebook/rule-book.ts';
import { Tables } from '../rulebook/tables.ts';
import type { Facts } from '../rulebook/tables.ts';
import type { RuleSet } from '../rules.ts';
import { OooVariables } from './variables.ts';
import type { OooInputs, OooStep, OooValue } from './variables.ts';

const tableNames = [
  'responder-admission',
  'responder-arrival',
  'responder-duplicate',
  'responder-match',
  'responder-check',
  'responder-place',
  'responder-turn',
  'responder-acknowledge',
  'responder-answer',
  'responder-response',
  'responder-completion',
  'memory',
  'requester-place',
  'requester-window',
  'requester-packet',
  'requester-fence',
  'requester-timer',
  'requester-completion',
  'requester-failure',
  'requester-standing',
] as const;
type OooTable = (typeof tableNames)[number];
type OooMachine = TypedMachine<OooVariables, OooInputs, OooStep, OooValue>;

/** The machine of out-of-order QPs and its tables `ooo-...`, by the rest of their names. */
export interface OooRules {
  readonly machine: OooMachine;
  readonly tables: Tables<OooTable>;
  /** facts of each table that the machine gives a meaning */
  readonly meant: ReadonlyMap<OooTable, readonly string[]>;
}

/** The tables as one QP is held against them. */
export type OooBook = RuleBook<OooTable>;
/** What is known of an event. */
export type OooEvent = Partial<OooInputs>;

/** RangeError if the rules lack the machine, a table, or a value that the oracle computes. */
export function outOfOrderRules(rules: RuleSet): OooRules {
  const machine: OooMachine = machineOf(rules, 'ooo');
  const meant = (name: OooTable): string[] =>
    (rules.tables.get(`ooo-${name}`)?.facts ?? [])
      .map((fact) => fact.name)
      .filter((fact) => machine.machine.facts.has(fact));
  return {
    machine,
    tables: new Tables(rules, tableNames, 'ooo-'),
    meant: new Map(tableNames.map((name) => [name, meant(name)])),
  };
}

/** Registers of one role of an out-of-order QP. */
export class OooRegisters extends OooVariables {
  readonly #rules: OooRules;

  constructor(rules: OooRules) {
    super();
    this.#rules = rules;
    rules.machine.start({}, this);
  }

  do(step: OooStep, event: OooEvent): void {
    this.#rules.machine.step(step)(event, this);
  }

  is(value: OooValue, event: OooEvent): boolean {
    return this.#rules.machine.flag(value)(event, this);
  }

  number(value: OooValue, event: OooEvent): number {
    return this.#rules.machine.number(value)(event, this);
  }

  fact(name: string, event: OooEvent): string {
    return this.#rules.machine.fact(name)(event, this);
  }

  /** The facts of a table; `given`: those that are built in. */
  facts(table: OooTable, event: OooEvent, given: Facts = {}): Facts {
    const facts = Object.fromEntries(
      (this.#rules.meant.get(table) ?? [])
        .filter((name) => given[name] === undefined)
        .map((name) => [name, this.fact(name, event)]),
    );
    return { ...facts, ...given };
  }

  /** What an outcome changes. */
  apply(outcome: string, of: Parameters<OooMachine['apply']>[0]): void {
    this.#rules.machine.effect(outcome)(of, {}, this);
  }

  /** Whether what an outcome demands is met; undefined where the machine does not say what it demands. */
  holds(outcome: string, of: Parameters<OooMachine['apply']>[0], event: OooEvent): boolean | undefined {
    const { machine } = this.#rules;
    return outcome in machine.machine.draft.demands ? machine.holds(outcome)(of, event, this) : undefined;
  }
}
