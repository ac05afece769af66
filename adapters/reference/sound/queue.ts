import type { Core } from '../device/core.ts';

/** When the last thing in the queue of each owner is done. */
const busyUntil = new WeakMap<object, number>();

/** Does something after `delay` nanoseconds, but not before what was queued earlier; it then takes `busy` nanoseconds. */
export function queued(
  { clock }: Pick<Core, 'clock'>,
  owner: object,
  { delay, busy = 0 }: { delay: number; busy?: number },
  run: () => void,
): void {
  const at = Math.max(busyUntil.get(owner) ?? 0, clock.now() + delay) + busy;
  busyUntil.set(owner, at);
  clock.setTimer(at - clock.now(), run);
}
