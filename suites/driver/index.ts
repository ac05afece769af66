export { BenchSession } from './session.ts';
export { DeathError, SetupError, type DriveResult, type LogLine, type WireMark } from './result.ts';
export { Interrupted, Turns } from './turns.ts';
export { isLive } from './setup/live.ts';
