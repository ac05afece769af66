import type { OpcodeFamily } from '../../../spec/constants.ts';
import type { SendWr } from '../../../spec/verbs.ts';
import { workRequests } from '../../../spec/work-requests.ts';
import { zeroed } from '../../../wire/index.ts';
import { clipped, scatter, totalLength } from '../memory.ts';
import type { When } from '../../spot.ts';
import type { Qp } from '../qp.ts';

/** What a work request asks of the far end. */
export type RequestKind = OpcodeFamily;
/** `internal`: it asks for something of the device itself, and no packet goes out. */
export type WorkKind = RequestKind | 'internal';

/** Data of IBV_SEND_INLINE, as it was when the work request was posted. */
export interface InlineData {
  readonly bytes: Uint8Array;
  /** 1 where the byte is known; inline data may be from memory outside of all regions */
  readonly known: Uint8Array;
}

/** A work request as it was given to a send queue. */
export interface PostedSend {
  readonly wr: SendWr;
  readonly kind: RequestKind;
  /** bytes of its list */
  readonly length: number;
  /** success is reported */
  readonly signaled: boolean;
  readonly fenced: boolean;
  readonly solicited: boolean;
  /** where it has IBV_SEND_INLINE */
  readonly inline: InlineData | undefined;
  /** index of the call in the trace, and its time: no packet of it left before */
  readonly event: number;
  readonly t: number;
}

/** What a send work request asks for. */
export function workKind({ opcode }: SendWr): WorkKind {
  return workRequests[opcode].asks;
}

export function postedSend(qp: Qp, kind: RequestKind, wr: SendWr, when: When): PostedSend {
  const flags = wr.send_flags ?? [];
  return {
    wr,
    kind,
    length: totalLength(wr.sg_list),
    signaled: qp.signalsAll || flags.includes('IBV_SEND_SIGNALED'),
    fenced: flags.includes('IBV_SEND_FENCE'),
    solicited: flags.includes('IBV_SEND_SOLICITED'),
    inline: flags.includes('IBV_SEND_INLINE') ? bytesNow(qp, wr) : undefined,
    event: when.event,
    t: when.t,
  };
}

/** What the list of a work request names, as it stands. */
function bytesNow({ memory }: Qp, { sg_list: list }: SendWr): InlineData {
  const all = { bytes: zeroed(totalLength(list)), known: zeroed(totalLength(list)) };
  let at = 0;
  for (const { region, offset, length } of scatter(memory, list, 0, totalLength(list))) {
    // a list may name what stands before its region, or behind it
    const inside = region && clipped(region, offset, length);
    if (region !== undefined && inside !== undefined) {
      const begin = at + inside.begin - offset;
      all.bytes.set(region.content.subarray(inside.begin, inside.end), begin);
      all.known.fill(1, begin, begin + inside.end - inside.begin);
    }
    at += length;
  }
  return all;
}
