import type { Difference } from '../device/packet/header.ts';
import type { ObservedReply } from '../device/packet/observed-reply.ts';
import type { Stamps } from '../device/packet/stamps.ts';
import { psnDiff } from '../../wire/psn.ts';
import { describe } from '../../wire/index.ts';
import { leastPause } from './life.ts';

/** The NAK that has ended a connection. Until its QP may have been connected anew, nothing that it refused is answered. */
export class Ended {
  #nak: { psn: number; t: number } | undefined;
  readonly #stamps: Stamps;

  constructor(stamps: Stamps) {
    this.#stamps = stamps;
  }

  /** A response was seen; gives how it cannot be, if it says that something was carried out behind the NAK. */
  reply({ kind, psn, packet }: ObservedReply, t: number): Difference | undefined {
    if (kind === 'fatal-nak') this.#nak = { psn, t };
    const nak = this.#nak;
    const positive = kind === 'ack' || kind === 'atomic-ack' || kind === 'read-response';
    if (nak === undefined || !positive || psnDiff(psn, nak.psn) < 0) return undefined;
    if (t - nak.t + this.#stamps.slack >= leastPause) {
      this.clear();
      return undefined;
    }
    return {
      expected: `no answer to PSN ${psn}: a NAK has ended the connection at PSN ${nak.psn}`,
      observed: describe(packet),
    };
  }

  clear(): void {
    this.#nak = undefined;
  }
}
