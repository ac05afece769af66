import { checkCases, runCases, type CaseContext, type TestCase } from '../cases.ts';
import type { CheckResult } from '../check-results.ts';
import type { RunResult } from '../results.ts';
import { writeXml, type XmlElement } from './xml.ts';

type Element = 'failure' | 'error' | 'skipped';

function elementOf({ status }: TestCase): Element | undefined {
  switch (status) {
    case 'passed':
      return undefined;
    case 'failed':
      return 'failure';
    case 'error':
      return 'error';
    case 'known':
    case 'skipped':
      return 'skipped';
  }
}

function testcase(found: TestCase): XmlElement {
  const { suite: classname, name, message = '', cause, evidence } = found;
  const element = elementOf(found);
  const type = element === 'failure' ? { type: 'violation' } : {};
  const body = [cause, evidence].filter((part) => part !== undefined).join('\n\n');
  const text = body === '' ? {} : { text: `\n${body}\n` };
  // what a SHOULD that was broken shows; the test case passes
  if (element === undefined) {
    const children =
      body === '' ? {} : { children: [{ name: 'system-out', text: `\n${message}\n${body}\n` }] };
    return { name: 'testcase', attributes: { classname, name }, ...children };
  }
  return {
    name: 'testcase',
    attributes: { classname, name },
    children: [{ name: element, attributes: { message, ...type }, ...text }],
  };
}

function document(cases: readonly TestCase[], durationMs: number): string {
  const tally = (members: readonly TestCase[]): Record<string, number> => {
    const count = (element: Element): number => members.filter((c) => elementOf(c) === element).length;
    return {
      tests: members.length,
      failures: count('failure'),
      errors: count('error'),
      skipped: count('skipped'),
    };
  };
  const suites = [...new Set(cases.map((c) => c.suite))].map((suite): XmlElement => {
    const members = cases.filter((c) => c.suite === suite);
    return {
      name: 'testsuite',
      attributes: { name: suite, ...tally(members) },
      children: members.map(testcase),
    };
  });
  // the schema that Jenkins holds such files against knows no number of skipped tests here
  const { skipped: _, ...total } = tally(cases);
  const root = writeXml({
    name: 'testsuites',
    attributes: { name: 'rdma-conform', ...total, time: (durationMs / 1000).toFixed(3) },
    children: suites,
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}`;
}

export function junitRun(result: RunResult, context: CaseContext): string {
  return document(runCases(result, context), result.durationMs);
}

export function junitCheck(result: CheckResult): string {
  return document(checkCases(result), result.durationMs);
}
