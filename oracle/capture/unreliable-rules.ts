import type { Family } from '../device/packet/opcode-shape.ts';
import { lookupOf } from '../rulebook/lookup.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import type { Rule, RuleSet } from '../rules.ts';

/** What a capture can hold a packet of UC or UD against; keys of the outcomes of table uc-ud-requester-packet. */
export type UnreliableDemand = 'mustHeader' | 'mustOpcode' | 'mustSegment' | 'mustTarget' | 'mustDeth';

/** Rules of UC and UD senders for what a capture shows of them. */
export interface CapturedUnreliableRules {
  /** the rule that makes the demand on such a packet; `undefined` where none does */
  demand(key: UnreliableDemand, ofService: 'UC' | 'UD', requestKind: Family): Rule | undefined;
  /** each packet has a PSN of its own */
  readonly order: Rule | undefined;
  /** no packet is sent again */
  readonly once: Rule | undefined;
}

/** RangeError where the rules lack a table. */
export function capturedUnreliableRules(rules: RuleSet): CapturedUnreliableRules {
  const packet = lookupOf(rules, 'uc-ud-requester-packet');
  const place = lookupOf(rules, 'uc-ud-requester-place');
  const found = new Map<string, Rule | undefined>();
  return {
    demand: (key, ofService, requestKind) => {
      const name = `${key} ${ofService} ${requestKind}`;
      if (!found.has(name))
        found.set(
          name,
          packet({ ofService, requestKind, otherPath: 'given' }).find(
            (rule) => ruleWord(rule, key) !== undefined,
          ),
        );
      return found.get(name);
    },
    order: place({ workPlace: 'next' })[0],
    once: place({ workPlace: 'repeated' })[0],
  };
}
