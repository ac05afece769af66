/** The executable spec: rules compiled from YAML, and the judge that holds a trace against them. */
export { loadRules, lintRules, RuleError, formatDiagnostic } from './compile/load.ts';
export type { Diagnostic, LoadOptions } from './compile/load.ts';
export type { DecisionTable, FactDef, Outcome, Rule, RuleSet } from './rules.ts';
export { Judge, judgeTrace } from './judge/judge.ts';
export type { Judgement, Sight, Trace, TraceEvent, TraceHeader, VerbsCall, Violation } from './trace.ts';
