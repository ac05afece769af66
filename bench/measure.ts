/** Nanoseconds per call of `run`: the best of `rounds` rounds of `calls`, after a warm-up. */
export function nanosecondsPerCall(run: () => unknown, calls: number, rounds = 7): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round <= rounds; round++) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < calls; i++) run();
    const each = Number(process.hrtime.bigint() - start) / calls;
    // the first round compiles the code
    if (round > 0) best = Math.min(best, each);
  }
  return best;
}

/** One line: what, nanoseconds, and how it stands to the reference. */
export function line(what: string, ns: number, note = ''): string {
  return `${what.padEnd(44)} ${ns.toFixed(0).padStart(9)} ns  ${note}`.trimEnd();
}
