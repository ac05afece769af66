import type { CheckResult } from './check-results.ts';
import type { ReportContext } from './reporter.ts';
import { failureLines } from './failure.ts';
import type { Failure, RuleResult, RunResult } from './results.ts';
import { verdictWord } from './rules-table.ts';
import { plain } from './style.ts';
import { writeXml, type XmlElement } from './xml.ts';

const evidenceWidth = 100;

interface Outcome {
  element: 'failure' | 'error' | 'skipped';
  message: string;
  text?: string;
}

/** A rule's verdict in JUnit's terms; undefined is a pass. */
function ruleOutcome(rule: RuleResult, evidence: string): Outcome | undefined {
  if (verdictWord(rule) === 'known') {
    return { element: 'skipped', message: `known divergence: ${rule.known?.reason ?? ''}` };
  }
  switch (rule.verdict) {
    case 'pass':
    case 'observed':
    case 'deviation':
      return undefined;
    case 'fail':
      return { element: 'failure', message: rule.says, text: evidence };
    case 'error':
    case 'inconclusive':
      return { element: 'error', message: rule.why ?? rule.verdict };
    case 'vacuous':
    case 'unsupported':
      return { element: 'skipped', message: rule.why ?? rule.verdict };
  }
}

function testcase(suite: string, name: string, outcome: Outcome | undefined): XmlElement {
  if (outcome === undefined) return { name: 'testcase', attributes: { classname: suite, name } };
  const { element, message, text } = outcome;
  const type = element === 'failure' ? { type: 'violation' } : {};
  return {
    name: 'testcase',
    attributes: { classname: suite, name },
    children: [{ name: element, attributes: { message, ...type }, ...(text === undefined ? {} : { text }) }],
  };
}

interface Case {
  suite: string;
  name: string;
  outcome: Outcome | undefined;
}

function document(cases: readonly Case[], durationMs: number): string {
  const tally = (members: readonly Case[]): Record<string, number> => ({
    tests: members.length,
    failures: members.filter((c) => c.outcome?.element === 'failure').length,
    errors: members.filter((c) => c.outcome?.element === 'error').length,
    skipped: members.filter((c) => c.outcome?.element === 'skipped').length,
  });
  const suites = [...new Set(cases.map((c) => c.suite))].map((suite): XmlElement => {
    const members = cases.filter((c) => c.suite === suite);
    return {
      name: 'testsuite',
      attributes: { name: suite, ...tally(members) },
      children: members.map((c) => testcase(c.suite, c.name, c.outcome)),
    };
  });
  const root = writeXml({
    name: 'testsuites',
    attributes: { name: 'rdma-conform', ...tally(cases), time: (durationMs / 1000).toFixed(3) },
    children: suites,
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}`;
}

function evidenceOf(failures: readonly Failure[], rule: string, adapter: string | undefined): string {
  const lines = failures
    .filter((failure) => failure.rule === rule)
    .flatMap((failure, i) => failureLines(failure, i + 1, { width: evidenceWidth, style: plain, adapter }));
  return `\n${lines.join('\n')}`;
}

function own(errors: readonly string[]): Case[] {
  return errors.map((message, i) => ({
    suite: 'harness',
    name: `error ${i + 1}`,
    outcome: { element: 'error', message },
  }));
}

/** Rules are test cases, their table is the suite; properties likewise. A SHOULD that was broken does not fail. */
export function junitRun(result: RunResult, context: Pick<ReportContext, 'adapter'>): string {
  const rules = result.rules.map((rule): Case => ({
    suite: rule.table,
    name: rule.id,
    outcome: ruleOutcome(rule, evidenceOf(result.failures, rule.id, context.adapter)),
  }));
  const properties = result.properties
    .filter((property) => property.error !== undefined || property.verdict === 'error')
    .map((property): Case => ({
      suite: property.suite,
      name: property.id,
      outcome: { element: 'error', message: property.error ?? 'error' },
    }));
  const passes = result.unexpectedPasses.map((rule): Case => ({
    suite: 'known divergences',
    name: rule,
    outcome: { element: 'failure', message: 'known divergence did not show', text: rule },
  }));
  return document([...rules, ...properties, ...passes, ...own(result.errors)], result.durationMs);
}

export function junitCheck(result: CheckResult): string {
  const cases = result.rules.map((rule): Case => {
    const evidence = result.violations
      .filter((violation) => violation.rule === rule.id)
      .map(
        (v) =>
          `frame ${v.frame ?? '-'} t=${v.t} ns ${v.qp}\n  expected ${v.expected}\n  observed ${v.observed}`,
      )
      .join('\n');
    return { suite: rule.table, name: rule.id, outcome: ruleOutcome(rule, `\n${evidence}\n`) };
  });
  const damage =
    result.damage === undefined ? [] : [`damaged at ${result.damage.offset}: ${result.damage.message}`];
  return document([...cases, ...own([...damage, ...result.errors])], result.durationMs);
}
