import { RcRequesterVariables } from '../../rc-requester/variables.ts';
import type { RequesterMachine } from '../../rc-requester/machine.ts';

const begun = new RcRequesterVariables();
/** Of all codes the one with the shortest interval. */
const shortestCode = 1;

/** T of the ACK timer, and the greatest time in which it runs out, nanoseconds; infinite where there is none. */
export interface AckTimer {
  readonly interval: number;
  readonly longest: number;
}

/** What the machine makes of a code of the ACK timeout; the shortest there is where nobody says. */
export function ackTimer(machine: RequesterMachine, timeout = shortestCode): AckTimer {
  const inputs = {
    path: { timeout, state: 'MIGRATED' as const },
    device: { minTimeout: shortestCode, ran: 0, held: false },
  };
  return {
    interval: machine.number('interval')(inputs, begun),
    longest: machine.number('ackMost')(inputs, begun),
  };
}

/** The longest wait after an RNR NAK that asks for this one, and the time in which a requester notices, nanoseconds. */
export function longestWait(machine: RequesterMachine, wait: number, slack: number): number {
  return machine.number('rnrLongest')({ nak: { since: 0, wait, ran: 0 }, slack }, begun);
}

/** Retries by timeout that the largest retry_cnt allows. */
export function mostRetries(machine: RequesterMachine): number {
  return machine.number('mostRetries')({}, begun);
}
