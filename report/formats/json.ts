import type { CheckResult } from '../check-results.ts';
import type { RunResult } from '../results.ts';

/** 64-bit values are decimal strings, bytes are hex. */
export function plainData(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return value;
}

/** The result as it is, indented, with a newline at the end. */
export function jsonReport(result: RunResult | CheckResult): string {
  return `${JSON.stringify(result, plainData, 2)}\n`;
}
