import type { Packet } from '../../wire/packet.ts';
import type { Qp } from '../device/qp.ts';
import { mtuOf } from './qps.ts';
import type { PostedSend } from '../device/posted-send.ts';

/** Bytes that every datagram may have: the smallest path MTU. */
const always = 256;

/**
 * What a QP of UC or UD has been given to send and has not sent yet. Nothing holds its packets back but its rate. Times in
 * nanoseconds of the trace.
 */
export class Backlog {
  readonly #qp: Qp;
  #packets = 0;
  /** it is not known what is left, e.g. since a datagram may be too long for the port */
  #unknown = false;
  /** bytes of the longest datagram that is known to fit */
  #fits = always;
  /** since when the oldest packet has had nothing in front of it; `undefined` where none is left */
  #since: number | undefined;
  /** the lowest rate that was in force since the last packet, bits per second */
  slowest = Number.POSITIVE_INFINITY;

  constructor(qp: Qp) {
    this.#qp = qp;
  }

  posted({ length: bytes, t }: PostedSend): void {
    const { kind } = this.#qp;
    if (kind === 'UD' && bytes > this.#fits) this.#unknown = true;
    this.#packets += kind === 'UD' ? 1 : Math.max(1, Math.ceil(bytes / mtuOf(this.#qp)));
    if (this.#packets > 0) this.#since ??= t;
  }

  /** `rate`: what is in force. */
  sent({ payloadLength }: Packet, t: number, rate: number): void {
    this.#fits = Math.max(this.#fits, payloadLength);
    this.#packets--;
    this.#since = this.#packets > 0 ? t : undefined;
    this.slowest = rate;
  }

  changes(rate: number): void {
    this.slowest = Math.min(this.slowest, rate);
  }

  /** What was under way is unknown until the QP is reset. */
  forget(): void {
    this.#unknown = true;
  }

  /** Since when the QP has had a packet to send and nothing to wait for but its rate; `undefined` where that is not so, or not known. */
  get since(): number | undefined {
    return this.#unknown ? undefined : this.#since;
  }
}
