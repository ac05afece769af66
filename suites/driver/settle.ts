import type { Clock } from '../../adapters/adapter.ts';
import type { Breath } from './patience.ts';
import type { StallMeter } from './stall.ts';

// A call that asks the device for completions and takes longer than this part of the response time tells of a stalled
// device: what it owes may be late by as much.
const slowPart = 0.5;
// After a stall as long as this, the wait begins anew.
const grossStall = 1e9;
const maxRounds = 20;
const maxVirtualRounds = 1000;

export interface SettleOptions {
  clock: Clock;
  /** nanoseconds in which a conformant answer has been seen */
  responseTime: number;
  stall: StallMeter | undefined;
  /** clock time of the last frame, completion or event, or of the last thing done to the device */
  lastActivity: () => number;
  /** why the device can no longer be used, if so */
  failure: (() => Error | undefined) | undefined;
  /** takes all completions that are there; gives how many of them are in error */
  drain: () => Promise<number>;
  breathe: Breath;
}

/**
 * Waits until the device has been quiet for its response time and its CQ is empty. Gives the reason why that could not be
 * seen well, where the host or the device stalled; `undefined` if all is well. Throws the failure of a device that can no longer be
 * used.
 */
export async function settle(options: SettleOptions): Promise<string | undefined> {
  const { clock, responseTime, stall } = options;
  if (clock.kind === 'virtual') return settleVirtually(options);
  let from = options.lastActivity();
  let before = -Infinity;
  for (let round = 0; round < maxRounds;) {
    const failure = options.failure?.();
    if (failure !== undefined) throw failure;
    const breath = options.breathe();
    if (breath !== undefined) await breath;
    const since = Math.max(from, options.lastActivity());
    const now = clock.now();
    const lost = stall?.between(since, now) ?? 0;
    if (lost > grossStall) {
      from = now;
      round++;
      continue;
    }
    const wait = since + responseTime + lost - now;
    if (wait > 0) {
      // waiting on for a stall is no round of its own
      if (since > before) round++;
      before = since;
      await clock.sleep(wait);
      continue;
    }
    round++;
    await options.drain();
    const took = clock.now() - now;
    if (options.lastActivity() > now) continue;
    if (took <= responseTime * slowPart) return undefined;
    from = clock.now();
  }
  return 'the device did not come to rest';
}

/** Nothing stalls in virtual time, but a live peer may go on sending. */
async function settleVirtually({
  clock,
  responseTime,
  lastActivity,
  drain,
  breathe,
}: SettleOptions): Promise<string | undefined> {
  let from = clock.now();
  for (let round = 0; round < maxVirtualRounds; round++) {
    const breath = breathe();
    if (breath !== undefined) await breath;
    const wait = Math.max(from, lastActivity()) + responseTime - clock.now();
    if (wait > 0) {
      await clock.sleep(wait);
      continue;
    }
    if ((await drain()) === 0) return undefined;
    // a failure that is seen only now has consequences: flushes, events and a state
    from = clock.now();
  }
  return 'the device did not come to rest';
}
