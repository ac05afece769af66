import type { Packet } from '../../wire/packet.ts';
import type { Qp } from '../device/qp.ts';
import { mtuOf, type CongestionQps } from './qps.ts';
import type { CongestionContext, Hold } from './context.ts';
import { headroom } from './deadlines.ts';

/**
 * A reaction point that tells of no rates. What it makes of CNPs is not judged; QPs that one has named may send as slowly as the
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

  /** A CNP reached the device, which may heed it whatever it looks like. */
  arrived(packet: Packet, t: number): void {
    const qp = this.#qps.byNumber(packet.destQp);
    if (qp === undefined) return;
    this.#context.ledger.skip('CNPs to a device that tells of no rates');
    this.#named.add(qp);
    this.#holds(qp, mtuOf(qp) + headroom, t);
  }

  /** The device sent a request. */
  sent(packet: Packet, t: number): void {
    const qp = this.#qps.senderOf(packet);
    if (qp !== undefined && this.#named.has(qp)) this.#holds(qp, packet.frame.length, t);
  }

  #holds(qp: Qp, bytes: number, t: number): void {
    const least = this.#context.profile?.dcqcn?.minRate ?? 0;
    this.#hold(qp, t, t + (2 * bytes * 8e9) / least);
  }
}
