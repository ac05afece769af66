import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import type { Rule } from '../../rules.ts';
import type { ResponderState } from '../state.ts';
import type { RuleAttribution } from './attribution.ts';
import { expectation } from './expectation.ts';
import { matchReply } from './match.ts';

/** Expectations that a violation names at most. */
const mostNamed = 3;

/**
 * The rule that a response which no way explains breaks most likely, and what would have been right in its place. `ways`: the states that the
 * responder may have been in when it answered, the likeliest first.
 * `lossy`: it is a capture, which may lack some of what was sent.
 */
export function brokenBy(
  seen: ObservedReply,
  ways: readonly ResponderState[],
  attribution: RuleAttribution,
  lossy: boolean,
): { rule: Rule | undefined; expected: string } {
  const attributed = ways
    .flatMap((state) => {
      const match = matchReply(state, seen, lossy);
      return match.kind === 'match' ? [] : [attribution.violatedRule(seen, match, state.replies.list())];
    })
    // a NAK in place of a NAK is that one gone wrong, in whichever way that one is due
    .toSorted((a, b) => Number(b.meant) - Number(a.meant));
  return { rule: attributed[0]?.rule, expected: anyOf(attributed.map(({ item }) => expectation(item))) };
}

/** "Acknowledge of PSN 1 or 2, or NAK Remote access error with PSN 1" */
function anyOf(expected: readonly string[]): string {
  const numbers = new Map<string, string[]>();
  for (const text of new Set(expected)) {
    const [, words = text, number] = /^(.* PSN) (\d+)$/.exec(text) ?? [];
    const known = numbers.get(words) ?? [];
    numbers.set(words, number === undefined ? known : [...known, number]);
  }
  return [...numbers]
    .slice(0, mostNamed)
    .map(([words, all]) => `${words} ${all.join(' or ')}`.trim())
    .join(', or ');
}
