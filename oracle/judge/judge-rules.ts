import { createDecider } from '../model/decide.ts';
import { lookupOf } from '../model/report-facts.ts';
import type { Lookup } from '../model/report-facts.ts';
import { createReplyDemands } from '../model/responder-demands.ts';
import { createEffects } from '../model/responder-effects.ts';
import { createReports } from '../model/responder-reports.ts';
import { requesterTables } from '../model/requester.ts';
import type { RequesterTables } from '../model/requester.ts';
import { outOfOrderTables } from '../model/out-of-order-tables.ts';
import type { OutOfOrderTables } from '../model/out-of-order-tables.ts';
import { unreliableTables } from '../model/unreliable-tables.ts';
import type { UnreliableTables } from '../model/unreliable-tables.ts';
import type { RuleSet } from '../rules.ts';
import { congestionRules, type CongestionRules } from './congestion-desk.ts';
import { effectsRules, type EffectsRules } from './effects.ts';
import { frameRules } from './frames.ts';
import type { FrameRules } from './frames.ts';
import { parameterRules, type ParameterRules } from './parameters.ts';
import type { ResponderRules } from './responder-rules.ts';
import { survivalRules } from './survival.ts';
import { verbsRules, type VerbsRules } from './verbs-desk.ts';

/** The tables that judging needs, compiled. */
export type JudgeRules = ResponderRules &
  FrameRules & {
    state: Lookup;
    bytes: Lookup;
    congestion: CongestionRules;
    parameters: ParameterRules;
    requester: RequesterTables;
    unseen: EffectsRules;
    outOfOrder: OutOfOrderTables;
    unreliable: UnreliableTables;
    verbs: VerbsRules;
    survival: Lookup;
  };

const compiled = new WeakMap<RuleSet, JudgeRules>();

/** RangeError if the vocabulary lacks what the oracle computes. */
export function compile(rules: RuleSet): JudgeRules {
  let parts = compiled.get(rules);
  if (parts === undefined) {
    parts = {
      decider: createDecider(rules),
      effects: createEffects(rules),
      ...frameRules(rules),
      demands: createReplyDemands(rules),
      reports: createReports(rules),
      state: lookupOf(rules, 'rc-responder-state'),
      bytes: lookupOf(rules, 'rc-responder-memory'),
      congestion: congestionRules(rules),
      requester: requesterTables(rules),
      parameters: parameterRules(rules),
      unseen: effectsRules(rules),
      outOfOrder: outOfOrderTables(rules),
      unreliable: unreliableTables(rules),
      verbs: verbsRules(rules),
      survival: survivalRules(rules),
    };
    compiled.set(rules, parts);
  }
  return parts;
}
