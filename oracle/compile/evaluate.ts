/**
 * What JavaScript text evaluates to; `names`: what it names besides its own. It holds nothing but what the emitters write: operators,
 * numbers, and declared names in quotes. Closures over closures cost several times as much.
 */
export function evaluate(text: string, names: Readonly<Record<string, unknown>> = {}): unknown {
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- see above
  const make = new Function(...Object.keys(names), `"use strict"; ${text}`) as (
    ...values: unknown[]
  ) => unknown;
  return make(...Object.values(names));
}
