import { ruleWord } from '../rulebook/outcome.ts';
import type { CongestionProfile } from '../../spec/congestion.ts';
import type { Qp } from '../device/qp.ts';
import type { Stalls } from '../device/stalls.ts';
import type { Rule } from '../rules.ts';
import type { TraceHeader } from '../trace.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { Spot } from '../spot.ts';
import { declaredInputs, newRegisters } from './machine.ts';
import type { CongestionMachine, Declared } from './machine.ts';
import type { CongestionRules, GivenFacts, TableName } from './tables.ts';
import type { CongestionInputs, CongestionVariables } from './variables.ts';

/** The rate of a QP keeps it from sending until then; times in nanoseconds of the trace. */
export type Hold = (qp: Qp, from: number, until: number) => void;

export type Inputs = Partial<CongestionInputs>;

/** What the parts of the judge of congestion control share: machine and tables, what the device declares, the clock, the ledger. */
export class CongestionContext {
  readonly header: TraceHeader;
  readonly ledger: Ledger;
  readonly stalls: Stalls;
  readonly profile: CongestionProfile | undefined;
  readonly machine: CongestionMachine;
  readonly declared: Declared;
  /** Nanoseconds by which what waits for nothing may be late; infinite where times are not known well enough. */
  readonly slack: number;
  /** Nanoseconds by which a gap may look shorter than it was. */
  readonly jitter: number;
  /** Bits that have left the port of the device. */
  sentBits = 0;
  readonly #tables: CongestionRules['tables'];
  readonly #capabilities: ReadonlySet<string>;
  #none: CongestionVariables | undefined;

  constructor({ machine, tables }: CongestionRules, ledger: Ledger, header: TraceHeader, stalls: Stalls) {
    this.machine = machine;
    this.#tables = tables;
    this.ledger = ledger;
    this.header = header;
    this.stalls = stalls;
    this.profile = header.congestion;
    this.declared = declaredInputs(header.congestion);
    const infinite = Number.POSITIVE_INFINITY;
    this.slack = header.timing?.responseTime ?? infinite;
    this.jitter = header.timing?.jitter ?? (header.clock === 'virtual' ? 0 : infinite);
    this.#capabilities = new Set(header.capabilities);
  }

  /** Registers where nothing is kept: of the switch, and of single packets. */
  get none(): CongestionVariables {
    return (this.#none ??= this.registers());
  }

  has(capability: 'rcm' | 'dcqcn' | 'rate-reports'): boolean {
    return this.#capabilities.has(capability);
  }

  registers(): CongestionVariables {
    return newRegisters(this.machine, this.declared);
  }

  /** Nanoseconds for which the device has been waited for, stalls left out. */
  waited(from: number, to: number): number {
    return to - from - this.stalls.between(from, to);
  }

  /** The rules that a table has for these inputs and registers, or for facts that are given; they count as exercised. */
  decide(table: TableName, inputs: Inputs, registers = this.none, given?: GivenFacts): readonly Rule[] {
    const rules = this.ask(table, inputs, registers, given);
    this.ledger.exercise(rules);
    return rules;
  }

  /** The device left undone what these facts would have forbidden: the rules that forbid it count as exercised. */
  refrained(table: TableName, inputs: Inputs, registers: CongestionVariables, given: GivenFacts): void {
    const rules = this.ask(table, inputs, registers, given);
    this.ledger.exercise(rules.filter((rule) => ruleWord(rule, 'comes') === 'forbidden'));
  }

  /** The same as decide(), not counted. */
  ask(table: TableName, inputs: Inputs, registers = this.none, given?: GivenFacts): readonly Rule[] {
    return this.#tables[table].decide(inputs, registers, given);
  }

  /** What a fact of a table is. */
  fact(table: TableName, name: string, inputs: Inputs, registers: CongestionVariables): string {
    return this.#tables[table].value(name, inputs, registers);
  }

  /** The one rule that decides. */
  rule(table: TableName, inputs: Inputs, registers = this.none, given?: GivenFacts): Rule {
    const [rule] = this.decide(table, inputs, registers, given);
    if (rule === undefined) throw new RangeError(`table cc-${table} has no rule for a possible cell`);
    return rule;
  }

  /** Whether what was seen is otherwise than the rule demands by one of its words. */
  breaks(rule: Rule, key: string, inputs: Inputs, registers = this.none): boolean {
    return this.machine.holds(key)(rule.outcomes[0] ?? {}, inputs, registers) === false;
  }

  violate(rule: Rule, { event, t, qp }: Spot, expected: string, observed: string): void {
    this.ledger.violate({ rule: rule.id, event, t, qp, expected, observed });
  }
}
