import { outcomeWord } from '../../rulebook/outcome.ts';
import type { Branch } from '../../rulebook/outcome.ts';
import type { FactSlot } from '../../rulebook/fact-row.ts';
import type { RequestView } from '../request.ts';

// What a SEND with invalidate finds, and does. Built in, since it looks up a memory window by its key.

/** The fact `invalidation`. Whether the key of a region can be taken away, of a window of type 1, or of one which is not bound, is up to the device. */
export function invalidation(request: RequestView, slot: FactSlot): void {
  const { qp, state, packet } = request;
  const rkey = packet.invalidateRkey;
  if (rkey === undefined) return slot.set('not-needed');
  if (!qp.verbs) return slot.unsure('possible', 'refused');
  const { windows } = qp.memory;
  const key = windows.byRkey(rkey);
  if (key === undefined) {
    const region = qp.memory.byRkey(rkey);
    if (region?.alive === true && region.pd === qp.pd) slot.unsure('possible', 'refused');
    else slot.set('refused');
  } else if (windows.pdOf(key.mw) === undefined) slot.set('refused');
  else if (
    key.type === 'IBV_MW_TYPE_2' &&
    key.bound === 'yes' &&
    key.qp === qp.handle &&
    !state.invalidated.includes(key)
  )
    slot.set('possible');
  else slot.unsure('refused', 'possible');
}

/** Takes away what the key of a window opens, if the outcome asks for it. */
export function invalidate({ qp, state, packet }: RequestView, outcome: Branch['outcome']): void {
  const rkey = packet.invalidateRkey;
  if (rkey === undefined || outcomeWord(outcome, 'invalidation') !== 'named') return;
  const key = qp.memory.windows.byRkey(rkey);
  if (key !== undefined && !state.invalidated.includes(key)) state.invalidated = [...state.invalidated, key];
}
