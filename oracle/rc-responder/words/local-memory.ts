import type { RecvWr, Sge } from '../../../spec/verbs.ts';
import { scatter } from '../../device/memory.ts';
import type { FactSlot } from '../../rulebook/fact-row.ts';
import type { RequestView } from '../request.ts';

/** The fact `localMemory`. Built in, since it walks scatter lists. */
export function localMemory(request: RequestView, slot: FactSlot): void {
  const found = localMemoryOf(request);
  if (found === 'unknown') slot.unsure('sound', 'faulty');
  else slot.set(found);
}

function localMemoryOf(request: RequestView): 'not-needed' | 'sound' | 'faulty' | 'unknown' {
  const { qp, packet, opcode } = request;
  if (opcode.family !== 'send' || packet.payloadLength === 0) return 'not-needed';
  if (!qp.verbs) return 'unknown';
  const [first, ...others] = request.candidates;
  if (first === undefined) return 'not-needed';
  const found = memoryOf(request, first);
  return others.every((wr) => memoryOf(request, wr) === found) ? found : 'unknown';
}

function memoryOf(request: RequestView, { sg_list: list }: RecvWr): 'sound' | 'faulty' | 'unknown' {
  const { qp, state, packet, opcode } = request;
  const start = state.machine.number('offset')(request, state);
  const good = (sge: Sge): boolean => qp.mayReceiveInto(sge);
  if (list.some(({ lkey }) => request.event < (qp.memory.byLkey(lkey)?.changedAt ?? -1))) return 'unknown';
  const touched = scatter(qp.memory, list, start, packet.payloadLength);
  if (touched.some((part) => !qp.mayReceiveAt(part))) return 'faulty';
  // what is wrong with an element may be found where its bytes are placed, at the latest when the message ends
  if (opcode.ends && scatter(qp.memory, list, 0, start + packet.payloadLength).some(({ sge }) => !good(sge)))
    return 'faulty';
  // a device may look at the whole list before it places the first byte
  return list.every(good) ? 'sound' : 'unknown';
}
