import { forgetOldest } from '../forget-oldest.ts';
import type { Packet } from '../../wire/packet.ts';

/** Senders of UC and UD that are followed at a time; the one that was found first is followed no further. */
export const mostSenders = 0x4000;

/** The sender of a packet: of UC, whom it is for names it. */
export function senderKey(
  { addressKey, srcIp, destQp, deth }: Pick<Packet, 'addressKey' | 'srcIp' | 'destQp' | 'deth'>,
  service: 'UC' | 'UD',
): string {
  return service === 'UC' ? `${addressKey} ${destQp}` : `${srcIp} ${deth?.srcQp}`;
}

/** Who of the senders is followed. */
export class SenderQueue {
  readonly #keys = new Set<string>();

  /** A sender has sent a packet. Gives the one that is followed no further. */
  joined(key: string): string | undefined {
    if (this.#keys.has(key)) return undefined;
    this.#keys.add(key);
    return forgetOldest(this.#keys, mostSenders);
  }
}
