import { forgetOldest } from '../../forget-oldest.ts';
import type { Difference } from '../../device/packet/header.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import { isNak } from '../../device/packet/observed-reply.ts';
import { lengthOf } from '../lengths.ts';
import { psnAdd } from '../../../wire/psn.ts';
import { ConnectionLife } from '../life.ts';
import { byItself, byNeighbours, byRepetition } from './requests.ts';
import type { Found } from './requests.ts';
import { wrongCount, wrongFragment } from './responses.ts';
import type { Standing } from './responses.ts';
import { countOn } from './seen-placed.ts';
import type { SeenPlaced } from './seen-placed.ts';

/** Packets that are remembered: more than are under way on any path. */
const packetsKept = 1024;

/** What a capture shows of one out-of-order QP as requester, and of the responder that answers it. */
export class PlacedConnection {
  readonly #life = new ConnectionLife({ resends: true, lossy: true });
  readonly #sent = new Map<number, SeenPlaced>();
  /** bytes of a full packet; 0: not known */
  #mtu = 0;
  /** QP number that its responses go to; -1: none has come */
  #own = -1;
  #standing: Standing | undefined;

  /** Whether all responses so far went to that QP. */
  answersTo(qp: number): boolean {
    if (this.#own < 0) this.#own = qp;
    return this.#own === qp;
  }

  /** What was looked at of a request, and is wrong. `doubtful`: it may be of another connection than those before it. */
  request(request: SeenPlaced, t: number): { found: Found; doubtful: boolean } {
    const { psn, position, length } = request;
    const known = this.#sent.get(psn);
    const differs = known !== undefined && known.opcode !== request.opcode;
    if (this.#life.isNew(psn, t, differs)) this.#forget();
    const before = this.#sent.get(psn);
    const found = [...byItself(request, this.#mtu)];
    if (before === undefined) {
      found.push(...this.#besides(request));
      this.#sent.set(psn, request);
      forgetOldest(this.#sent, packetsKept);
    } else {
      const again = byRepetition(before, request);
      found.push(...again);
      // which of them the responder has taken is not known
      if (again.some(([, wrong]) => wrong !== undefined)) this.#sent.set(psn, { ...request, disputed: true });
    }
    const full = position === 'first' || position === 'middle';
    if (full && lengthOf(position, length, 0) === undefined) this.#mtu ||= length;
    return { found, doubtful: this.#life.repeats || this.#life.resumes };
  }

  /** How it lies between those with the PSNs before and behind it. */
  #besides(request: SeenPlaced): Found {
    const found: Found[number][] = [];
    const [previous, next] = [
      this.#sent.get(psnAdd(request.psn, -1)),
      this.#sent.get(psnAdd(request.psn, 1)),
    ];
    if (previous?.disputed === false) {
      found.push(...byNeighbours(previous, request));
      countOn(previous, request);
    }
    if (next?.disputed === false) found.push(...byNeighbours(request, next));
    return found;
  }

  /** How the answer to a READ or ATOMIC is none to the request with its PSN; `undefined` where that is not known. */
  fragment(seen: ObservedReply): { wrong: Difference | undefined } | undefined {
    this.#life.answered(psnAdd(seen.psn, 1), false);
    const request = this.#sent.get(seen.psn);
    return request?.disputed === false ? { wrong: wrongFragment(seen, request) } : undefined;
  }

  /** How an Acknowledge or NAK counts other than the one before it; `undefined` where there is none. */
  standing(seen: ObservedReply, t: number): { wrong: Difference | undefined } | undefined {
    const { psn, msn } = seen;
    const next = isNak(seen) ? psn : psnAdd(psn, 1);
    this.#life.answered(next, isNak(seen));
    this.#life.heard(psn, t, () => this.#sent.has(psn));
    const before = this.#standing;
    const standing = { next, msn };
    const wrong = before && wrongCount(before, standing);
    if (wrong === undefined) this.#standing = standing;
    return before && { wrong };
  }

  #forget(): void {
    this.#sent.clear();
    this.#mtu = 0;
    this.#standing = undefined;
  }
}
