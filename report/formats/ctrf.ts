import { checkCases, runCases, type CaseStatus, type TestCase } from '../cases.ts';
import type { CheckResult } from '../check-results.ts';
import type { ReportContext } from '../reporter.ts';
import type { RunResult } from '../results.ts';

type CtrfStatus = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

function statusOf(status: CaseStatus): CtrfStatus {
  switch (status) {
    case 'passed':
    case 'failed':
    case 'skipped':
      return status;
    case 'known':
      return 'pending';
    case 'error':
      return 'other';
  }
}

function test({ suite, name, status, message, cause, evidence, rule }: TestCase): object {
  return {
    name,
    status: statusOf(status),
    // rules have no duration of their own: every case may decide many of them
    duration: 0,
    suite: [suite],
    ...(message !== undefined && { message }),
    ...(evidence !== undefined && { trace: evidence }),
    ...(rule !== undefined && {
      rawStatus: rule.verdict,
      tags: [rule.level, ...rule.statements],
      ...(rule.location !== undefined && { filePath: rule.location.file, line: rule.location.line }),
      extra: {
        says: rule.says,
        exercised: rule.exercised,
        violations: rule.violations,
        ...(cause !== undefined && { cause }),
      },
    }),
  };
}

interface Setting {
  /** ISO 8601 */
  begun?: string | undefined;
  durationMs: number;
  environment: object;
  extra: object;
}

function document(cases: readonly TestCase[], setting: Setting, context: ReportContext): string {
  const count = (status: CtrfStatus): number => cases.filter((c) => statusOf(c.status) === status).length;
  const { begun, durationMs } = setting;
  const end = context.now ?? durationMs;
  const start = begun === undefined ? end - durationMs : Date.parse(begun);
  const report = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    generatedBy: `rdma-conform ${context.version}`,
    results: {
      tool: { name: 'rdma-conform', version: context.version },
      summary: {
        tests: cases.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: count('pending'),
        other: count('other'),
        start,
        stop: start + durationMs,
      },
      tests: cases.map(test),
      environment: setting.environment,
      extra: setting.extra,
    },
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/** Common Test Report Format: a test per rule; known divergences are pending, what remained open is other. */
export function ctrfRun(result: RunResult, context: ReportContext): string {
  const { seed, spec, packets, shards, partial, begun, durationMs } = result;
  return document(
    runCases(result, context),
    {
      begun,
      durationMs,
      environment: { testEnvironment: result.adapter.name },
      extra: {
        seed,
        spec,
        cases: result.cases,
        packets,
        ...(shards && { shards }),
        ...(partial && { partial }),
      },
    },
    context,
  );
}

export function ctrfCheck(result: CheckResult, context: ReportContext): string {
  const { file, spec, frames, packets, durationMs } = result;
  return document(
    checkCases(result),
    { durationMs, environment: { testEnvironment: file }, extra: { spec, frames, packets } },
    context,
  );
}
