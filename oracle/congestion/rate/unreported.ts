import type { Packet } from '../../../wire/packet.ts';
import type { Qp } from '../../device/qp.ts';
import { qpInputs } from '../arrival.ts';
import type { CongestionQps } from '../qps.ts';
import type { CongestionContext, Hold } from '../context.ts';

/**
 * A reaction point that reports no rates. What it makes of CNPs is not judged; QPs that one has named may send as slowly as the
 * profile's least rate lets them (bits per second; where the profile names none, any packet may wait without end), and what
 * they owe is excused for as long.
 */
export class SilentRates {
  readonly #context: CongestionContext;
  readonly #qps: CongestionQps;
  readonly #hold: Hold;
  readonly #named = new Set<Qp>();

  constructor(context: CongestionContext, qps: CongestionQps, hold: Hold) {
    this.#context = context;
    this.#qps = qps;
    this.#hold = hold;
  }

  /** A CNP reached the device, which may react to it whatever it looks like. */
  arrived(packet: Packet, t: number): void {
    const qp = this.#qps.byNumber(packet.destQp);
    if (qp === undefined) return;
    this.#context.ledger.skip('CNPs to a device that reports no rates');
    this.#named.add(qp);
    const longest = this.#context.machine.number('largestPacket');
    this.#holds(qp, longest({ qp: qpInputs(qp) }, this.#context.none), t);
  }

  /** The device sent a request or a READ response. */
  sent(packet: Packet, t: number): void {
    const qp = this.#qps.senderOf(packet);
    if (qp !== undefined && this.#named.has(qp)) this.#holds(qp, packet.frame.length, t);
  }

  #holds(qp: Qp, bytes: number, t: number): void {
    const { machine, declared, none } = this.#context;
    const sent = { frame: bytes, payload: 0, read: false };
    const wait = machine.number('heldUnreported')({ ...declared, sent }, none);
    this.#hold(qp, t, wait < 0 ? Number.POSITIVE_INFINITY : t + wait);
  }
}
