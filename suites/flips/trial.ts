import type { Violation } from '../../oracle/index.ts';
import { same } from '../corpus/same.ts';
import { judge, type Evidence, type Judged } from './evidence.ts';
import type { AnyFlip } from './flip.ts';

/** By what a flip was noticed. */
export type Notice = 'compiler' | 'refusal' | 'violations' | 'doubts' | 'choices' | 'counts';

export interface Trial {
  readonly notice?: Notice;
  /** the trace that showed it */
  readonly by?: string;
  /** traces that were judged */
  readonly tried: number;
}

function said({ violations }: { violations: readonly Violation[] }): unknown {
  return violations;
}

/** In what two judgements of one trace differ first; undefined where they do not. */
export function difference(before: Judged, after: Judged): Notice | undefined {
  if ('thrown' in before || 'thrown' in after) return same(before, after) ? undefined : 'refusal';
  if (!same(said(before), said(after))) return 'violations';
  if (!same(before.inconclusive, after.inconclusive) || !same(before.notJudged, after.notJudged))
    return 'doubts';
  if (!same(before.observed, after.observed)) return 'choices';
  return same(before.exercised, after.exercised) ? undefined : 'counts';
}

/** Traces after which a flip counts as unnoticed. */
const enough = 50;

/** Judges traces that may show the flip, until one does. */
export function tryFlip(flip: AnyFlip, evidence: Evidence, most = enough): Trial {
  const rules = flip.rules();
  if (rules === undefined) return { notice: 'compiler', tried: 0 };
  let tried = 0;
  for (const { name, view, trace, judged } of evidence.traces(flip.marks)) {
    if (tried === most) break;
    tried++;
    const notice = difference(judged, judge(trace, rules));
    if (notice !== undefined) return { notice, by: view === undefined ? name : `${name}, ${view}`, tried };
  }
  return { tried };
}
