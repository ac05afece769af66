import type { Packet } from '../../wire/packet.ts';
import type { Rule } from '../rules.ts';
import type { MemoryNode } from '../device/memory.ts';
import type { Migration } from '../path-migration/migration.ts';
import type { RequesterMachine } from './machine.ts';
import { RcRequesterVariables } from './variables.ts';

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
  /** what the wait may have come to by RNR NAKs of the same packet during it: the latest of them, and the longest time */
  latest: { since: number; wait: number };
}

/** Why the requester's work has ended. */
export interface RequesterFailure {
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

/** The last response that has come since a packet was sent, and when that was sent. */
export interface LastResponse {
  t: number;
  sent: number;
}

/** Rules that have applied, newest first. */
export interface Applied {
  rules: readonly Rule[];
  previous: Applied | undefined;
}

/**
 * Everything that the oracle holds to be true of one RC requester: the variables of the machine, and what is built in. Arrays
 * and objects are replaced, not changed.
 */
export class RequesterState extends RcRequesterVariables {
  readonly machine: RequesterMachine;
  /** causes of retransmission that nothing has been sent again for. Built in: a list. */
  causes: readonly RetransmitCause[] = [];
  /** why the QP failed. Built in: the rule and the event that are to be named. */
  failure: RequesterFailure | undefined;
  /** PSNs with which READ requests were sent, of those not complete. Built in: a list. */
  reads: readonly number[] = [];
  migration: Migration;
  /** index in the trace of what last called for an event of path migration. Built in: evidence. */
  pathEvent = 0;
  memory: MemoryNode | undefined;
  /** stands for the responses whose payload went to memory, in their order */
  landed = 0;
  /** responses that have not been looked at yet */
  arrivals: readonly Arrival[] = [];
  /** Built in: evidence of what a packet that goes back for no reason goes back for. */
  lastResponse: LastResponse | undefined;
  /** rules that have applied since everything was last at rest */
  applied: Applied | undefined;

  constructor(machine: RequesterMachine) {
    super();
    this.machine = machine;
    this.migration = machine.firstMigration;
  }

  /** That of a QP which has just been created. */
  static first(machine: RequesterMachine): RequesterState {
    const state = new RequesterState(machine);
    machine.start({ queue: { length: 0 } }, state);
    return state;
  }

  clone(): RequesterState {
    const copy = new RequesterState(this.machine);
    this.machine.layout.copy(this, copy);
    copy.causes = this.causes;
    copy.failure = this.failure;
    copy.reads = this.reads;
    copy.migration = this.migration;
    copy.pathEvent = this.pathEvent;
    copy.memory = this.memory;
    copy.landed = this.landed;
    copy.arrivals = this.arrivals;
    copy.lastResponse = this.lastResponse;
    copy.applied = this.applied;
    return copy;
  }

  /** What is built in, as the QP goes to RESET; what was done to memory stays, and what has arrived is looked at later. */
  forget(): void {
    this.causes = [];
    this.failure = undefined;
    this.reads = [];
    this.migration = this.migration.ended;
    this.pathEvent = 0;
  }

  /** Notes rules that have applied. */
  note(rules: readonly Rule[]): void {
    if (rules.length > 0) this.applied = { rules, previous: this.applied };
  }

  /** Takes in what another state with the same key may do besides. */
  absorb(other: RequesterState): void {
    this.machine.layout.absorb(this, other);
  }

  /** States with equal keys behave alike from now on, but for what `absorb` takes in. */
  key(): string {
    const { failure } = this;
    return [
      this.machine.layout.key(this),
      this.causes
        .map((l) => `${l.cause}${l.psn}/${l.since + l.wait}/${l.latest.since}/${l.latest.wait}`)
        .join(','),
      failure?.rule?.id ?? '',
      this.reads.join('.'),
      this.migration.key,
      this.arrivals.length,
      this.landed,
    ].join('|');
  }
}
