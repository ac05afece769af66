import { byteText } from '../../oracle/device/byte-text.ts';
import { encodeSyndrome, nakCodes } from '../../spec/constants.ts';
import { outcomeWord, outcomeWords } from '../../oracle/rulebook/outcome.ts';
import type { Outcome, Rule, RuleSet } from '../../oracle/rules.ts';

/**
 * What a requester was answered for one of its work requests to end with this status: words of the fact `answer`, or
 * `rnr-nak`. Known from the rules of the requester that fail a work request for one answer only.
 */
function answersFor(status: string, set: RuleSet): string[] {
  return set.rules.flatMap((rule) => {
    const [outcome, other] = rule.outcomes;
    if (outcome === undefined || other !== undefined) return [];
    if (!outcomeWords(outcome, 'failure').includes(status)) return [];
    const { answer, cause } = rule.when;
    if (cause !== undefined) return cause.every((word) => word === 'rnr-nak') ? cause : [];
    return answer ?? [];
  });
}

/** Answers on the wire by which effects of an RC work request come about; none for other services, or without an answer. */
export function answersOf(rule: Rule, outcome: Outcome, set: RuleSet): string[] {
  if (set.tables.get(rule.table)?.on['service'] !== 'RC') return [];
  return [...new Set(outcomeWords(outcome, 'requesterStatus').flatMap((status) => answersFor(status, set)))];
}

/** The answer in words. */
export function wireLine(rule: Rule, outcome: Outcome, set: RuleSet): string {
  const sound = outcomeWords(outcome, 'requesterStatus').includes('IBV_WC_SUCCESS');
  if (sound && set.tables.get(rule.table)?.on['service'] === 'RC')
    return outcomeWord(outcome, 'responderReport') === 'message'
      ? 'Acknowledge'
      : 'Acknowledge, READ response or ATOMIC Acknowledge';
  const names = answersOf(rule, outcome, set).map((word) => {
    const code = nakCodes.find(({ name }) => name === word);
    return code === undefined
      ? 'RNR NAK'
      : `NAK ${byteText(encodeSyndrome('nak', code.code))} (${code.title})`;
  });
  return names.length === 0 ? 'no answer' : names.join(' or ');
}
