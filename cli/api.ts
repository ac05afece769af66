/** The package's main entry: run the suites on a device, replay a case, load the rules, judge a trace. */
export { ConformanceError, properties, decodeToken, encodeToken, readCase } from '../suites/index.ts';
export type { ConformanceDevice, ConformanceOptions, ConformanceProperty } from '../suites/index.ts';
export type { RunRecord } from '../suites/index.ts';
export type {
  ReplayCase,
  ReplayOptions,
  ReplayResult,
  RunOptions,
  RunProgress,
  Scenario,
} from '../suites/index.ts';
export {
  adapterFor as resolveAdapter,
  openConformance,
  replayCase,
  runConformance,
} from './adapter/library.ts';
export type { Config } from './config/config.ts';
export { TraceFileError, TraceReader, type TraceLine } from '../suites/trace-file/read.ts';
export { traceLines } from '../suites/trace-file/write.ts';
export { Judge, lintRules, loadRules, RuleError } from '../oracle/index.ts';
export { judgeTrace } from './judge/library.ts';
export type {
  Diagnostic,
  Judgement,
  Rule,
  RuleSet,
  Sight,
  Trace,
  TraceEvent,
  TraceHeader,
  Violation,
} from '../oracle/index.ts';
export type { Adapter, Bench, Profile } from '../adapters/adapter.ts';
export type { Failure, LadderLine, Level, RuleResult, RunResult, Verdict } from '../report/results.ts';
