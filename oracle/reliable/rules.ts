import { deviceRules } from '../device/machine.ts';
import type { DeviceRules } from '../device/machine.ts';
import { createDecider } from '../rc-responder/decide.ts';
import { createReplyDemands } from '../rc-responder/responses/demands.ts';
import { createEffects } from '../rc-responder/effects.ts';
import { createReports } from '../rc-responder/software/reports.ts';
import { responderMachine } from '../rc-responder/machine.ts';
import type { ResponderRules } from '../rc-responder/rules.ts';
import { requesterTables } from '../rc-requester/tables.ts';
import type { RequesterTables } from '../rc-requester/tables.ts';
import { outageRules } from '../outage/machine.ts';
import type { OutageRules } from '../outage/machine.ts';
import { capturedRules } from '../capture/connection-rules.ts';
import type { CapturedRules } from '../capture/connection-rules.ts';
import type { RuleBook } from '../rulebook/rule-book.ts';
import { Tables } from '../rulebook/tables.ts';
import type { RuleSet } from '../rules.ts';

const tableNames = ['rc-responder-state', 'rc-responder-memory'] as const;
type ReliableTable = (typeof tableNames)[number];

/** What is read back. */
export type ReliableBook = RuleBook<ReliableTable>;

/** The tables of RC QPs, of both roles. */
export interface ReliableRules extends ResponderRules {
  tables: Tables<ReliableTable>;
  device: DeviceRules;
  requester: RequesterTables;
  captured: CapturedRules;
  outage: OutageRules;
}

/** RangeError if the vocabulary lacks what the oracle computes. */
export function reliableRules(rules: RuleSet): ReliableRules {
  const requester = requesterTables(rules);
  return {
    machine: responderMachine(rules),
    decider: createDecider(rules),
    effects: createEffects(rules),
    demands: createReplyDemands(rules),
    reports: createReports(rules),
    tables: new Tables(rules, tableNames),
    device: deviceRules(rules),
    requester,
    captured: capturedRules(rules, requester),
    outage: outageRules(rules),
  };
}
