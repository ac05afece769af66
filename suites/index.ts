/** Scenarios, the properties that make them, the driver that runs them on an adapter, and the runner of a campaign. */
export type {
  AttrPlan,
  DamagedPart,
  Fault,
  FaultAction,
  FaultMatch,
  LocalFault,
  PacketClass,
  PacketDefect,
  PacketPlan,
  PsnPlan,
  QpPlan,
  RegionPlan,
  Reply,
  ResponsePlan,
  ResponsePsn,
  Role,
  Scenario,
  Step,
  WrPlan,
} from './scenario.ts';
export type { SuiteProperty } from './property.ts';
export { cellOf, onGrid, type Cell, type Grid } from './grid.ts';
export { ooo } from './ooo/index.ts';
export { rcRequester } from './rc-requester/index.ts';
export { rcResponder } from './rc-responder/index.ts';
export { generateChunk, type Generated } from './runner/generate.ts';
export { BenchSession, SetupError, isLive, type DriveResult } from './driver/index.ts';
export { properties, runConformance } from './run.ts';
export type { RunOptions, RunProgress } from './runner/options.ts';
export { presetNames, type Preset } from './runner/budget/presets.ts';
export { selectProperties, selectRules } from './runner/select.ts';
export type { RunBeginning, RunCase, RunRecord } from './runner/record.ts';
export { Executor } from './runner/executor.ts';
export type { CaseOutcome, CaseRunner, CleanOutcome } from './runner/devices/case-runner.ts';
export {
  ConformanceError,
  openConformance,
  type ConformanceDevice,
  type ConformanceOptions,
  type ConformanceProperty,
} from './fast-check.ts';
export { shrinkCase } from './shrink-case.ts';
export { replayCase, type ReplayOptions, type ReplayResult } from './replay.ts';
export {
  CaseError,
  TokenError,
  decodeToken,
  encodeToken,
  parseScenario,
  readCase,
  readCases,
  writeCase,
  type ReplayCase,
} from './case/index.ts';
export { ladder } from './ladder.ts';
export { loadMutants, MutantError, type Mutant } from './mutants/index.ts';
export { unexpectedPasses, type KnownDivergence } from './known.ts';
export { labelsOf, statistics } from './statistics.ts';
