import type { Rule } from '../rules.ts';
import { outcomeWord } from './outcome.ts';

/** One choice that a device was seen to make, newest first. Shared between the states that agree on it. */
export interface ChoiceNode {
  rule: Rule;
  what: string;
  previous: ChoiceNode | undefined;
}

const known = new WeakMap<Rule, boolean>();

/** Whether the rule leaves the device a choice that shows: several outcomes, a reply that may come or not, a MAY. */
export function leavesChoice(rule: Rule): boolean {
  let answer = known.get(rule);
  if (answer === undefined) {
    const says = (key: string, value?: string): boolean =>
      rule.outcomes.some((outcome) => {
        const word = outcomeWord(outcome, key);
        return value === undefined ? word !== undefined : word === value;
      });
    const shows = says('reply') || says('report') || says('result');
    const open = says('due', 'optional') || says('report', 'either') || says('result', 'either');
    answer = shows && (rule.outcomes.length > 1 || open || rule.level === 'may');
    known.set(rule, answer);
  }
  return answer;
}

/** What a device did where it did not do what `ChoiceNode.what` names. */
export function otherwise(rule: Rule): string {
  const silent = rule.outcomes.some(
    (outcome) => outcomeWord(outcome, 'due') === 'optional' || outcomeWord(outcome, 'reply') === 'none',
  );
  return silent ? 'no response' : 'otherwise';
}
