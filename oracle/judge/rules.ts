import { createDecider } from '../rc-responder/decide.ts';
import { lookupOf } from '../rulebook/lookup.ts';
import type { Lookup } from '../rulebook/lookup.ts';
import { createReplyDemands } from '../rc-responder/demands.ts';
import { createEffects } from '../rc-responder/effects.ts';
import { createReports } from '../rc-responder/reports.ts';
import { requesterTables } from '../rc-requester/requester.ts';
import type { RequesterTables } from '../rc-requester/requester.ts';
import { outOfOrderTables } from '../ooo/tables.ts';
import type { OutOfOrderTables } from '../ooo/tables.ts';
import { unreliableTables } from '../unreliable/tables.ts';
import type { UnreliableTables } from '../unreliable/tables.ts';
import type { RuleSet } from '../rules.ts';
import { congestionRules, type CongestionRules } from '../congestion/context.ts';
import { effectsRules, type EffectsRules } from '../end-to-end/judge.ts';
import { frameRules } from './frames.ts';
import type { FrameRules } from './frames.ts';
import { parameterRules, type ParameterRules } from '../attributes/judge.ts';
import type { ResponderRules } from '../rc-responder/rules.ts';
import { survivalRules } from './survival.ts';
import { verbsRules, type VerbsRules } from '../verbs/context.ts';

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
