import type { Sge } from '../../../spec/verbs.ts';
import { scatter } from '../../device/memory.ts';
import type { Arrival } from '../receiving/arrival.ts';

/**
 * What the fact `localMemory` may be, the likeliest first; several where only a part that the packet does not touch is at fault, or bytes
 * of an element that the message may come to yet.
 * Built in, since it walks scatter lists.
 */
export function localMemory(arrival: Arrival): readonly ('not-needed' | 'sound' | 'faulty')[] {
  const { qp, state, opcode, wqe } = arrival;
  if (opcode.family !== 'send') return ['not-needed'];
  const list = wqe?.sg_list;
  if (list === undefined || list.length === 0) return ['not-needed'];
  const bad = (sge: Sge): boolean => !qp.mayReceiveInto(sge);
  if (!list.some(bad)) return ['sound'];
  const { machine } = state;
  const from = qp.kind === 'UD' || opcode.ends ? 0 : machine.number('offset')(arrival, state);
  const touched = scatter(qp.memory, list, from, machine.number('reached')(arrival, state) - from);
  const isBad = touched.some((part) => !qp.mayReceiveAt(part) || (opcode.ends && bad(part.sge)));
  return isBad ? ['faulty'] : ['sound', 'faulty'];
}
