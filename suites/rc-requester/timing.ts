import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { ackTimeout, rnrMicroseconds } from '../../spec/constants.ts';
import { onGrid, range, type Grid } from '../grid.ts';

/** How long things take on a device, and how long scenarios may take: microseconds and codes. */
export interface Timing {
  virtual: boolean;
  /** Local ACK Timeout that no exchange without losses runs into */
  calm: number;
  /** within this, what waits for no timer has come */
  prompt: number;
}

export function timingOf(profile: Profile): Timing {
  const virtual = profile.clock === 'virtual';
  const response = profile.responseTime / 1000;
  return { virtual, calm: virtual ? 14 : 19, prompt: Math.ceil(virtual ? 10 * response : 1.5 * response) };
}

/** T of a Local ACK Timeout code as the device does it; 0 for code 0, which never fires. */
export function ackTimeoutUs(profile: Profile, code: number): number {
  if (code === ackTimeout.off) return 0;
  return (ackTimeout.baseNanoseconds * 2 ** Math.max(code, profile.minTimeout ?? 1)) / 1000;
}

/** The longest after which its timer runs out. */
export function longestTimeoutUs(profile: Profile, code: number): number {
  return ackTimeout.windowFactor * ackTimeoutUs(profile, code);
}

/** Within this after the last packet a time-out has been detected and acted upon. */
export function detectionUs(profile: Profile, code: number): number {
  return Math.ceil(longestTimeoutUs(profile, code)) + timingOf(profile).prompt;
}

/** Within this after the last packet a requester with so many retries has given up. */
export function exhaustionUs(profile: Profile, code: number, retryCnt: number): number {
  return Math.ceil((retryCnt + 1) * longestTimeoutUs(profile, code)) + timingOf(profile).prompt;
}

/** Within this a request that has to wait has come again. */
export function rnrUs(profile: Profile, code: number): number {
  const wait = rnrMicroseconds[code] ?? 0;
  const { prompt, virtual } = timingOf(profile);
  // How much longer than told a requester may wait is its own affair; a real one's timers are coarse.
  return Math.ceil(virtual ? 4 * wait : 2 * wait) + prompt;
}

/** Codes on a real clock that are over soon, the likeliest more than once. */
function soonOver({ minTimeout: low = 1 }: Profile): number[] {
  return [15, 16, 14, 16, low].filter((code) => code >= low);
}

/** Codes of the ACK timer that a scenario can afford to sit out. */
export const timeouts: Grid<number> = {
  name: 'timeout',
  cells: (profile) => (timingOf(profile).virtual ? range(1, 31) : [...new Set(soonOver(profile))]),
};

/** Codes that are sat out: all but 0 where time is virtual, else such as are over soon. */
export function shortTimeout(profile: Profile): fc.Arbitrary<number> {
  const dice = timingOf(profile).virtual
    ? fc.oneof({ withCrossShrink: true }, fc.constantFrom(8, 1, 14, 31), evenly(1, 31))
    : fc.constantFrom(...soonOver(profile));
  return onGrid(timeouts, profile, dice);
}

/** The longest wait of an RNR NAK that is sat out on a real clock, in microseconds. */
const longestRealWait = 50_000;

/** Codes of RNR NAKs whose waits a scenario can afford to sit out: all 32 where time is virtual. */
export const rnrCodes: Grid<number> = {
  name: 'timer code of the RNR NAK',
  cells: (profile) =>
    [...range(1, 31), 0].filter(
      (code) => timingOf(profile).virtual || (rnrMicroseconds[code] ?? 0) <= longestRealWait,
    ),
};

/** Whole numbers of a range, each as likely as any other: fc.integer() leans to the ends of its range. */
export function evenly(min: number, max: number): fc.Arbitrary<number> {
  return fc.constantFrom(...Array.from({ length: max - min + 1 }, (_, i) => min + i));
}

/** Codes that do not run out while the driver waits for what needs no timer, and are still sat out. */
export function patientTimeout(profile: Profile): fc.Arbitrary<number> {
  return timingOf(profile).virtual ? fc.constantFrom(10, 8, 14, 20) : fc.constantFrom(16, 17);
}

/** RNR timer codes whose waits are short enough to be sat out many times. */
export function shortRnrCode(): fc.Arbitrary<number> {
  return fc.integer({ min: 1, max: 14 });
}
