import type { AsyncEvent, Wc } from '../../spec/verbs.ts';
import { detached } from '../../wire/capture/kept-headers.ts';
import type { Packet } from '../../wire/packet.ts';
import type { ObservedReply } from '../device/packet/observed-reply.ts';
import type { ResponderState } from './state.ts';
import type { Branch } from '../rulebook/outcome.ts';

/** One event of the trace as one responder sees it; `event` is its index in the trace. */
export type Entry =
  /** `mayBeLost`: it was on its way to the device, but may not have been taken */
  | { kind: 'request'; event: number; t: number; packet: Packet; mayBeLost?: true }
  /** a frame that is no packet; it may not be tied to a QP, so every one sees it */
  | { kind: 'frame'; event: number; t: number; branch: Branch }
  /**
   * `copy`: it says what an earlier one has said, and so may be a copy of it that was made on the way; `former`: it may have left before a
   * call was back that has taken the QP to ERR or RESET
   */
  | {
      kind: 'reply';
      event: number;
      t: number;
      seen: ObservedReply;
      reported?: boolean;
      copy?: boolean;
      former?: boolean;
    }
  /** `posts`: it does nothing but post receive WQEs */
  | { kind: 'call'; event: number; t: number; posts?: true; apply: (state: ResponderState) => void }
  | { kind: 'completion'; event: number; t: number; wc: Wc; reported?: boolean }
  | { kind: 'async'; event: number; t: number; what: AsyncEvent; reported?: boolean };

export type RequestEntry = Entry & { kind: 'request' };

/** What the newest of them keep of packets holds no part of a capture any more; those before one of which that is so hold none. */
export function detachNewest(entries: readonly Entry[]): void {
  for (let i = entries.length - 1; i >= 0; i--) {
    const entry = entries[i];
    if (entry === undefined || (entry.kind !== 'request' && entry.kind !== 'reply')) continue;
    const holder = entry.kind === 'request' ? entry : entry.seen;
    const { packet } = holder;
    // a copy: the event of the trace stays as it is
    holder.packet = detached(packet);
    if (holder.packet === packet) return;
  }
}
