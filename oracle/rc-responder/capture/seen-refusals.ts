import { isNak } from '../../device/packet/observed-reply.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import type { Entry } from '../entry.ts';
import type { ResponderState } from '../state.ts';

/** NAKs that a window of a capture shows. */
export class SeenRefusals {
  readonly #seen: readonly ObservedReply[];

  constructor(window: readonly Entry[]) {
    this.#seen = window.flatMap((entry) => (entry.kind === 'reply' && isNak(entry.seen) ? [entry.seen] : []));
  }

  /** Whether the newest thing that the request at this place calls for is a NAK, and the window does not show it. */
  lack({ replies }: ResponderState, event: number): boolean {
    const newest = replies.length === 0 ? undefined : replies.at(replies.length - 1);
    if (newest?.event !== event) return false;
    if (newest.kind !== 'nak' && newest.kind !== 'rnr-nak') return false;
    const { psnFrom, syndrome } = newest;
    return !this.#seen.some(
      (one) => (psnFrom < 0 || psnFrom === one.psn) && (syndrome < 0 || syndrome === one.syndrome),
    );
  }
}
