import type { CheckedResults } from './checked-verbs.ts';
import { AdapterBroken, type Bench, type Clock } from '../../adapters/adapter.ts';

/** Seconds that a call of a module may take. */
export const callSeconds = 60;
/** Seconds that it may take to be opened, which may boot a machine. */
export const openSeconds = 120;
/** Seconds that a clock may be late, as one is that runs a model of the device meanwhile. */
const sleepSeconds = 600;

/** What a call of a module comes to, or AdapterBroken where it does not come back in time. */
export function inTime<T>(given: Promise<T>, seconds: number, what: string): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new AdapterBroken(`${what} did not come back within ${Math.round(seconds)} s`));
    }, seconds * 1000);
    // where nothing else is under way either, the end of the process says so at once
    timer.unref();
    void Promise.resolve(given)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
      });
  });
}

/**
 * The same object, whose methods have to come back, with other `parts`. `secondsOf`: how long a method may take, given its first
 * argument; `undefined`: as long as it takes.
 */
function limited<T extends object>(
  of: T,
  path: string,
  secondsOf: (name: string, first: unknown) => number | undefined,
  parts: Partial<T> = {},
): T {
  const made = new Map<string | symbol, unknown>(Object.entries(parts));
  return new Proxy(of, {
    get(target, name): unknown {
      if (made.has(name)) return made.get(name);
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function' || typeof name !== 'string') return value;
      const call = (...args: unknown[]): unknown => {
        const given: unknown = Reflect.apply(value, target, args);
        const seconds = secondsOf(name, args[0]);
        if (seconds === undefined || !(given instanceof Promise)) return given;
        return inTime(given, seconds, `${path}.${name}()`);
      };
      made.set(name, call);
      return call;
    },
  });
}

function limitedClock(clock: Clock): Clock {
  const real = clock.kind === 'real';
  return limited(clock, 'bench.clock', (name, ns) =>
    name === 'sleep' ? sleepSeconds + (real && typeof ns === 'number' ? ns / 1e9 : 0) : undefined,
  );
}

/**
 * The bench of a module, each call of which comes back or ends as AdapterBroken, so that no run waits for one for ever. `results` looks at
 * what comes back.
 */
export function limitedBench(bench: Bench, results: CheckedResults): Bench {
  const verbs = results.verbs(limited(bench.verbs, 'bench.verbs', () => callSeconds));
  const clock = limitedClock(bench.clock);
  const wire = bench.wire && results.wire(bench.wire);
  return limited(bench, 'bench', () => callSeconds, { verbs, clock, ...(wire && { wire }) });
}
