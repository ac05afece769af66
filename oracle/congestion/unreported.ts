import type { Packet } from '../../wire/packet.ts';
import type { CongestionQp, CongestionQps } from './qps.ts';
import type { CongestionContext } from './context.ts';
import { headroom } from './deadlines.ts';
import type { Requesters } from '../rc-requester/requesters.ts';

/**
 * A reaction point that tells of no rates. What it makes of CNPs is not judged; QPs that one has named may send as slowly as the
 * profile's least rate lets them (bits per second; where the profile names none, any packet may wait without end), and what
 * they owe is excused for as long.
 */
export class SilentRates {
  readonly #context: CongestionContext;
  readonly #qps: CongestionQps;
  readonly #requesters: Requesters;
  readonly #named = new Set<CongestionQp>();

  constructor(context: CongestionContext, qps: CongestionQps, requesters: Requesters) {
    this.#context = context;
    this.#qps = qps;
    this.#requesters = requesters;
  }

  /** A CNP reached the device, which may heed it whatever it looks like. */
  arrived(packet: Packet, t: number): void {
    const qp = this.#qps.byNumber(packet.destQp);
    if (qp === undefined) return;
    this.#context.ledger.skip('CNPs to a device that tells of no rates');
    this.#named.add(qp);
    this.#hold(qp, qp.mtu + headroom, t);
  }

  /** The device sent a request. */
  sent(packet: Packet, t: number): void {
    const qp = this.#qps.senderOf(packet);
    if (qp !== undefined && this.#named.has(qp)) this.#hold(qp, packet.frame.length, t);
  }

  #hold({ number }: CongestionQp, bytes: number, t: number): void {
    const least = this.#context.profile?.dcqcn?.minRate ?? 0;
    this.#requesters.hold(number, t, t + (2 * bytes * 8e9) / least);
  }
}
