import { decodeSyndrome } from '../../../spec/constants.ts';
import type { Packet } from '../../../wire/packet.ts';
import { psnAdd } from '../../../wire/psn.ts';

/**
 * The expected PSN of the responder, as far as the answers seen tell: a request sent at it counts as accepted, and a NAK
 * of any kind takes it back to the NAK's PSN. An unreliable responder expects whatever follows the first packet of a
 * message (UD: any packet). Needed only to aim crafted packets; verdicts do not rest on it.
 */
export class PsnTracker {
  next: number;
  private readonly unreliable: boolean;

  constructor(startPsn: number, service: 'RC' | 'UC' | 'UD' = 'RC') {
    this.next = startPsn;
    this.unreliable = service !== 'RC';
  }

  /** A request went out. `psns` is what it takes of the PSN space; `begins`: with it begins a message. */
  sent(psn: number, psns: number, begins: boolean): void {
    if (psn === this.next || (this.unreliable && begins)) this.next = psnAdd(psn, psns);
  }

  /** A response came in. */
  seen(packet: Packet): void {
    const word = packet.aethWord;
    if (word === -1) return;
    const { kind } = decodeSyndrome(word >>> 24);
    if (kind === 'nak' || kind === 'rnr-nak') this.next = packet.psn;
  }
}
