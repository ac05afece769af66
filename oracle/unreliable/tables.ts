import type { Ledger } from '../rulebook/ledger.ts';
import { MachineTable } from '../rulebook/machine-table.ts';
import { RuleBook, type RuleBookOf } from '../rulebook/rule-book.ts';
import { Tables } from '../rulebook/tables.ts';
import type { Rule, RuleSet } from '../rules.ts';
import { unreliableMachine, type UnreliableMachine } from './machine.ts';
import type { UnreliableInputs, UnreliableVariables } from './variables.ts';

const tableNames = [
  'uc-responder-admission',
  'ud-responder-admission',
  'uc-responder-sequence',
  'uc-responder-operation',
  'ud-responder-operation',
  'uc-responder-execute',
  'ud-responder-execute',
  'uc-responder-report',
  'ud-responder-report',
  'uc-responder-abandon',
  'uc-ud-responder-completion',
  'uc-ud-responder-memory',
  'uc-ud-responder-answer',
  'uc-ud-state',
  'uc-ud-requester-place',
  'uc-ud-requester-packet',
  'uc-ud-requester-completion',
  'uc-ud-requester-standing',
] as const;
type UnreliableTable = (typeof tableNames)[number];
type MachineTables = Readonly<Record<UnreliableTable, MachineTable<UnreliableVariables, UnreliableInputs>>>;

/** The machine of UC and UD QPs, and the tables that decide on them. */
export interface UnreliableRules {
  readonly machine: UnreliableMachine;
  readonly tables: Tables<UnreliableTable>;
  readonly byState: MachineTables;
}

export type UnreliableService = 'UC' | 'UD';

/** RangeError if the rules lack the machine, a table or a value that the oracle computes. */
export function unreliableRules(rules: RuleSet): UnreliableRules {
  const machine = unreliableMachine(rules);
  const byState = tableNames.map((name) => [name, new MachineTable(rules, machine, name)] as const);
  return {
    machine,
    tables: new Tables(rules, tableNames),
    byState: Object.fromEntries(byState) as MachineTables,
  };
}

/** The rules as one QP is held against them; what they ask is read from its state, or given by name. */
export class UnreliableBook extends RuleBook<UnreliableTable> {
  readonly machine: UnreliableMachine;
  readonly #byState: MachineTables;

  constructor({ machine, tables, byState }: UnreliableRules, ledger: Ledger, of?: RuleBookOf) {
    super(tables, ledger, of);
    this.machine = machine;
    this.#byState = byState;
  }

  /** The rules that a table has in this state; not counted. `given`: facts that are built in. */
  at(
    table: UnreliableTable,
    inputs: Partial<UnreliableInputs>,
    variables: UnreliableVariables,
    given?: Readonly<Record<string, string>>,
  ): readonly Rule[] {
    return this.#byState[table].at(inputs, variables, given);
  }

  /** The one of them that decides; RangeError where there is none. */
  oneAt(...asked: Parameters<UnreliableBook['at']>): Rule {
    const [rule] = this.at(...asked);
    if (rule === undefined)
      throw new RangeError(`table ${asked[0]} has no rule for a cell that its rules call impossible`);
    return rule;
  }

  /** The first of the rules whose demand is not met. */
  broken(
    rules: readonly Rule[],
    key: string,
    inputs: Partial<UnreliableInputs>,
    variables: UnreliableVariables,
  ): Rule | undefined {
    const holds = this.machine.holds(key);
    return rules.find(({ outcomes: [outcome = {}] }) => holds(outcome, inputs, variables) === false);
  }
}

const prefixes = { UC: 'uc', UD: 'ud' } as const;

/** The table of a service that the other one has as well. */
export function tableOf<Name extends 'admission' | 'operation' | 'execute' | 'report'>(
  service: UnreliableService,
  name: Name,
): `${(typeof prefixes)[UnreliableService]}-responder-${Name}` {
  return `${prefixes[service]}-responder-${name}`;
}
