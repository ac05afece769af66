import { judgeTrace, type Judgement, type RuleSet } from '../../oracle/index.ts';
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
export function difference(before: Judged, after: Judged): Difference | undefined {
  if ('thrown' in before || 'thrown' in after) return same(before, after) ? undefined : 'refusal';
  if (!same(before.violations, after.violations)) return 'violations';
  if (!same(before.inconclusive, after.inconclusive) || !same(before.notJudged, after.notJudged))
    return 'doubts';
  if (!same(before.observed, after.observed)) return 'choices';
  return same(before.exercised, after.exercised) ? undefined : 'counts';
}
