import type { Difference } from '../device/packet/header.ts';
import { isNak } from '../device/packet/observed-reply.ts';
import type { ObservedReply } from '../device/packet/observed-reply.ts';
import type { Stamps } from '../device/packet/stamps.ts';
import { psnDiff } from '../../wire/psn.ts';
import { describe } from '../../wire/index.ts';
import { captureLatitude } from '../../spec/latitudes.ts';

/** The NAK that has ended a connection. Until its QP may have been connected anew, nothing that it refused is answered. */
export class Ended {
  #nak: { psn: number; t: number } | undefined;
  readonly #stamps: Stamps;

  constructor(stamps: Stamps) {
    this.#stamps = stamps;
  }

  /** A response was seen; gives how it cannot be, if it says that something behind the NAK was carried out or refused. */
  reply(seen: ObservedReply, t: number): Difference | undefined {
    const { kind, psn, packet, reserved } = seen;
    const nak = this.#nak;
    // what one with a reserved code stands for is unknown
    if (kind === 'fatal-nak' && !reserved) this.#nak = { psn, t };
    if (nak === undefined || kind === 'read-middle') return undefined;
    const beyond = psnDiff(psn, nak.psn);
    if (beyond < 0 || (isNak(seen) && beyond === 0)) return undefined;
    if (t - nak.t + this.#stamps.slack >= captureLatitude().times.pause) {
      if (kind !== 'fatal-nak') this.clear();
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
