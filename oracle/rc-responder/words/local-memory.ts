import type { Sge } from '../../../spec/verbs.ts';
import { scatter, usable } from '../../device/memory.ts';
import type { FactSlot } from '../../rulebook/fact-row.ts';
import type { RequestView } from '../request.ts';

/** The fact `localMemory`. Built in, since it walks scatter lists. */
export function localMemory(request: RequestView, slot: FactSlot): void {
  const found = localMemoryOf(request);
  if (found === 'unknown') slot.unsure('sound', 'faulty');
  else slot.set(found);
}

function localMemoryOf(request: RequestView): 'not-needed' | 'sound' | 'faulty' | 'unknown' {
  const { qp, state, packet, opcode } = request;
  if (opcode.family !== 'send' || packet.payloadLength === 0) return 'not-needed';
  if (!qp.verbs) return 'unknown';
  const wqe = state.wqe ?? qp.posted.at(state.rqHead);
  if (wqe === undefined || (state.wqe === undefined && state.rqHead >= state.rqTail)) return 'not-needed';
  const start = state.machine.number('offset')(request, state);
  const good = (sge: Sge): boolean => usable(qp.memory.byLkey(sge.lkey), qp.pd, sge, true);
  if (scatter(qp.memory, wqe.sg_list, start, packet.payloadLength).some(({ sge }) => !good(sge)))
    return 'faulty';
  // a device may look at the whole list before it places the first byte
  return wqe.sg_list.every(good) ? 'sound' : 'unknown';
}
