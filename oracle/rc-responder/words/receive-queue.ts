import type { Rule } from '../../rules.ts';
import { outcomeWord } from '../../rulebook/outcome.ts';
import type { Branch } from '../../rulebook/outcome.ts';
import { completionOf } from '../software/fault.ts';
import type { RequestView } from '../request.ts';
import { Unbound } from '../unbound.ts';
import { writeScatter } from './memory.ts';

// What the outcome `completion` does, and which WQE it is that `receiveQueue` takes. Built in, since WQEs are no variables.

/** Where a message stood in front of a packet: in the receive queue, and where the payload goes. */
export interface Before {
  readonly rqHead: number;
  readonly offset: number;
}

/** The request has the receive WQE that the machine has taken for it; its payload goes there if the outcome asks for it. */
export function holdReceive(request: RequestView, outcome: Branch['outcome'], before: Before): void {
  const { state } = request;
  if (state.rqHead > before.rqHead) state.wqe = request.wqeAt(before.rqHead);
  if (outcomeWord(outcome, 'receiveQueue') !== 'fill') return;
  const at = Math.max(0, before.offset);
  if (state.wqe instanceof Unbound) state.wqe = state.wqe.with(at, request.packet.payload);
  else if (state.wqe !== undefined) writeScatter(request, state.wqe, at);
}

/** A receive completion is due by this rule if the outcome asks for it, after the machine has counted the bytes received. */
export function completeReceive(
  { state, packet, opcode }: RequestView,
  outcome: Branch['outcome'],
  rule: Rule,
  event: number,
): void {
  if (outcomeWord(outcome, 'completion') !== 'message' || state.wqe === undefined) return;
  const completion = completionOf('message', rule, event, state.wqe, ['IBV_WC_SUCCESS']);
  completion.byteLen = state.received;
  completion.immediate = packet.immediate;
  completion.invalidated = packet.invalidateRkey;
  if (opcode.family === 'write') completion.opcode = 'receive-write';
  state.completions = [...state.completions, completion];
  state.wqe = undefined;
}
