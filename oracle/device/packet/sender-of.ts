import type { Packet } from '../../../wire/packet.ts';
import type { Qp } from '../qp.ts';

/** Of all QPs the one whose peer the packet is addressed to; with one QP only, that one, wherever the packet goes. */
export function senderOf<T>(packet: Packet, qps: Iterable<readonly [Qp, T]>): T | undefined {
  let count = 0;
  let newest: T | undefined;
  for (const [qp, one] of qps) {
    if (qp.peerQpNumber === packet.destQp) return one;
    newest = one;
    count++;
  }
  return count === 1 ? newest : undefined;
}
