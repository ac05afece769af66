import { leastPathMtu } from '../../spec/constants.ts';
import { requestShape } from '../device/packet/opcode-shape.ts';
import type { Difference } from '../device/packet/header.ts';
import type { ObservedReply } from '../device/packet/observed-reply.ts';
import type { When } from '../spot.ts';
import type { Packet } from '../../wire/packet.ts';
import { psnAdd } from '../../wire/psn.ts';
import { doubted } from './anew.ts';
import { Answered } from './answered.ts';
import type { CapturedSurroundings } from './demands.ts';
import { Ended } from './ended.ts';
import { FormerAtomics } from './former-atomics.ts';
import { ConnectionLife } from './life.ts';
import { Naks } from './naks.ts';
import { packetsOf } from '../packets-of.ts';
import { Asked } from './requests/asked.ts';
import { mostResponses } from './requests/psn-record.ts';
import { wrongRepetition } from './requests/repetition.ts';
import { seenRequest, wrongVersion, type SeenRequest } from './requests/seen-request.ts';
import { RequestSights } from './requests/sights.ts';
import { Unanswered } from './unanswered.ts';

/**
 * Judges one RC requester by the packets of a capture, which may lack some, hold some twice, and show them in another order than
 * they were sent in. What each PSN stands for does not depend on any of that, and so is judged by itself and its neighbours.
 */
export class CapturedRequester {
  readonly asked = new Asked();
  /** responses to it */
  readonly answered = new Answered();
  readonly #around: CapturedSurroundings;
  readonly #sights: RequestSights;
  readonly #life: ConnectionLife;
  /** whether the newest request may have begun another connection */
  renewed = false;
  readonly #naks: Naks;
  readonly #ended: Ended;
  readonly #former = new FormerAtomics();
  readonly #unanswered = new Unanswered();
  #disputes = false;
  /** Whether no conformant requester sends the newest request, so that one in its place may follow which the capture lacks. */
  malformed = false;
  /** whether what is new follows packets that were sent again, or of another connection */
  #goesOn = false;

  constructor(around: CapturedSurroundings) {
    this.#around = around;
    this.#life = new ConnectionLife({ resends: true, lossy: around.lossy });
    this.#naks = new Naks(around.stamps);
    this.#ended = new Ended(around.stamps);
    const { asked } = this;
    this.#sights = new RequestSights(around, { asked, naks: this.#naks, unanswered: this.#unanswered });
  }

  /**
   * Whether the newest request begins another connection, repeats what was acknowledged, or is another one than that which had its
   * PSN, so that it is unknown which of them the responder has taken.
   */
  get unsettles(): boolean {
    return (this.renewed && (this.#life.passed || this.#life.leaps)) || this.#disputes || this.#goesOn;
  }

  /** Whether the newest request is another one than that which had its PSN, in the same connection or in the one before. */
  get disputes(): boolean {
    return this.#disputes;
  }

  /** Whether the newest request begins another connection, since a NAK has ended the one before. */
  get succeeds(): boolean {
    return this.renewed && this.#life.succeeds;
  }

  /** Whether the newest request begins another connection, or the capture lacks hundreds before it. */
  get leaps(): boolean {
    return this.#life.leaps;
  }

  /** Whether its PSN is, behind a pause, further from those before than any window. */
  get far(): boolean {
    return this.#life.far;
  }

  /** Gives whether the packet may be a copy of an earlier one that was made on the way, and nothing calls for it. */
  request(packet: Packet, when: When): boolean {
    const { family } = requestShape(packet.opcode);
    this.renewed = false;
    this.#disputes = false;
    this.malformed = false;
    if (!packet.icrcOk) return false;
    if (family === 'other') {
      this.renewed = this.#life.isNew(packet.psn, when.t, false);
      if (this.renewed) this.#mayForget();
      return false;
    }
    const request = seenRequest(packet, when.t);
    const repeated = this.repeats;
    const former = this.asked.record.at(request.psn);
    const differs = former !== undefined && wrongRepetition(former, request) !== undefined;
    this.renewed = this.#life.isNew(request.psn, when.t, differs);
    if (this.renewed) {
      this.#disputes = differs;
      this.#mayForget();
    }
    this.#former.asked();
    if (this.#life.resumes || this.#life.skips) this.asked.record.resume(request.psn);
    this.#goesOn = (repeated && !this.repeats) || (this.#life.resumes && this.#life.resumed);
    if (!this.repeats || wrongVersion(packet) !== undefined) return this.#look(packet, request, when);
    let copy = false;
    const wrong = doubted(this.#around.ledger, () => {
      copy = this.#look(packet, request, when);
    });
    if (!wrong) return copy;
    this.beginAnew();
    // or a second request with its PSN, of the same connection
    return this.#look(packet, { ...seenRequest(packet, when.t), disputed: true }, when);
  }

  /** Whether the newest requests are sent again from the first one on, or of another connection: what contradicts the one is in doubt. */
  get repeats(): boolean {
    return this.#life.repeats;
  }

  /** Whether what is wrong with a response may be so because it is of another connection than the requests before it. */
  uncertain(seen: ObservedReply): boolean {
    const { kind, psn } = seen;
    if (this.#life.repeats || this.#life.silent || this.#life.resumed) return true;
    if (this.#life.mayCountAnew(seen)) return true;
    return kind === 'sequence-nak' && (this.#life.mayAskFor(psn) || this.mayBegin(seen));
  }

  /** Whether it is a NAK of a QP that has been connected anew with the same first PSN, however soon. */
  mayBegin({ kind, psn, msn }: ObservedReply): boolean {
    return kind === 'sequence-nak' && msn === 0 && this.#life.mayBeginAt(psn);
  }

  /** Whether it answers what was seen to be asked, and what nothing has acknowledged yet. */
  awaits(seen: ObservedReply): boolean {
    const { kind, psn } = seen;
    const nak = kind === 'sequence-nak' || kind === 'rnr-nak' || kind === 'fatal-nak';
    if (this.#life.isAcknowledged(psn) || !this.asked.isAnsweredBy(seen)) return false;
    return !nak || this.asked.record.at(psn) !== undefined;
  }

  /** A response to it, whatever it says, was seen. */
  noteResponse(seen: ObservedReply, t: number): void {
    this.#life.heard(seen.psn, t, () => this.asked.mayBeAnsweredBy(seen));
  }

  /** The newest request is of another connection. */
  beginAnew(): void {
    this.#life.beginAnew();
    this.#former.clear();
    this.#forget();
    this.renewed = true;
    this.#goesOn = true;
  }

  #look(packet: Packet, request: SeenRequest, when: When): boolean {
    const { as, copy, anew, disputes, malformed } = this.#sights.see(
      packet,
      request,
      when,
      () => this.repeats,
    );
    if (disputes) this.#disputes = true;
    this.malformed = malformed;
    if (anew) this.#goesOn = true;
    if (as === 'first' && request.family === 'read') this.#reaches(request);
    return copy;
  }

  /** Whether a NAK has refused what had the PSN, and the capture does not show it once more, so that another request may have come in its place. */
  refused(psn: number): boolean {
    const request = this.asked.record.at(psn);
    return request !== undefined && this.#naks.callFor(request);
  }

  /** How an ATOMIC is answered otherwise than before a pause, in the same connection for sure. */
  anotherValue(seen: ObservedReply): Difference | undefined {
    return this.#around.lossy ? undefined : this.#former.wrong(this.asked.record.at(seen.psn), seen);
  }

  /** How the response cannot be, since a NAK has ended the connection before. */
  afterEnd(seen: ObservedReply, t: number): Difference | undefined {
    return this.#ended.reply(seen, t);
  }

  /** A response to one of its requests. */
  reply(seen: ObservedReply, t: number): void {
    const { kind, psn, packet } = seen;
    if (kind === 'read-middle' || packet.info?.operation === 'RDMA_READ_RESPONSE_FIRST')
      this.asked.fullResponse(seen, t);
    const data = kind === 'read-response' || kind === 'read-middle';
    // how far a READ reaches its responses tell, where the path MTU is not known
    if (data && this.asked.mtu === 0 && this.asked.record.mayBeOfRead(psn, 0))
      this.#life.reaches(psnAdd(psn, 1));
    const refused = kind === 'sequence-nak' || kind === 'rnr-nak';
    const ends = completes(seen);
    this.#life.answered(ends ? psnAdd(psn, 1) : psn, refused);
    if (kind === 'fatal-nak') this.#life.ends();
    if (ends && kind !== 'ack') this.#unanswered.answered(psn);
    this.#naks.reply(seen, this.asked.record.at(psn), this.#unanswered, t);
  }

  /** The newest request may be of another connection. */
  #mayForget(): void {
    if (!this.#around.lossy) this.#former.keep(this.asked.record);
    this.#forget();
  }

  #forget(): void {
    this.asked.clear();
    this.answered.clear();
    this.#naks.clear();
    this.#ended.clear();
    this.#unanswered.clear();
  }

  #reaches(read: SeenRequest): void {
    const behind = this.asked.behindRead(read.psn);
    if (behind !== undefined) this.#life.reaches(behind);
    else
      this.#life.mayReach(
        psnAdd(read.psn, Math.min(packetsOf(read.reth?.dmaLen ?? 0, leastPathMtu), mostResponses)),
      );
  }
}

/** Whether nothing is asked for any more up to its PSN, if those before it have come. */
function completes({ kind, position }: ObservedReply): boolean {
  return kind === 'ack' || kind === 'atomic-ack' || (kind === 'read-response' && position !== 'first');
}
