import { captureLatitude } from '../../../spec/latitudes.ts';
import type { RequesterTables } from '../../rc-requester/tables.ts';
import type { Rule } from '../../rules.ts';
import { psnDiff } from '../../../wire/psn.ts';
import { inUnits } from '../../time.ts';
import { longestWait, mostRetries } from './ack-timer.ts';
import type { Stamps } from '../../device/packet/stamps.ts';
import { reaction } from './timer-base.ts';

/** Why a packet is asked for once more. */
type Cause = 'sequence-nak' | 'rnr-nak' | 'implied-nak';

interface Refusal {
  readonly cause: Cause;
  readonly psn: number;
  readonly t: number;
  /** time that an RNR NAK asks for, nanoseconds */
  readonly wait: number;
}

/** A NAK that calls for a retransmission, whether or not it must be obeyed. */
export type Call = Pick<Refusal, 'cause' | 't'>;

/** What should have been sent again by now. */
export interface Overdue {
  readonly rule: Rule | undefined;
  readonly expected: string;
}

const { times } = captureLatitude();

/** Time after which a requester has noticed what has come, nanoseconds, by the stamps of the capture. */
export function noticed({ grain }: Stamps): number {
  return times.noticed + grain;
}

/** What one RC requester must send again, where everything that it sends and receives is seen. */
export class OwedRetransmission {
  readonly #tables: RequesterTables;
  readonly #stamps: Stamps;
  /** time by which the ACK timer has run out for sure, since it was last started; infinite where that is unknown */
  readonly #window: number;
  #refusal: Refusal | undefined;
  /** the newest NAK, sent or implied, whose retransmission has not begun */
  #refused: Call | undefined;
  /** PSN of the refusal that was last obeyed: one more may be a late copy */
  #obeyed = -1;
  /** latest time at which the ACK timer may have been started */
  #started = Number.POSITIVE_INFINITY;
  #timeouts = 0;

  /** `timer`: time in which the ACK timer runs out for sure, nanoseconds; `undefined` where it is not known. */
  constructor(tables: RequesterTables, stamps: Stamps, timer: number | undefined) {
    this.#tables = tables;
    this.#stamps = stamps;
    this.#window = timer === undefined ? Number.POSITIVE_INFINITY : Math.max(times.window, timer);
  }

  /** Whether a NAK has called for a retransmission that has not begun. */
  get called(): boolean {
    return this.#refused !== undefined;
  }

  /** A packet is sent that calls for an answer, or something has come. */
  restarted(t: number): void {
    this.#started = t;
  }

  /** Everything in front of this PSN is acknowledged, and something of it was not before. */
  progressed(una: number): void {
    this.#timeouts = 0;
    if (this.#refusal !== undefined && psnDiff(una, this.#refusal.psn) > 0) this.#refusal = undefined;
  }

  /** `stale`: it may answer what was acknowledged before, so that it need not be obeyed. */
  refused(cause: Cause, psn: number, t: number, wait = 0, stale = false): void {
    this.#refused = { cause, t };
    if (!stale && psn !== this.#obeyed) this.#refusal ??= { cause, psn, t, wait };
  }

  /**
   * A retransmission begins. Gives the newest NAK that has called for it; `undefined` where none has. `timed`: it may have begun by the ACK
   * timer before a NAK of just now had come, which then calls for another one.
   */
  begins(una: number, t: number, timed: boolean): Call | undefined {
    const call = this.#refused;
    const crossed = timed && call !== undefined && t - call.t < reaction(this.#stamps);
    if (!crossed) this.#refused = undefined;
    this.#refusal = undefined;
    this.#obeyed = una;
    return call;
  }

  /** It begins by the ACK timer. Gives the rule that this breaks where no retry_cnt allows as many. */
  byTimer(): Rule | undefined {
    if (++this.#timeouts <= mostRetries(this.#tables.machine)) return undefined;
    return this.#tables.retry.by({
      cause: 'timeout',
      retryLeft: 'none',
      rnrLeft: 'some',
      retransmission: 'none',
      alternatePath: 'none',
    })[0];
  }

  /** What is overdue when something new is sent; `waits`: a request is unanswered that the ACK timer runs for. */
  overdue(t: number, waits: boolean): Overdue | undefined {
    const refusal = this.#refusal;
    if (refusal !== undefined) return this.#disregarded(refusal, t);
    if (this.#refused !== undefined || !waits || !(t - this.#started > this.#window + noticed(this.#stamps)))
      return undefined;
    const [rule] = this.#tables.timer.by({ ackTimer: 'running', elapsed: 'overdue' });
    return { rule, expected: `a retransmission within ${inUnits(this.#window)} without a response` };
  }

  #disregarded({ cause, psn, t: since, wait }: Refusal, t: number): Overdue | undefined {
    if (t - since <= longestWait(this.#tables.machine, wait, noticed(this.#stamps))) return undefined;
    const expected = `PSN ${psn} once more, which ${names[cause]} asks for`;
    if (cause === 'rnr-nak') return { rule: this.#tables.rnrTimer.by({ rnrWait: 'long-over' })[0], expected };
    const implied = cause === 'implied-nak';
    const answer = implied ? 'ack' : cause;
    const gap = implied ? 'before' : 'none';
    const [rule] = this.#tables.response.by({ responsePsn: 'outstanding', answer, gap, fit: 'not-needed' });
    return { rule, expected };
  }

  /** Nothing is known any more. */
  restart(): void {
    this.#refusal = undefined;
    this.#refused = undefined;
    this.#obeyed = -1;
    this.#started = Number.POSITIVE_INFINITY;
    this.#timeouts = 0;
  }
}

const names: Readonly<Record<Cause, string>> = {
  'sequence-nak': 'a NAK PSN sequence error',
  'rnr-nak': 'an RNR NAK',
  'implied-nak': 'an answer that passes over it',
};
