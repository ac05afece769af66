import { findingName, type RunResult } from './results.ts';
import type { Style } from './style.ts';
import { count, hanging } from './text.ts';

/** What a run with a list of known divergences shows that the list does not say. */
export interface News {
  /** findings that are not on the list, by rule, and signature where the rule has others */
  fresh: string[];
  /** rules on the list that were exercised and not broken */
  gone: string[];
  /** findings that are on the list, named alike */
  known: string[];
}

/** Undefined where the run had no list of known divergences, or none for its device. */
export function newsOf({ rules, failures, unexpectedPasses }: RunResult): News | undefined {
  const broken = rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'deviation');
  const listed = rules.some(({ known }) => known !== undefined) || failures.some(({ known }) => known);
  if (!listed && unexpectedPasses.length === 0) return undefined;
  const shown = new Set(failures.map(({ rule }) => rule));
  // a rule without a finding was broken in a case that could not be shown again
  const bare = broken.filter(({ id }) => !shown.has(id));
  const several = (rule: string): boolean => failures.filter((one) => one.rule === rule).length > 1;
  const names = (known: boolean): string[] => [
    ...failures
      .filter((failure) => failure.known === known)
      .map((failure) => (several(failure.rule) ? findingName(failure) : failure.rule)),
    ...bare.filter((rule) => (rule.known !== undefined) === known).map(({ id }) => id),
  ];
  return { fresh: names(false), gone: unexpectedPasses, known: names(true) };
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
    ...block('Gone: known divergences that did not show', gone),
    ...(gone.length === 0
      ? []
      : hanging(
          '  ',
          `In ${count(result.cases, 'case')}. Try more, find out why, or take them off the list.`,
          width,
        )),
    `Known divergences that showed (${known.length})`,
    '',
  ];
}
