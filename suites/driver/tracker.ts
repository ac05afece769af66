import { decodeSyndrome } from '../../spec/constants.ts';
import type { Packet } from '../../wire/packet.ts';
import { psnAdd } from '../../wire/psn.ts';

/**
 * The expected PSN of the responder, as far as the answers seen tell: a request sent at it counts as accepted, and a NAK
 * of any kind takes it back to the NAK's PSN. Needed only to aim crafted packets; verdicts do not rest on it.
 */
export class PsnTracker {
  next: number;

  constructor(startPsn: number) {
    this.next = startPsn;
  }

  /** A request went out. `psns` is what it takes of the PSN space. */
  sent(psn: number, psns: number): void {
    if (psn === this.next) this.next = psnAdd(psn, psns);
  }

  /** A response came in. */
  seen(packet: Packet): void {
    const word = packet.aethWord;
    if (word === -1) return;
    const { kind } = decodeSyndrome(word >>> 24);
    if (kind === 'nak' || kind === 'rnr-nak') this.next = packet.psn;
  }
}
