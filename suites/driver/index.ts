export { BenchSession } from './session.ts';
export { SetupError, type DriveResult } from './result.ts';
export { isLive } from './live.ts';
export { fillBytes } from './fill.ts';
