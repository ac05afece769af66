import type { Wc } from '../../spec/verbs.ts';
import { VerbsError } from '../adapter.ts';
import type { ContextOps, Pointer } from './ffi.ts';
import { decodeWc, sizes } from './layout.ts';

const batch = 16;
const entries = Buffer.alloc(sizes.wc * batch);

/** Takes `max` completions of a CQ at most. VerbsError where the call fails. */
export function pollCompletions(
  poll: ContextOps['pollCq'],
  cq: Pointer,
  max: number,
  isDatagram: (qpNum: number) => boolean,
): Wc[] {
  const out: Wc[] = [];
  while (out.length < max) {
    const wanted = Math.min(batch, max - out.length);
    const got = poll(cq, wanted, entries);
    if (got < 0) throw new VerbsError('ibv_poll_cq', -got);
    for (let i = 0; i < got; i++) out.push(decodeWc(entries, i * sizes.wc, isDatagram));
    if (got < wanted) break;
  }
  return out;
}
