import { forgetOldest } from '../forget-oldest.ts';
import type { Packet } from '../../wire/packet.ts';
import type { Qp } from './qp.ts';

/** A QP that software has destroyed. */
export interface DepartedQp {
  readonly qp: Qp;
  /** when the call was back */
  readonly t: number;
}

/** A trace may destroy any number of QPs; what comes of older ones is nobody's. */
const mostKept = 256;

/** The QPs of a device that were destroyed last, in that order, as packets and completions may still tell of them. */
export class DepartedQps {
  readonly #byNumber = new Map<number, DepartedQp>();

  add(qp: Qp, t: number): void {
    this.#byNumber.set(qp.qpNumber, { qp, t });
    forgetOldest(this.#byNumber, mostKept);
  }

  /** Another QP has that number now. */
  renew(qpNumber: number): void {
    this.#byNumber.delete(qpNumber);
  }

  byNumber(qpNumber: number): DepartedQp | undefined {
    return this.#byNumber.get(qpNumber);
  }

  /** The one that a packet of the device comes from; `living`: QPs that the device has now, which come first. */
  senderOf(packet: Packet, living: Iterable<Qp>): DepartedQp | undefined {
    if (this.#byNumber.size === 0) return undefined;
    const { deth, destQp, dstIp } = packet;
    if (deth !== undefined) return this.#byNumber.get(deth.srcQp);
    for (const qp of living) if (qp.peerQpNumber === destQp) return undefined;
    for (const one of this.#byNumber.values())
      if (one.qp.peerQpNumber === destQp && one.qp.peerAddress === dstIp) return one;
    return undefined;
  }
}
