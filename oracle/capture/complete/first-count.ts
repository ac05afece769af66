import type { Difference } from '../../device/packet/header.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import { endsOf, requestShape } from '../../device/packet/opcode-shape.ts';
import type { Packet } from '../../../wire/packet.ts';
import { psnAdd, psnDiff } from '../../../wire/psn.ts';

/** Messages that are counted; a connection that is not answered before is left alone. */
const most = 1024;

/** The messages of a connection whose first request is in sight, until a response says how many the responder has counted. */
export class FirstCount {
  #from = -1;
  /** behind the newest request */
  #behind = -1;
  /** PSNs of the requests that end a message */
  #ends: number[] = [];
  #certain = true;
  /** whether it holds a READ of which nobody can count the PSNs */
  #open = false;

  /** Another connection begins, or, where that is not certain, what was sent before is sent again. */
  begin(psn: number, { certain }: { certain: boolean }): void {
    this.#from = this.#behind = psn;
    this.#ends = [];
    this.#open = false;
    this.#certain = certain;
  }

  /** `behind`: the PSN behind those of the request; `undefined` where that of a READ is not known. */
  request({ psn, opcode }: Packet, behind: number | undefined): void {
    if (this.#from < 0 || psnDiff(psn, this.#behind) < 0) return;
    if (this.#ends.length === most) return this.forget();
    // what asks for a part of it once more counts as a message, too
    if (behind === undefined) this.#open = true;
    this.#behind = behind ?? psnAdd(psn, 1);
    if (endsOf(requestShape(opcode).position).ends) this.#ends.push(psn);
  }

  /** How the MSN of a response cannot be. The first one that has an MSN is looked at: those behind are held against it. */
  reply(seen: ObservedReply): (Difference & { certain: boolean }) | undefined {
    const { kind, psn, msn } = seen;
    if (this.#from < 0 || msn < 0 || !this.#answers(psn)) return undefined;
    const exact = kind === 'ack' || kind === 'atomic-ack';
    const least = exact && !this.#open ? this.#ends.filter((end) => psnDiff(end, psn) <= 0).length : 0;
    const all = this.#ends.length;
    this.forget();
    if (msn >= least && msn <= all) return undefined;
    const range = least === all ? `${all}` : `${least} to ${all}`;
    return {
      expected: `MSN ${range} of a connection that has just begun`,
      observed: `MSN ${msn}`,
      certain: this.#certain,
    };
  }

  #answers(psn: number): boolean {
    return psnDiff(psn, this.#from) >= 0 && psnDiff(psn, psnAdd(this.#behind, -1)) <= 0;
  }

  forget(): void {
    this.#from = -1;
  }
}
