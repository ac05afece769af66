import type { Clock } from '../../adapters/adapter.ts';

/** Real clocks look for what is waited for that often, where nothing tells of it; nanoseconds. */
const lookEvery = 100e6;

/**
 * Waits until `done`, or for `ns`. On a virtual clock it ends at the very timer after which it is done; on a real one when
 * `wake`, handed a function to be called at every event, makes it look again. Gives whether it is done.
 */
export async function waitUntil(
  clock: Clock,
  ns: number,
  done: () => boolean | Promise<boolean>,
  wake: (look: (() => void) | undefined) => void,
): Promise<boolean> {
  const deadline = clock.now() + ns;
  for (;;) {
    if (await done()) return true;
    const left = deadline - clock.now();
    if (left <= 0) return false;
    if (clock.kind === 'virtual') {
      const next =
        clock.nextTimer === undefined
          ? clock.now() + Math.max(1000, left / 64)
          : (clock.nextTimer() ?? deadline);
      await clock.sleep(Math.max(0, Math.min(next, deadline) - clock.now()));
      continue;
    }
    await new Promise<void>((resolve) => {
      const timer = clock.setTimer(Math.min(left, lookEvery), resolve);
      wake(() => {
        timer.cancel();
        resolve();
      });
    });
    wake(undefined);
  }
}
