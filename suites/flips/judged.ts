import { Judge, judgeTrace, type Judgement, type RuleSet } from '../../oracle/index.ts';
import { messageOf } from '../corpus/drive.ts';
import { same } from '../corpus/same.ts';
import type { RecordedTrace } from '../corpus/views/index.ts';

/** What came of judging a trace, or why the oracle refused it. */
export type Judged = Judgement | { thrown: string };

/** By what two judgements of a trace differ. */
export type Difference = 'refusal' | 'violations' | 'doubts' | 'choices' | 'counts';

export function judge({ header, events }: RecordedTrace, rules: RuleSet): Judged {
  try {
    return judgeTrace(header, events, rules);
  } catch (error) {
    return { thrown: messageOf(error) };
  }
}

/** In what two judgements of one trace differ first; undefined where they do not. */
function difference(before: Judgement, after: Judgement): Difference | undefined {
  if (!same(before.violations, after.violations)) return 'violations';
  if (!same(before.inconclusive, after.inconclusive) || !same(before.notJudged, after.notJudged))
    return 'doubts';
  if (!same(before.observed, after.observed)) return 'choices';
  return same(before.exercised, after.exercised) ? undefined : 'counts';
}

/**
 * By what other rules judge a trace differently than `before`; undefined where they do not. Judges no further than to the first
 * violation of another rule.
 */
export function noticed(
  before: Judged,
  { header, events }: RecordedTrace,
  rules: RuleSet,
): Difference | undefined {
  try {
    if ('thrown' in before) {
      judgeTrace(header, events, rules);
      return 'refusal';
    }
    const judgement = new Judge(header, rules);
    let equal = 0;
    for (const event of events) {
      judgement.push(event);
      for (const { violations } = judgement; equal < violations.length; equal++)
        if (before.violations[equal]?.rule !== violations[equal]?.rule) return 'violations';
    }
    return difference(before, judgement.finish());
  } catch (error) {
    return 'thrown' in before && before.thrown === messageOf(error) ? undefined : 'refusal';
  }
}
