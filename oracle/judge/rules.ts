import { attributeRules } from '../attributes/tables.ts';
import { congestionRules } from '../congestion/tables.ts';
import { endToEndRules } from '../end-to-end/tables.ts';
import { outOfOrderRules } from '../ooo/registers.ts';
import { retryLimits } from '../rc-requester/limits.ts';
import { reliableRules } from '../reliable/rules.ts';
import { routeRules } from '../route/machine.ts';
import type { RuleSet } from '../rules.ts';
import { unreliableRules } from '../unreliable/tables.ts';
import { userContextRules } from '../user-context/machine.ts';
import { verbsRules } from '../verbs/machine.ts';
import { shared } from './shared.ts';

const make = {
  attributes: shared(attributeRules),
  congestion: shared(congestionRules),
  endToEnd: shared(endToEndRules),
  limits: shared(retryLimits),
  outOfOrder: shared(outOfOrderRules),
  reliable: shared(reliableRules),
  route: shared(routeRules),
  unreliable: shared(unreliableRules),
  userContexts: shared(userContextRules),
  verbs: shared(verbsRules),
};

/** The tables that judging needs, compiled. */
export type JudgeRules = ReturnType<typeof parts>;

const compiled = new WeakMap<RuleSet, JudgeRules>();

/** RangeError if the vocabulary lacks what the oracle computes. */
export function compile(rules: RuleSet): JudgeRules {
  let found = compiled.get(rules);
  if (found === undefined) compiled.set(rules, (found = parts(rules)));
  return found;
}

function parts(rules: RuleSet) {
  return {
    attributes: make.attributes(rules),
    congestion: make.congestion(rules),
    endToEnd: make.endToEnd(rules),
    limits: make.limits(rules),
    outOfOrder: make.outOfOrder(rules),
    reliable: make.reliable(rules),
    route: make.route(rules),
    unreliable: make.unreliable(rules),
    userContexts: make.userContexts(rules),
    verbs: make.verbs(rules),
  };
}
