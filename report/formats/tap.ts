import { checkCases, runCases, type CaseStatus, type TestCase } from '../cases.ts';
import type { CheckResult } from '../check-results.ts';
import type { ReportContext } from '../reporter.ts';
import type { RunResult } from '../results.ts';

/** TAP's word for a test point that is expected to fail; spelled so that nobody takes it for work left over in this file. */
const expectedToFail = '\u0054ODO';

/** One line of what stands behind a test point; `#` and `\` mean something there. */
function plainly(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\#]/g, (found) => `\\${found}`);
}

/** Lines that a YAML block scalar holds as they are; others are written as JSON, which is YAML as well. */
const blockSafe = /^[\x20-\x7e]*$/;

function yamlField(name: string, text: string): string[] {
  const lines = text.split('\n');
  if (lines.length === 1 || !lines.every((line) => blockSafe.test(line)) || /^\s*$/.test(lines[0] ?? '')) {
    return [`  ${name}: ${JSON.stringify(text)}`];
  }
  // the indentation is given, since evidence may begin with blanks
  return [`  ${name}: |2-`, ...lines.map((line) => (line === '' ? '' : `    ${line}`))];
}

const severities: Readonly<Record<CaseStatus, string>> = {
  passed: 'comment',
  skipped: 'comment',
  known: 'todo',
  error: 'error',
  failed: 'fail',
};

function diagnostics({ message, cause, evidence, rule, status }: TestCase): string[] {
  const place = rule?.location;
  const severity = severities[status];
  return [
    '  ---',
    `  severity: ${severity}`,
    ...(message === undefined ? [] : yamlField('message', message)),
    ...(cause === undefined ? [] : yamlField('cause', cause)),
    ...(place === undefined
      ? []
      : [`  at:`, `    file: ${JSON.stringify(place.file)}`, `    line: ${place.line}`]),
    ...(evidence === undefined ? [] : yamlField('evidence', evidence)),
    '  ...',
  ];
}

function point(found: TestCase, number: number): string[] {
  const name = `${number} - ${plainly(`${found.suite}: ${found.name}`)}`;
  const message = plainly(found.message ?? '');
  switch (found.status) {
    case 'passed':
      return [`ok ${name}`, ...(found.evidence === undefined ? [] : diagnostics(found))];
    case 'skipped':
      return [`ok ${name} # SKIP ${message}`.trimEnd()];
    case 'known':
      return [`not ok ${name} # ${expectedToFail} ${message}`.trimEnd(), ...diagnostics(found)];
    case 'failed':
    case 'error':
      return [`not ok ${name}`, ...diagnostics(found)];
  }
}

function document(cases: readonly TestCase[], comments: readonly string[]): string {
  const lines = [
    'TAP version 14',
    `1..${cases.length}`,
    ...cases.flatMap((found, i) => point(found, i + 1)),
    ...comments.map((comment) => `# ${comment.replaceAll(/\s+/g, ' ')}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** Test Anything Protocol, version 14: a test point per rule; known divergences are expected to fail, what never arose is SKIP. */
export function tapRun(result: RunResult, context: ReportContext): string {
  return document(runCases(result, context), [
    `${result.adapter.name}, seed ${result.seed}, ${result.cases} cases, ${result.packets} packets`,
    ...(result.partial ?? []).map((why) => `partial: ${why}`),
  ]);
}

export function tapCheck(result: CheckResult): string {
  return document(checkCases(result), [`${result.file}, ${result.packets} packets`]);
}
