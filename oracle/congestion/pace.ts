import { dcqcnTolerance } from '../../spec/dcqcn.ts';
import type { Packet } from '../../wire/packet.ts';
import type { Qp } from '../device/qp.ts';
import { mtuOf } from './qps.ts';
import type { CongestionContext } from './context.ts';

/**
 * A bucket that payload of requests fills and the rate of the QP drains. It may hold `burst` packets of the path MTU, and what
 * passes within the jitter of the recorder; the rate counts a share of `pace` more than it is.
 */
export class Pace {
  readonly #qp: Qp;
  readonly #context: CongestionContext;
  readonly #tolerance = dcqcnTolerance();
  #bits = 0;
  #t: number | undefined;

  constructor(qp: Qp, context: CongestionContext) {
    this.#qp = qp;
    this.#context = context;
  }

  /** Another rate is in force from now on; `rate`, bits per second, was until now. */
  changes(t: number, rate: number): void {
    this.#drain(t, rate);
  }

  /** Gives the bits by which the QP is ahead, 0 or less where it is not. */
  sent(packet: Packet, t: number, rate: number): number {
    this.#drain(t, rate);
    this.#bits += packet.payloadLength * 8;
    const room = this.#tolerance.burst * mtuOf(this.#qp) * 8 + (this.#context.jitter * rate) / 1e9;
    const ahead = this.#bits - room;
    if (ahead > 0) this.#bits = 0;
    return ahead;
  }

  #drain(t: number, rate: number): void {
    const since = this.#t === undefined ? t : this.#context.stalls.earliest(this.#t);
    this.#bits = Math.max(0, this.#bits - (((t - since) * rate) / 1e9) * (1 + this.#tolerance.pace));
    this.#t = t;
  }
}
