import { VerbsError } from '../../adapter.ts';
import { addressOf, type ContextOps, type Pointer } from '../ffi.ts';
import { reasonOf } from './results.ts';

/** Where `struct ibv_send_wr` and `struct ibv_recv_wr` have their `next`. */
const nextAt = 8;

/**
 * Posts a list of encoded work requests, one at least, to a queue. Throws VerbsError where one is refused; its `badWr` is the place of
 * the one that `bad_wr` points at.
 */
export function postList(
  call: string,
  post: ContextOps['postSend'],
  queue: Pointer,
  wrs: readonly [Buffer, ...Buffer[]],
): void {
  for (let i = 1; i < wrs.length; i++) {
    const next = wrs[i];
    if (next !== undefined) wrs[i - 1]?.writeBigUInt64LE(addressOf(next), nextAt);
  }
  const bad = Buffer.alloc(8);
  const result = post(queue, wrs[0], bad);
  if (result === 0) return;
  const reason = reasonOf(result);
  const named = bad.readBigUInt64LE(0);
  const place = wrs.findIndex((wr) => addressOf(wr) === named);
  throw new VerbsError(call, reason, place < 0 ? undefined : place);
}
