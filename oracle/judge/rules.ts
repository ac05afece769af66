import { parameterRules, type ParameterRules } from '../attributes/judge.ts';
import { congestionRules, type CongestionRules } from '../congestion/tables.ts';
import { effectsRules, type EffectsRules } from '../end-to-end/judge.ts';
import { outOfOrderTables } from '../ooo/tables.ts';
import type { OutOfOrderTables } from '../ooo/tables.ts';
import { reliableRules, type ReliableRules } from '../reliable/rules.ts';
import type { Lookup } from '../rulebook/lookup.ts';
import type { RuleSet } from '../rules.ts';
import { unreliableTables } from '../unreliable/tables.ts';
import type { UnreliableTables } from '../unreliable/tables.ts';
import { verbsRules, type VerbsRules } from '../verbs/context.ts';
import { survivalRules } from './survival.ts';

/** The tables that judging needs, compiled. */
export interface JudgeRules {
  congestion: CongestionRules;
  parameters: ParameterRules;
  reliable: ReliableRules;
  unseen: EffectsRules;
  outOfOrder: OutOfOrderTables;
  unreliable: UnreliableTables;
  verbs: VerbsRules;
  survival: Lookup;
}

const compiled = new WeakMap<RuleSet, JudgeRules>();

/** RangeError if the vocabulary lacks what the oracle computes. */
export function compile(rules: RuleSet): JudgeRules {
  let parts = compiled.get(rules);
  if (parts === undefined) {
    parts = {
      congestion: congestionRules(rules),
      parameters: parameterRules(rules),
      reliable: reliableRules(rules),
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
