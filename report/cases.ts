import type { CheckResult } from './check-results.ts';
import { failureLines } from './failure.ts';
import type { ReportContext } from './reporter.ts';
import type { RuleResult, RunResult } from './results.ts';
import { causeByRule, causeNote } from './causes/by-rule.ts';
import { verdictWord } from './rules-table.ts';
import { plain } from './style.ts';

const evidenceWidth = 100;

/**
 * What a rule, or trouble beside the rules, comes to in the words that test reports share. `error`: nothing can be said of
 * it, since something broke or it remained open; `known`: it failed, as was expected.
 */
export type CaseStatus = 'passed' | 'failed' | 'known' | 'skipped' | 'error';

export interface TestCase {
  suite: string;
  name: string;
  status: CaseStatus;
  /** one line; absent where it passed without remark */
  message?: string;
  /** of a broken rule of a run: what is likely the one defect behind it, in one line */
  cause?: string;
  /** everything that shows a failure, in lines */
  evidence?: string;
  /** the rule behind it, where there is one */
  rule?: RuleResult;
}

function ruleCase(rule: RuleResult, evidence: () => string, cause?: string): TestCase {
  const same = { suite: rule.table, name: rule.id, rule, ...(cause !== undefined && { cause }) };
  if (verdictWord(rule) === 'known') {
    return { ...same, status: 'known', message: `known divergence: ${rule.known?.reason ?? ''}` };
  }
  switch (rule.verdict) {
    case 'pass':
    case 'observed':
      return { ...same, status: 'passed' };
    case 'deviation':
      return {
        ...same,
        status: 'passed',
        message: `a SHOULD was broken: ${rule.says}`,
        evidence: evidence(),
      };
    case 'fail':
      return { ...same, status: 'failed', message: rule.says, evidence: evidence() };
    case 'error':
    case 'inconclusive':
      return { ...same, status: 'error', message: rule.why ?? rule.verdict };
    case 'vacuous':
    case 'unsupported':
      return { ...same, status: 'skipped', message: rule.why ?? rule.verdict };
  }
}

function own(errors: readonly string[]): TestCase[] {
  return errors.map((message, i) => ({ suite: 'harness', name: `error ${i + 1}`, status: 'error', message }));
}

function evidenceOf(result: RunResult, rule: string, { adapter, dissect }: CaseContext): string {
  const lines = result.failures
    .filter((failure) => failure.rule === rule)
    .flatMap((failure, i) =>
      failureLines(failure, `${i + 1}. ${failure.rule}`, {
        width: evidenceWidth,
        style: plain,
        adapter,
        dissect,
      }),
    );
  return lines.join('\n');
}

export type CaseContext = Pick<ReportContext, 'adapter' | 'dissect'>;

/** Rules are test cases, their table is the suite. A SHOULD that was broken does not fail. */
export function runCases(result: RunResult, context: CaseContext): TestCase[] {
  const broken = result.properties.filter(({ error, verdict }) => error !== undefined || verdict === 'error');
  const messages = (id: string): string[] =>
    result.errors.filter((error) => error.startsWith(`${id}: `)).map((error) => error.slice(id.length + 2));
  const causes = causeByRule(result);
  return [
    ...result.rules.map((rule) => {
      const found = causes.get(rule.id);
      const cause = found && causeNote(rule.id, found);
      return ruleCase(rule, () => evidenceOf(result, rule.id, context), cause);
    }),
    ...broken.map((property): TestCase => ({
      suite: property.suite,
      name: property.id,
      status: 'error',
      message: messages(property.id).join('; ') || (property.error ?? 'error'),
    })),
    ...result.unexpectedPasses.map((rule): TestCase => ({
      suite: 'known divergences',
      name: rule,
      status: 'failed',
      message: 'known divergence did not show',
    })),
    // those of a property stand there
    ...own(result.errors.filter((error) => !broken.some(({ id }) => error.startsWith(`${id}: `)))),
  ];
}

/** Of a capture: its violations are the evidence. */
export function checkCases(result: CheckResult): TestCase[] {
  const evidenceFor = (rule: string): string =>
    result.violations
      .filter((violation) => violation.rule === rule)
      .map(
        (v) =>
          `frame ${v.frame ?? '-'} t=${v.t} ns ${v.qp}\n  expected ${v.expected}\n  observed ${v.observed}`,
      )
      .join('\n');
  const damage =
    result.damage === undefined ? [] : [`damaged at ${result.damage.offset}: ${result.damage.message}`];
  return [
    ...result.rules.map((rule) => ruleCase(rule, () => evidenceFor(rule.id))),
    ...own([...damage, ...result.errors]),
  ];
}
