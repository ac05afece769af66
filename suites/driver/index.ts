export { BenchSession } from './session.ts';
export { DeathError, SetupError, type DriveResult } from './result.ts';
export { isLive } from './live.ts';
export { fillBytes } from './fill.ts';
