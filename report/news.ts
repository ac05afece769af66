import { findingName, type RunResult } from './results.ts';
import type { Style } from './style.ts';
import { hanging } from './text.ts';

/** What a run with a list of known divergences shows that the list does not say. */
export interface News {
  /** findings that are not on the list, by rule, and signature where the rule has others */
  fresh: string[];
  /** rules on the list that were exercised and not broken */
  gone: string[];
  /** rules on the list that were broken, as expected */
  known: string[];
}

/** Undefined where the run had no list of known divergences, or none for its device. */
export function newsOf({ rules, failures, unexpectedPasses }: RunResult): News | undefined {
  const listed = rules.filter(({ known }) => known !== undefined);
  if (listed.length === 0 && unexpectedPasses.length === 0) return undefined;
  const broken = rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'deviation');
  return {
    fresh: broken
      .filter(({ known }) => known === undefined)
      .flatMap(({ id }) => {
        const own = failures.filter(({ rule }) => rule === id);
        return own.length < 2 ? [id] : own.filter(({ known }) => !known).map(findingName);
      }),
    gone: unexpectedPasses,
    known: broken.filter(({ known }) => known !== undefined).map(({ id }) => id),
  };
}

/** The news as the last lines of a report, where a terminal ends up. */
export function newsLines(result: RunResult, width: number, style: Style): string[] {
  const news = newsOf(result);
  if (news === undefined) return [];
  const { fresh, gone, known } = news;
  const block = (title: string, ids: readonly string[]): string[] => {
    const lines = [
      `${title} (${ids.length})`,
      ...(ids.length === 0 ? [] : hanging('  ', ids.join(', '), width)),
    ];
    return ids.length === 0 ? lines : lines.map((line) => style.bad(line));
  };
  return [
    ...block('New divergences', fresh),
    ...block('Gone: known divergences that did not show; take them off the list, or find out why', gone),
    `Known divergences that showed (${known.length})`,
    '',
  ];
}
