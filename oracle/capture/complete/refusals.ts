import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import { ownReason } from '../../rc-responder/capture/own-reason.ts';
import { psnDiff } from '../../../wire/psn.ts';
import { isPositive } from './positive.ts';

/** The responses of a responder, as far as they tell which of its refusals may have reasons that a capture does not tell. */
export class Refusals {
  /** the greatest PSN that was answered with success; -1: none */
  #answered = -1;

  saw(seen: ObservedReply): void {
    const ahead = this.#answered < 0 ? 1 : psnDiff(seen.psn, this.#answered);
    if (isPositive(seen) && ahead > 0) this.#answered = seen.psn;
  }

  /** Why a refusal is no fault, whatever the request was. `end`: the first PSN that no request, and no response to a READ, has. */
  excuse(seen: ObservedReply, end: number): string | undefined {
    const open = psnDiff(seen.psn, end) < 0 && (this.#answered < 0 || psnDiff(seen.psn, this.#answered) > 0);
    return open ? ownReason(seen) : undefined;
  }

  clear(): void {
    this.#answered = -1;
  }
}
