import type { CheckResult } from '../report/check-results.ts';
import type { RuleResult, RunResult, Verdict } from '../report/results.ts';
import { exitCode, type ExitCode } from './exit-codes.ts';

export interface Strictness {
  /** a broken SHOULD fails */
  strict: boolean;
  /** a MUST or SHOULD that was never exercised makes the result inconclusive */
  requireCoverage: boolean;
  /** rules that were asked for by name: one that was never exercised makes the result inconclusive */
  asked?: readonly string[] | undefined;
}

/** Rules that were asked for by name, and whose case never arose: of these, the result says nothing. */
export function unreached(rules: readonly RuleResult[], asked: readonly string[] = []): string[] {
  return rules.filter(({ id, verdict }) => verdict === 'vacuous' && asked.includes(id)).map(({ id }) => id);
}

function has(rules: readonly RuleResult[], verdict: Verdict): boolean {
  return rules.some((rule) => rule.verdict === verdict && rule.known === undefined);
}

function rulesExit(rules: readonly RuleResult[], strictness: Strictness): ExitCode {
  const { strict, requireCoverage, asked } = strictness;
  if (has(rules, 'error')) return exitCode.error;
  if (has(rules, 'fail') || (strict && has(rules, 'deviation'))) return exitCode.fail;
  // a MAY asks nothing of a device: one that never takes the choice leaves nothing untried
  const demands = rules.filter(({ level }) => level !== 'may');
  if (has(rules, 'inconclusive') || (requireCoverage && has(demands, 'vacuous')))
    return exitCode.inconclusive;
  return unreached(rules, asked).length > 0 || nothingDecided(rules) ? exitCode.inconclusive : exitCode.ok;
}

/** Whether no rule that binds the device has decided anything. */
function nothingDecided(rules: readonly RuleResult[]): boolean {
  const binding = rules.filter(({ verdict }) => verdict !== 'unsupported');
  return binding.length > 0 && binding.every(({ verdict }) => verdict === 'vacuous');
}

/** Exit code of a run: what broke first, then interruption, then what was found. See docs/adr/0003. */
export function runExit(result: RunResult, strictness: Strictness): ExitCode {
  if (result.errors.length > 0 || result.properties.some((p) => p.verdict === 'error')) return exitCode.error;
  if (result.interrupted) return exitCode.interrupted;
  const code = rulesExit(result.rules, strictness);
  if (code === exitCode.error || code === exitCode.fail) return code;
  const fails = result.failures.some((failure) => !failure.known && failure.level === 'must');
  if (fails || result.unexpectedPasses.length > 0) return exitCode.fail;
  if (result.endedByDevice !== undefined) return exitCode.inconclusive;
  return result.properties.some((p) => p.verdict === 'inconclusive') ? exitCode.inconclusive : code;
}

/** Exit code of a check. What stands behind damage, or was never judged, is unknown. */
export function checkExit(result: CheckResult, strictness: Strictness): ExitCode {
  if (result.errors.length > 0) return exitCode.error;
  if (result.interrupted) return exitCode.interrupted;
  const code = rulesExit(result.rules, strictness);
  if (code !== exitCode.ok) return code;
  return result.damage !== undefined || result.inconclusive.length > 0 ? exitCode.inconclusive : code;
}
