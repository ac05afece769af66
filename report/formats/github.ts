import type { CheckResult } from '../check-results.ts';
import { placeOf } from '../check-words.ts';
import { replayCommand } from '../failure.ts';
import { newsOf } from '../news.ts';
import type { ReportContext } from '../reporter.ts';
import type { RuleResult, RunResult } from '../results.ts';
import { ruleFile } from './sarif.ts';
import { plain } from '../style.ts';
import { countsLine } from '../summary.ts';

type Kind = 'error' | 'warning' | 'notice';

/** Data of a workflow command: line ends and percent signs are encoded. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** Value of a workflow command's property, in which colons and commas mean something as well. */
function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function annotation(
  kind: Kind,
  title: string,
  message: string,
  rule?: RuleResult,
  packagePath?: string,
): string {
  const place = rule?.location;
  const fields = [
    ...(place === undefined
      ? []
      : [`file=${property(ruleFile(place.file, packagePath))}`, `line=${place.line}`]),
    `title=${property(title)}`,
  ];
  return `::${kind} ${fields.join(',')}::${data(message)}`;
}

function text(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

/**
 * Workflow commands of GitHub Actions: an annotation per broken rule, at the rule's line, and one line that sums up. To be
 * written to stdout of a step.
 */
export function githubRun(result: RunResult, context: ReportContext): string {
  const { packagePath, adapter } = context;
  const of = (rule: RuleResult): string => {
    const failure = result.failures.find((found) => found.rule === rule.id);
    if (failure === undefined) return rule.says;
    const replay = `Replay: ${replayCommand(failure, adapter)}`;
    return [rule.says, `Expected: ${failure.expected}`, `Observed: ${failure.observed}`, replay].join('\n');
  };
  const broken = result.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'deviation');
  const fresh = broken.filter(({ known }) => known === undefined);
  const news = newsOf(result);
  return text([
    ...result.errors.map((error) => annotation('error', 'rdma-conform: trouble', error)),
    ...fresh.map((rule) =>
      annotation(rule.verdict === 'fail' ? 'error' : 'warning', rule.id, of(rule), rule, packagePath),
    ),
    ...result.unexpectedPasses.map((id) =>
      annotation('error', id, 'This known divergence did not show: take it off the list, or find out why.'),
    ),
    ...result.rules
      .filter(({ verdict, known }) => verdict === 'inconclusive' && known === undefined)
      .map((rule) => annotation('warning', rule.id, `Inconclusive: ${rule.why ?? ''}`, rule, packagePath)),
    ...(news === undefined || news.known.length === 0
      ? []
      : [annotation('notice', 'Known divergences', news.known.join(', '))]),
    ...(result.partial ?? []).map((why) => annotation('notice', 'Partial run', why)),
    `${result.adapter.name}: ${countsLine(result.rules, plain)}`,
  ]);
}

export function githubCheck(result: CheckResult, { packagePath }: ReportContext): string {
  const rules = new Map(result.rules.map((rule) => [rule.id, rule]));
  return text([
    ...[...(result.damage === undefined ? [] : [result.damage.message]), ...result.errors].map((error) =>
      annotation('error', 'rdma-conform: trouble', error),
    ),
    ...result.violations.map((v) => {
      const where = v.frame === undefined && v.line === undefined ? v.qp : `${placeOf(v)}, ${v.qp}`;
      const message = [
        `${result.file}, ${where}`,
        v.says,
        `Expected: ${v.expected}`,
        `Observed: ${v.observed}`,
      ];
      const kind = v.level === 'must' ? 'error' : v.level === 'should' ? 'warning' : 'notice';
      return annotation(kind, v.rule, message.join('\n'), rules.get(v.rule), packagePath);
    }),
    `${result.file}: ${countsLine(result.rules, plain)}`,
  ]);
}
