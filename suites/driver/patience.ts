import type { Clock } from '../../adapters/adapter.ts';

/** Real clocks poll that often for what raises no event; nanoseconds. */
const lookEvery = 100e6;

/** Lets the process have its turn where that is due. Throws where a scenario is not to go on. */
export type Breath = () => Promise<void> | undefined;

/** Nanoseconds of a virtual clock in which no QP can do so much that the process has to have its turn before they are over. */
const longSleep = 1e9;

/** Sleeps, on a virtual clock from timer to timer where it takes long. */
export async function sleepFor(clock: Clock, ns: number, breathe: Breath): Promise<void> {
  if (clock.nextTimer === undefined || ns <= longSleep) return clock.sleep(ns);
  const never = (): boolean => false;
  await waitUntil(clock, ns, never, () => undefined, breathe);
}

/**
 * Waits until `done`, or for `ns`. On a virtual clock it ends at the very timer after which it is done; on a real one when
 * `wake`, handed a function to be called at every event, makes it look again. Gives whether it is done.
 */
export async function waitUntil(
  clock: Clock,
  ns: number,
  done: () => boolean | Promise<boolean>,
  wake: (look: (() => void) | undefined) => void,
  breathe: Breath,
): Promise<boolean> {
  const deadline = clock.now() + ns;
  for (;;) {
    const breath = breathe();
    if (breath !== undefined) await breath;
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
