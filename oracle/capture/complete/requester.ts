import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import type { RequestEntry } from '../../rc-responder/entry.ts';
import type { RequesterTables } from '../../rc-requester/tables.ts';
import type { Rule } from '../../rules.ts';
import type { When } from '../../spot.ts';
import { opcodeByName } from '../../../spec/constants.ts';
import type { Packet } from '../../../wire/packet.ts';
import { psnAdd, psnDiff } from '../../../wire/psn.ts';
import { inUnits } from '../../time.ts';
import type { PsnRecord } from '../requests/psn-record.ts';
import type { Stamps } from '../../device/packet/stamps.ts';
import { Acknowledged } from './acknowledged.ts';
import type { HeldVerdicts } from './held.ts';
import { noticed, OwedRetransmission } from './owed.ts';
import type { Call } from './owed.ts';
import { ackTimer, mostRetries } from './ack-timer.ts';
import type { AckTimer } from './ack-timer.ts';
import { Past } from './past.ts';
import { reaction } from './timer-base.ts';

interface Surroundings {
  readonly tables: RequesterTables;
  readonly held: HeldVerdicts;
  readonly stamps: Stamps;
  /** ACK timer of the shortest interval that it may have, and whether that is the one it has */
  readonly timer: AckTimer;
  readonly timed: boolean;
  readonly name: () => string;
  readonly record: PsnRecord;
  /** whether it may use another path than at first, of whose ACK timeout nothing is known */
  readonly migrated: () => boolean;
}

const readRequest = opcodeByName('RC_RDMA_READ_REQUEST');

/** Judges the order in which one RC requester sends, and why it sends again, where every packet and response is seen. */
export class CompleteRequester {
  readonly #around: Surroundings;
  readonly #acknowledged = new Acknowledged();
  /** when its ACK timer was started, and what was acknowledged, as it has passed the port */
  readonly #started = new Past();
  readonly #reached = new Past();
  /** PSN behind all that were sent, and behind the packet that was sent last; -1: not known */
  #next = -1;
  #cursor = -1;
  /** newest PSN that calls for a response, of a READ that of its last one; -1: none */
  #asking = -1;
  readonly #owed: OwedRetransmission;
  readonly #shortest: AckTimer;
  #path = '';
  #failed = Number.POSITIVE_INFINITY;
  #acknowledgedAt = 0;

  constructor(around: Surroundings) {
    this.#around = around;
    this.#shortest = ackTimer(around.tables.machine);
    this.#owed = new OwedRetransmission(
      around.tables,
      around.stamps,
      around.timed ? around.timer.longest : undefined,
    );
  }

  /** `behind`: the PSN behind those of the request; `undefined` where that is not known. */
  request({ packet, t, event }: RequestEntry, behind: number | undefined): void {
    if (behind === undefined) return this.restart();
    const { psn, opcode } = packet;
    const asks = packet.ackReq || packet.atomicEth !== undefined || opcode === readRequest;
    // a READ of unknown length may be open there
    if (this.#next >= 0 && psnDiff(psn, this.#acknowledged.from) < 0) this.restart();
    const ahead = this.#next < 0 ? 0 : psnDiff(psn, this.#next);
    this.#moved(packet);
    if (ahead <= 0) this.#inTurn(psn, { event, t });
    if (ahead >= 0) this.#first(psn, ahead, { event, t });
    else if (psn !== this.#cursor) this.#back(psn, behind, { event, t });
    if (ahead >= 0) {
      const idle = this.#next < 0 || this.#acknowledged.una === this.#next;
      if (idle) this.#starts(t);
      this.#acknowledged.sent(psn, behind, opcode);
      this.#next = behind;
    }
    if (asks) this.#owed.restarted(t);
    const last = psnAdd(behind, -1);
    if (asks && (this.#asking < 0 || psnDiff(last, this.#asking) > 0)) this.#asking = last;
    this.#cursor = behind;
  }

  reply(seen: ObservedReply, t: number): void {
    if (this.#next < 0) return;
    // an answer to something that the capture does not hold
    if (psnDiff(seen.psn, this.#next) >= 0) return this.restart();
    const known = this.#acknowledged.una >= 0;
    const { progress, gap } = this.#acknowledged.reply(seen);
    // an answer to what was acknowledged before, or that is unknown
    const stale = psnDiff(seen.psn, this.#acknowledged.una) < 0 || this.#acknowledged.una < 0;
    const owed = this.#owed;
    owed.restarted(t);
    if (progress) {
      if (known) this.#starts(t);
      this.#acknowledgedAt = t;
      this.#reached.note(t, this.#acknowledged.una, noticed(this.#around.stamps));
      owed.progressed(this.#acknowledged.una);
    }
    if (gap) owed.refused('implied-nak', this.#acknowledged.una, t);
    else if (seen.kind === 'sequence-nak' || seen.kind === 'rnr-nak')
      owed.refused(seen.kind, seen.psn, t, seen.wait, stale);
    if (seen.kind === 'fatal-nak' && !gap && !stale) this.#failed = Math.min(this.#failed, t);
  }

  /** Whether everything had been acknowledged long before `t`, that with the PSN as well: another connection has begun, or it comes again without a reason. */
  repeatsCompleted(psn: number, t: number): boolean {
    const { una } = this.#acknowledged;
    if (una < 0 || una !== this.#next || psnDiff(psn, una) >= 0) return false;
    const { stamps } = this.#around;
    // a NAK may have called for it
    const time = this.#owed.called ? noticed(stamps) : reaction(stamps);
    return t - this.#acknowledgedAt > time;
  }

  /** Another connection may begin, or something was not seen. */
  restart(): void {
    this.#acknowledged.restart();
    this.#reached.clear();
    this.#next = -1;
    this.#cursor = -1;
    this.#asking = -1;
    this.#owed.restart();
    this.#failed = Number.POSITIVE_INFINITY;
  }

  /** On another path its retries begin anew. */
  #moved({ srcIp, dstIp, migReq }: Packet): void {
    const path = `${srcIp} ${dstIp} ${migReq}`;
    if (path !== this.#path) this.#owed.progressed(this.#acknowledged.una);
    this.#path = path;
  }

  /** Nothing that is not acknowledged is left out behind the packet that was sent last. */
  #inTurn(psn: number, when: When): void {
    const { una } = this.#acknowledged;
    const cursor = this.#cursor;
    if (cursor < 0 || una < 0 || psnDiff(psn, cursor) <= 0 || psnDiff(psn, una) <= 0) return;
    const expected = `PSN ${psnDiff(una, cursor) > 0 ? una : cursor} next, which is not acknowledged`;
    this.#violate(this.#place('skips'), when, expected, `PSN ${psn}`);
  }

  #first(psn: number, ahead: number, when: When): void {
    if (this.#next < 0) return;
    if (when.t - this.#failed > noticed(this.#around.stamps)) {
      const expected = 'nothing new after a NAK that ends the connection';
      return this.#violate(this.#place('unposted'), when, expected, `a request with PSN ${psn}`);
    }
    const overdue = this.#owed.overdue(
      when.t,
      this.#waits(this.#acknowledged.una) && !this.#around.migrated(),
    );
    if (overdue !== undefined) {
      const { rule, expected } = overdue;
      this.#owed.restart();
      return this.#violate(rule === undefined ? [] : [rule], when, expected, `a new request with PSN ${psn}`);
    }
    if (ahead === 0) return this.#around.held.ledger.exercise(this.#place('next'));
    const { held, name } = this.#around;
    held.contradict(name(), `a request with PSN ${psn} comes, and none with PSN ${this.#next} before it`);
  }

  /** The packet is none that follows the one before it. */
  #back(psn: number, behind: number, when: When): void {
    const { una } = this.#acknowledged;
    const { stamps } = this.#around;
    const timer = this.#waits(this.#aware(undefined, when.t));
    const { interval } = this.#around.migrated() ? this.#shortest : this.#around.timer;
    const late = timer && this.#elapsed(when.t) >= stamps.least(interval);
    const call = this.#owed.begins(una, when.t, this.#around.timed && late);
    if (psnDiff(psn, this.#cursor) < 0) this.#starts(when.t);
    if (una < 0) return;
    const start = this.#messageOf(this.#aware(call, when.t));
    const observed = `PSN ${psn} once more`;
    if (start !== undefined && psnDiff(behind, start) <= 0) {
      const expected = `nothing before PSN ${start}, which is acknowledged`;
      return this.#violate(this.#place('completed'), when, expected, observed);
    }
    if (psnDiff(psn, this.#cursor) > 0 || this.#messageOf(una) === undefined) return;
    if (psnDiff(psn, una) > 0)
      return this.#violate(
        this.#place('back', 'earlier'),
        when,
        `PSN ${una} first, which is missing`,
        observed,
      );
    const { held, tables } = this.#around;
    const exhausted = late && call === undefined ? this.#owed.byTimer() : undefined;
    if (exhausted !== undefined) {
      const expected = `an end after ${mostRetries(tables.machine)} retries that nothing answers`;
      return this.#violate([exhausted], when, expected, observed);
    }
    if (call !== undefined || late) return held.ledger.exercise(this.#place('back', 'this-or-later'));
    const expected = timer
      ? `a NAK, or ${inUnits(interval)} without a response`
      : 'a NAK: no request waits for a response';
    this.#violate(this.#place('back', 'none'), when, expected, observed);
  }

  /** First PSN that is not acknowledged by what the requester must have noticed, which sends again at `t`; -1: not known. */
  #aware(call: Call | undefined, t: number): number {
    const { stamps } = this.#around;
    const own = t - reaction(stamps);
    // what a NAK calls for may be under way when the Acknowledge behind it comes
    const underWay = call !== undefined && call.cause !== 'rnr-nak' && t - call.t < noticed(stamps);
    return this.#reached.at(underWay ? Math.min(call.t, own) : own) ?? -1;
  }

  #starts(t: number): void {
    this.#started.note(t, t, reaction(this.#around.stamps));
  }

  /** Time that has passed for its ACK timer, of which it may not have noticed the newest start yet. */
  #elapsed(t: number): number {
    return t - (this.#started.at(t - reaction(this.#around.stamps)) ?? Number.NEGATIVE_INFINITY);
  }

  /** Whether something is unanswered that the ACK timer runs for; `una`: the first PSN that is not acknowledged; -1: not known. */
  #waits(una: number): boolean {
    return this.#asking >= 0 && (una < 0 || psnDiff(this.#asking, una) >= 0);
  }

  /** First PSN of the message that the packet belongs to; `undefined`: not known. */
  #messageOf(psn: number): number | undefined {
    const { record } = this.#around;
    if (psn < 0) return undefined;
    if (psn === this.#next) return psn;
    return record.at(psn)?.message?.psn ?? record.readAt(psn, record.mtu)?.read.psn;
  }

  #place(place: string, retransmitCause = 'none'): readonly Rule[] {
    return this.#around.tables.transmission.by({ place, retransmitCause });
  }

  #violate([rule]: readonly Rule[], when: When, expected: string, observed: string): void {
    if (rule === undefined) return;
    const { held, name } = this.#around;
    held.ledger.exercise([rule]);
    held.ledger.violate({ rule: rule.id, ...when, qp: name(), expected, observed });
  }
}
