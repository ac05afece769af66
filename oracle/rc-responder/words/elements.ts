import { hasTooMany } from '../../device/queues/too-many-elements.ts';
import type { FactSlot } from '../../rulebook/fact-row.ts';
import type { RequestView } from '../request.ts';

/** The fact `elements`. Built in, since the receive WQE may be one of several. */
export function elements(request: RequestView, slot: FactSlot): void {
  const { qp, opcode, state, candidates } = request;
  if (opcode.family !== 'send' && !(opcode.family === 'write' && opcode.immediate))
    return slot.set('not-needed');
  const tooMany = candidates.filter((wr) => hasTooMany(wr, qp.srq ?? qp)).length;
  if (tooMany === 0) slot.set('fit');
  else if (tooMany < candidates.length || !state.machine.flag('ends')(request, state))
    slot.unsure('fit', 'too-many');
  else slot.set('too-many');
}
