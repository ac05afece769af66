import type { Packet } from '../../wire/packet.ts';
import type { Rule } from '../rules.ts';
import type { MemoryNode } from '../device/memory.ts';
import { migrationKey, unmoved } from '../path-migration/migration.ts';
import type { Migration } from '../path-migration/migration.ts';
import type { QpStateName } from '../device/qp-state.ts';

export type Cause = 'timeout' | 'sequence-nak' | 'implied-nak' | 'rnr-nak';

/** A NAK, sent or implied, that nothing has been sent again for. */
export interface RetransmitCause {
  cause: Exclude<Cause, 'timeout'>;
  /** the retransmission starts here or before */
  psn: number;
  rule: Rule;
  event: number;
  /** RNR NAK: when it came, and the least time to wait; both 0 otherwise */
  since: number;
  wait: number;
}

/** The end of the requester's work: `item` fails. */
export interface RequesterFailure {
  /** index of the work request in the send queue */
  item: number;
  statuses: readonly string[];
  rule: Rule | undefined;
  event: number;
}

/** A response that has arrived and that the device may not have looked at yet. */
export interface Arrival {
  packet: Packet;
  event: number;
  t: number;
}

/** Rules that have applied, newest first. */
export interface Applied {
  rules: readonly Rule[];
  previous: Applied | undefined;
}

/**
 * Events of path migration that software is owed, whichever role of the QP called for them; the requester keeps the account.
 */
export interface PendingPathEvents {
  /** migrations not announced yet; -1: one was announced that has not shown otherwise */
  readonly migrations: number;
  /** refusals not announced yet, of which one event may tell */
  readonly refusals: number;
  /** an event is owed for the refusals */
  readonly refusalOwed: boolean;
  /** index in the trace of what called for the newest of them */
  readonly event: number;
}

export const noPendingPathEvents: PendingPathEvents = {
  migrations: 0,
  refusals: 0,
  refusalOwed: false,
  event: 0,
};

/**
 * ACK timer. `asked`: newest PSN that calls for a response of its own; -1 if none was sent since the timer stopped. It counts
 * from an instant between `earliest` and `latest`.
 */
export interface AckTimer {
  asked: number;
  earliest: number;
  latest: number;
  /** timeout code of the path that the QP was on when the timer began, if it has migrated since */
  before?: number;
}

/** Everything that the oracle holds to be true of one RC requester. Arrays and objects are replaced, not changed. */
export class RequesterState {
  qpState: QpStateName = 'RESET';
  /** state that software last asked for */
  softwareState: QpStateName = 'RESET';
  /** oldest PSN that is not acknowledged */
  una = 0;
  /** behind the newest PSN ever sent, READ responses included */
  end = 0;
  /** PSN that comes next if nothing happens; before `end` while packets are sent again */
  cursor = 0;
  /** index of the oldest work request that is not acknowledged, and behind the newest posted one */
  head = 0;
  tail = 0;
  /** index of the next work request whose completion has not been seen */
  reported = 0;
  /** bit n: the counter may stand at n */
  retries = 1;
  rnrRetries = 1;
  licences: readonly RetransmitCause[] = [];
  /** going back to this PSN or one before is allowed once more, and not owed; -1: none */
  optional = -1;
  /** packets have been sent again since something was last acknowledged */
  repeatedSinceGain = false;
  /** the longest that the wait after an RNR NAK may last, even if what was refused is acknowledged meanwhile */
  heldUntil = Number.NEGATIVE_INFINITY;
  timer: AckTimer = { asked: -1, earliest: 0, latest: 0 };
  failure: RequesterFailure | undefined;
  /** PSNs with which READ requests were sent, of those not complete */
  reads: readonly number[] = [];
  migration: Migration = unmoved;
  news: PendingPathEvents = noPendingPathEvents;
  memory: MemoryNode | undefined;
  /** stands for the responses whose payload went to memory, in their order */
  landed = 0;
  /** responses that have not been looked at yet */
  arrivals: readonly Arrival[] = [];
  /** rules that have applied since everything was last at rest */
  applied: Applied | undefined;

  clone(): RequesterState {
    const copy = new RequesterState();
    copy.qpState = this.qpState;
    copy.softwareState = this.softwareState;
    copy.una = this.una;
    copy.end = this.end;
    copy.cursor = this.cursor;
    copy.head = this.head;
    copy.tail = this.tail;
    copy.reported = this.reported;
    copy.retries = this.retries;
    copy.rnrRetries = this.rnrRetries;
    copy.licences = this.licences;
    copy.optional = this.optional;
    copy.repeatedSinceGain = this.repeatedSinceGain;
    copy.heldUntil = this.heldUntil;
    copy.timer = this.timer;
    copy.failure = this.failure;
    copy.reads = this.reads;
    copy.migration = this.migration;
    copy.news = this.news;
    copy.memory = this.memory;
    copy.landed = this.landed;
    copy.arrivals = this.arrivals;
    copy.applied = this.applied;
    return copy;
  }

  /** Notes rules that have applied. */
  note(rules: readonly Rule[]): void {
    if (rules.length > 0) this.applied = { rules, previous: this.applied };
  }

  /** Takes in what another state with the same key may do besides. */
  absorb({ retries, rnrRetries, timer, heldUntil }: RequesterState): void {
    this.heldUntil = Math.max(this.heldUntil, heldUntil);
    this.retries |= retries;
    this.rnrRetries |= rnrRetries;
    const { earliest, latest } = this.timer;
    if (timer.earliest < earliest || timer.latest > latest)
      this.timer = {
        ...this.timer,
        earliest: Math.min(earliest, timer.earliest),
        latest: Math.max(latest, timer.latest),
      };
  }

  /** States with equal keys behave alike from now on, but for what the counters and the time of the ACK timer allow. */
  key(): string {
    const { timer, failure } = this;
    return [
      this.qpState,
      this.una,
      this.end,
      this.cursor,
      this.head,
      this.tail,
      this.reported,
      this.licences.map((l) => `${l.cause}${l.psn}/${l.since + l.wait}`).join(','),
      this.optional,
      this.repeatedSinceGain ? 'r' : '',
      `${timer.asked}/${timer.before ?? ''}`,
      failure === undefined ? '' : `${failure.item}${failure.rule?.id ?? ''}`,
      this.reads.join('.'),
      migrationKey(this.migration),
      this.news === noPendingPathEvents
        ? ''
        : `${this.news.migrations}/${this.news.refusals}${this.news.refusalOwed}`,
      this.arrivals.length,
      this.landed,
    ].join('|');
  }
}
