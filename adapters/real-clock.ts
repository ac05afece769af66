import { performance } from 'node:perf_hooks';
import { setTimeout as after, clearTimeout } from 'node:timers';
import type { Clock } from './adapter.ts';

/**
 * The machine's monotonic clock, in nanoseconds since this call. Timers may fire late (Node's grain is about a
 * millisecond) but never early.
 */
export function realClock(): Clock {
  const origin = performance.now();
  const now = (): number => Math.round((performance.now() - origin) * 1e6);
  const setTimer = (ns: number, fire: () => void): { cancel(): void } => {
    const due = now() + ns;
    let handle: NodeJS.Timeout;
    const arm = (): void => {
      // Node truncates to whole milliseconds and may wake a fraction before the time: check, and wait again.
      const milliseconds = Math.min(Math.max(1, Math.ceil((due - now()) / 1e6)), 0x7fffffff);
      handle = after(() => (now() >= due ? fire() : arm()), milliseconds);
    };
    arm();
    return { cancel: () => clearTimeout(handle) };
  };
  return {
    kind: 'real',
    now,
    setTimer,
    sleep: (ns) => new Promise((resolve) => void setTimer(ns, resolve)),
  };
}
