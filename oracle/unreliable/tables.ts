import { MachineBook } from '../rulebook/machine-book.ts';
import { machineOf } from '../rulebook/machine.ts';
import type { TypedMachine } from '../rulebook/machine.ts';
import { MachineTables } from '../rulebook/machine-tables.ts';
import type { RuleSet } from '../rules.ts';
import type { UnreliableService } from './qp.ts';
import type { UnreliableInputs, UnreliableStep, UnreliableValue, UnreliableVariables } from './variables.ts';

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
  'uc-ud-requester-outage',
] as const;
type Name = (typeof tableNames)[number];

export type UnreliableMachine = TypedMachine<
  UnreliableVariables,
  UnreliableInputs,
  UnreliableStep,
  UnreliableValue
>;
/** The machine of UC and UD QPs, and the tables that decide on them. */
export type UnreliableRules = MachineTables<Name, UnreliableVariables, UnreliableInputs>;
/** These rules as one QP is held against them. */
export type UnreliableBook = MachineBook<Name, UnreliableVariables, UnreliableInputs>;

/** RangeError if the rules lack the machine, a table or a value that the oracle computes. */
export function unreliableRules(rules: RuleSet): UnreliableRules {
  const machine: UnreliableMachine = machineOf(rules, 'unreliable');
  return new MachineTables(rules, machine, tableNames, '');
}

/** The table of a service that the other one has as well. */
export function tableOf<Part extends 'admission' | 'operation' | 'execute' | 'report'>(
  service: UnreliableService,
  part: Part,
): `${'uc' | 'ud'}-responder-${Part}` {
  return `${service === 'UC' ? 'uc' : 'ud'}-responder-${part}`;
}
