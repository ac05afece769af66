import { firstDifference, readMemory, scatter } from '../memory.ts';
import type { Memory, MemoryNode, Region } from '../memory.ts';
import type { Difference } from '../packet/header.ts';
import type { PostedSend } from './posted-send.ts';

/** A byte of a payload, counted from its start, and what it should be. */
export interface WrongByte {
  at: number;
  want: number;
}

/** The first of `bytes` that is not what memory holds from `offset` of the region on; `undefined`: there is none. */
type Compare = (region: Region, offset: number, bytes: Uint8Array) => WrongByte | undefined;

/**
 * The first byte of a payload that is not what its work request holds from byte `from` on: inline data, or memory of its list by
 * `compare`. Of an lkey that has never named a region, no byte is. `undefined`: there is none.
 */
export function wrongByte(
  { wr, inline }: Pick<PostedSend, 'wr' | 'inline'>,
  memory: Memory,
  payload: Uint8Array,
  from: number,
  compare: Compare,
): WrongByte | undefined {
  if (inline !== undefined) {
    const { bytes, known } = inline;
    const at = payload.findIndex((byte, i) => byte !== bytes[from + i] && known[from + i] !== 0);
    return at < 0 ? undefined : { at, want: bytes[from + at] ?? 0 };
  }
  let done = 0;
  for (const { region, offset, length, sge } of scatter(memory, wr.sg_list, from, payload.length)) {
    // an lkey that has never named a region names no memory that the bytes could be from
    if (!memory.everNamed(sge.lkey)) return { at: done, want: 0 };
    const wrong = region && compare(region, offset, payload.subarray(done, done + length));
    if (wrong !== undefined) return { at: done + wrong.at, want: wrong.want };
    done += length;
  }
  return undefined;
}

/** Compares with memory as `head` leaves it. */
export function comparedWith(head: MemoryNode | undefined): Compare {
  return (region, offset, bytes) => {
    const view = readMemory(head, region, offset, bytes.length);
    const at = firstDifference(view, bytes);
    return at < 0 ? undefined : { at, want: view.bytes[at] ?? 0 };
  };
}

/** Such a byte in words; `at`: counted from the start of the message. */
export function otherByteAt(at: number): Difference {
  return { expected: 'the bytes of the work request', observed: `another byte at ${at} of the message` };
}
