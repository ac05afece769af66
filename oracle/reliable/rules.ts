import { createDecider } from '../rc-responder/decide.ts';
import { createReplyDemands } from '../rc-responder/demands.ts';
import { createEffects } from '../rc-responder/effects.ts';
import { createReports } from '../rc-responder/reports.ts';
import { responderMachine } from '../rc-responder/machine.ts';
import type { ResponderRules } from '../rc-responder/rules.ts';
import { requesterTables } from '../rc-requester/tables.ts';
import type { RequesterTables } from '../rc-requester/tables.ts';
import { lookupOf } from '../rulebook/lookup.ts';
import type { Lookup } from '../rulebook/lookup.ts';
import type { RuleSet } from '../rules.ts';
import { frameRules } from './frames.ts';
import type { FrameRules } from './frames.ts';

/** The tables of RC QPs, of both roles. */
export interface ReliableRules extends ResponderRules, FrameRules {
  state: Lookup;
  bytes: Lookup;
  requester: RequesterTables;
}

/** RangeError if the vocabulary lacks what the oracle computes. */
export function reliableRules(rules: RuleSet): ReliableRules {
  return {
    machine: responderMachine(rules),
    decider: createDecider(rules),
    effects: createEffects(rules),
    demands: createReplyDemands(rules),
    reports: createReports(rules),
    ...frameRules(rules),
    state: lookupOf(rules, 'rc-responder-state'),
    bytes: lookupOf(rules, 'rc-responder-memory'),
    requester: requesterTables(rules),
  };
}
