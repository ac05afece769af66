import type { PlacedReply, PlacedWork } from '../../ooo/packet.ts';
import { lookupOf } from '../../rulebook/lookup.ts';
import { ruleWord } from '../../rulebook/outcome.ts';
import type { Rule, RuleSet } from '../../rules.ts';

/** What a capture can hold a request of an out-of-order QP against; keys of the outcomes of table ooo-requester-packet. */
export type PlacedDemand =
  | 'mustHeader'
  | 'mustOpcode'
  | 'mustSegment'
  | 'mustReceiveNumber'
  | 'mustReadNumber'
  | 'mustOffset'
  | 'mustRange'
  | 'mustImmData'
  | 'mustInvalidate';

/** The same of a response; keys of the outcomes of table ooo-responder-response. */
export type PlacedAnswerDemand = 'mustHeader' | 'mustAnswer' | 'mustTrigger' | 'mustCount' | 'mustFragment';

/** Rules of out-of-order QPs for what a capture shows of them. */
export interface CapturedPlacedRules {
  /** the rule that makes the demand on such a request; `undefined` where none does */
  request(key: PlacedDemand, operation: PlacedWork, ends: 'last' | 'more'): Rule | undefined;
  response(key: PlacedAnswerDemand, placedReply: PlacedReply): Rule | undefined;
}

/** RangeError where the rules lack a table. */
export function capturedPlacedRules(rules: RuleSet): CapturedPlacedRules {
  const requests = lookupOf(rules, 'ooo-requester-packet');
  const responses = lookupOf(rules, 'ooo-responder-response');
  const demanding = (rules: readonly Rule[], key: string): Rule | undefined =>
    rules.find((rule) => ruleWord(rule, key) !== undefined);
  return {
    request: (key, operation, ends) => demanding(requests({ operation, ends }), key),
    response: (key, placedReply) => demanding(responses({ placedReply }), key),
  };
}
