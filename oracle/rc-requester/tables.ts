import { migrationTables } from '../path-migration/tables.ts';
import type { MigrationTables } from '../path-migration/tables.ts';
import { MachineTable } from '../rulebook/machine-table.ts';
import type { Rule, RuleSet } from '../rules.ts';
import { requesterMachine } from './machine.ts';
import type { RequesterMachine } from './machine.ts';
import type { RcRequesterInputs, RcRequesterVariables } from './variables.ts';

type Table = MachineTable<RcRequesterVariables, RcRequesterInputs>;

/** The machine of the requester, and its tables by what they decide. */
export interface RequesterTables {
  machine: RequesterMachine;
  /** given: source */
  admission: Table;
  /** given: answer, gap, fit */
  response: Table;
  /** given: retryLeft, rnrLeft, retransmission */
  retry: Table;
  /** given: answer */
  progress: Table;
  timerStart: Table;
  timer: Table;
  rnrTimer: Table;
  /** given: retransmitCause */
  transmission: Table;
  request: Table;
  completion: Table;
  state: Table;
  standing: Table;
  asking: Table;
  /** of both roles */
  migration: MigrationTables;
  /** header validation of a request, as the responder of the QP has it; given: destination, source */
  requestAdmission: Table;
}

/** RangeError if the vocabulary lacks a table of the requester, or its machine a word. */
export function requesterTables(rules: RuleSet): RequesterTables {
  const machine = requesterMachine(rules);
  const of = (name: string, ...given: readonly string[]): Table =>
    new MachineTable(rules, machine, `rc-requester-${name}`, given);
  return {
    machine,
    admission: of('admission'),
    response: of('response', 'fit'),
    retry: of('retry', 'retryLeft', 'rnrLeft', 'retransmission'),
    progress: of('progress'),
    timerStart: of('timer-start'),
    timer: of('timer'),
    rnrTimer: of('rnr-timer'),
    transmission: of('transmission'),
    request: of('request'),
    completion: of('completion'),
    state: of('state'),
    standing: of('standing'),
    asking: of('asking'),
    migration: migrationTables(rules),
    requestAdmission: new MachineTable(rules, machine, 'rc-responder-admission'),
  };
}

/** The one rule that decides; RangeError where a table that should decide says nothing. */
export function onlyRule([rule]: readonly Rule[]): Rule {
  if (rule === undefined) throw new RangeError('no rule for a case that the rules call impossible');
  return rule;
}
