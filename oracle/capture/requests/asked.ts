import { requestShape } from '../../device/packet/opcode-shape.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import type { Packet } from '../../../wire/packet.ts';
import { psnAdd, psnDiff } from '../../../wire/psn.ts';
import { captureLatitude } from '../../../spec/latitudes.ts';
import { PsnRecord } from './psn-record.ts';

/** What one requester was seen to ask for, and what a response may answer. */
export class Asked {
  readonly record = new PsnRecord();
  /** the newest full READ response, and whether the one before had its length as well */
  #response = { length: 0, sure: false, psn: -1, t: 0 };
  /** length of the full response right before the newest one, where that is another one; 0: it is not */
  #before = 0;

  /** Path MTU of the connection; 0: not known, or the ends do not agree. */
  get mtu(): number {
    const own = this.record.mtu;
    const far = this.#response.sure ? this.#response.length : 0;
    if (own === 0 || far === 0 || own === far) return Math.max(own, far);
    return 0;
  }

  /** A response came that a further one follows. */
  fullResponse({ psn, kind, packet }: ObservedReply, t: number): void {
    const length = packet.payloadLength;
    const before = this.#response;
    const follows =
      kind === 'read-middle' &&
      psnDiff(psn, before.psn) === 1 &&
      Math.abs(t - before.t) < captureLatitude().times.pause;
    this.#before = follows && before.length !== length ? before.length : 0;
    this.#response = { length, sure: length === before.length, psn, t };
  }

  /** How many bytes the full response right before this one had, if as many are not in this one; 0: as many, or nobody can say. */
  otherLengthBefore({ psn, kind }: ObservedReply): number {
    return kind === 'read-middle' && psn === this.#response.psn ? this.#before : 0;
  }

  /** Whether it was seen to send a request that such a response may answer. */
  mayBeAnsweredBy({ kind, psn }: ObservedReply): boolean {
    const request = this.record.at(psn);
    switch (kind) {
      case 'read-response':
      case 'read-middle':
        return request === undefined ? this.record.mayBeOfRead(psn, this.mtu) : request.family === 'read';
      case 'atomic-ack':
        return request?.family === 'atomic';
      case 'ack':
        return request !== undefined;
      case 'sequence-nak':
      case 'rnr-nak':
      case 'fatal-nak':
        return request !== undefined || this.record.at(psnAdd(psn, -1)) !== undefined;
    }
  }

  /** The same, where a READ or an ATOMIC is not answered by an acknowledgement alone, nor a READ by a response of another place. */
  isAnsweredBy(seen: ObservedReply): boolean {
    const family = seen.kind === 'ack' ? this.record.at(seen.psn)?.family : undefined;
    return (
      family !== 'read' && family !== 'atomic' && this.mayBeAnsweredBy(seen) && this.#hasPlace(seen) !== false
    );
  }

  /** The same, where the place of a READ response is known as well. */
  isSurelyAnsweredBy(seen: ObservedReply): boolean {
    return this.isAnsweredBy(seen) && this.#hasPlace(seen) === true;
  }

  /** Whether a response that carries data of a READ ends it where it has to; `undefined`: that place is unknown. */
  #hasPlace({ kind, psn, position, packet }: ObservedReply): boolean | undefined {
    if (kind !== 'read-response' && kind !== 'read-middle') return true;
    const whole = this.record.at(psn)?.reth?.dmaLen;
    if (whole !== undefined) return (position === 'only') === (packet.payloadLength === whole);
    const found = this.record.readAt(psn, this.mtu);
    const ends = position === 'only' || position === 'last';
    return found && ends === (psnDiff(psn, found.read.psn) === found.count - 1);
  }

  /** PSN behind those that a request stands for; `undefined` of a READ whose responses nobody can count. */
  behind({ psn, opcode }: Packet): number | undefined {
    if (requestShape(opcode).family !== 'read') return psnAdd(psn, 1);
    return this.behindRead(psn);
  }

  /** Likewise, of the READ whose responses have this PSN among theirs. */
  behindRead(psn: number): number | undefined {
    const found = this.record.readAt(psn, this.mtu);
    return found && psnAdd(found.read.psn, found.count);
  }

  clear(): void {
    this.record.clear();
    this.#response = { length: 0, sure: false, psn: -1, t: 0 };
    this.#before = 0;
  }
}
