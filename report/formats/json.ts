import type { CheckResult } from '../check-results.ts';
import { causesOf, type Cause } from '../causes/causes.ts';
import { findingName, type CauseResult, type RunResult } from '../results.ts';

/** 64-bit values are decimal strings, bytes are hex. */
export function plainData(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return value;
}

/** A cause by the names of its findings. */
export function causeResult({ name, impact, known, findings, consequences }: Cause): CauseResult {
  return {
    name,
    ...(impact !== undefined && { impact: impact.id }),
    known,
    findings: findings.map(findingName),
    consequences: consequences.map(findingName),
  };
}

/** The result with its causes, indented, with a newline at the end. */
export function jsonReport(result: RunResult | CheckResult): string {
  const written = 'failures' in result ? { ...result, causes: causesOf(result).map(causeResult) } : result;
  return `${JSON.stringify(written, plainData, 2)}\n`;
}
