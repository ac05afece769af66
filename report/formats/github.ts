import { rulesOf } from '../causes/text.ts';
import { causesOf, type Cause } from '../causes/causes.ts';
import type { CheckResult } from '../check-results.ts';
import { placeOf } from '../check-words.ts';
import { replayCommand } from '../failure.ts';
import { newsOf } from '../news.ts';
import type { ReportContext } from '../reporter.ts';
import type { RuleResult, RunResult } from '../results.ts';
import { isWithin, ruleFile } from './sarif.ts';
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

function annotation(kind: Kind, title: string, message: string, rule?: RuleResult, packagePath = ''): string {
  const place = rule?.location;
  const fields = [
    ...(place === undefined || !isWithin(packagePath)
      ? []
      : [`file=${property(ruleFile(place.file, packagePath))}`, `line=${place.line}`]),
    `title=${property(title)}`,
  ];
  return `::${kind} ${fields.join(',')}::${data(message)}`;
}

function text(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

/** What an annotation says of a cause: the finding that shows it best, and what else belongs to it. */
function causeText(cause: Cause, adapter: string | undefined): string {
  const [lead] = cause.findings;
  if (lead === undefined) return cause.name;
  const more = rulesOf(cause).filter((rule) => rule !== lead.rule);
  return [
    `${lead.rule}: ${lead.says}`,
    `Expected: ${lead.expected}`,
    `Observed: ${lead.observed}`,
    ...(more.length === 0 ? [] : [`Breaks as well: ${more.join(', ')}`]),
    `Replay: ${replayCommand(lead, adapter)}`,
  ].join('\n');
}

/**
 * Workflow commands of GitHub Actions: an annotation per new cause, at the line of the rule that shows it best, since a step shows ten
 * of them only, and one line that sums up. To be written to stdout of a step.
 */
export function githubRun(result: RunResult, context: ReportContext): string {
  const { packagePath, adapter } = context;
  const rules = new Map(result.rules.map((rule) => [rule.id, rule]));
  const causes = causesOf(result).filter(({ known }) => !known);
  const named = new Set(causes.flatMap(rulesOf));
  // without a case of its own there is no cause to put it under
  const others = result.rules.filter(
    ({ id, verdict, known }) =>
      (verdict === 'fail' || verdict === 'deviation') && known === undefined && !named.has(id),
  );
  const news = newsOf(result);
  const kindOf = (rule: RuleResult | undefined): Kind =>
    rule?.verdict === 'deviation' ? 'warning' : 'error';
  return text([
    ...result.errors.map((error) => annotation('error', 'rdma-conform: trouble', error)),
    ...causes.map((cause) => {
      const rule = rules.get(cause.findings[0]?.rule ?? '');
      return annotation(kindOf(rule), cause.name, causeText(cause, adapter), rule, packagePath);
    }),
    ...others.map((rule) => annotation(kindOf(rule), rule.id, rule.says, rule, packagePath)),
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
