import { packetsOf } from '../packets-of.ts';

/** Words of expressions that are functions. */
const builtIn = { packetsOf };

/**
 * What JavaScript text evaluates to; `names`: what it names besides its own. It holds nothing but what the emitters write: operators,
 * numbers, and declared names in quotes. Closures over closures cost several times as much.
 */
export function evaluate(text: string, names: Readonly<Record<string, unknown>> = {}): unknown {
  const all = { ...builtIn, ...names };
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- see above
  const make = new Function(...Object.keys(all), `"use strict"; ${text}`) as (
    ...values: unknown[]
  ) => unknown;
  return make(...Object.values(all));
}
