export { BenchSession } from './session.ts';
export { isLive, SetupError, type DriveResult } from './run.ts';
export { fillBytes } from './fill.ts';
