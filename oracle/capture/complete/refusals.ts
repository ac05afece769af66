import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import { ownReason } from '../../rc-responder/capture/own-reason.ts';
import { psnDiff } from '../../../wire/psn.ts';
import { isPositive } from './positive.ts';

/** What of a refusal is no fault, whatever the request was, and why. */
export interface Excuse {
  readonly why: string;
  /** that it refuses at all */
  readonly refusal: boolean;
  /** its MSN */
  readonly msn: boolean;
}

/** The responses of a responder, as far as they tell which of its refusals may have reasons that a capture does not tell. */
export class Refusals {
  /** the greatest PSN that was answered with success; -1: none */
  #answered = -1;
  /** MSN of the newest READ response, where no other answer has come since; -1: none */
  #readMsn = -1;

  saw(seen: ObservedReply): void {
    if (seen.kind === 'read-response') this.#readMsn = seen.msn;
    else if (seen.kind !== 'read-middle') this.#readMsn = -1;
    const ahead = this.#answered < 0 ? 1 : psnDiff(seen.psn, this.#answered);
    if (isPositive(seen) && ahead > 0) this.#answered = seen.psn;
  }

  /** `end`: the first PSN that no request, and no response to a READ, has. */
  excuse(seen: ObservedReply, end: number): Excuse | undefined {
    const open = psnDiff(seen.psn, end) < 0 && (this.#answered < 0 || psnDiff(seen.psn, this.#answered) > 0);
    if (!open) return undefined;
    const own = ownReason(seen);
    // a READ may be counted once it is validated, and the NAK within it shows what has been counted
    const msn = seen.kind === 'fatal-nak' && seen.msn === this.#readMsn;
    if (own === undefined && !msn) return undefined;
    return { why: own ?? 'NAKs within a READ that has been counted', refusal: own !== undefined, msn };
  }

  clear(): void {
    this.#answered = -1;
    this.#readMsn = -1;
  }
}
