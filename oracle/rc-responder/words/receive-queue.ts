import type { Rule } from '../../rules.ts';
import { outcomeWord } from '../../rulebook/outcome.ts';
import type { Branch } from '../../rulebook/outcome.ts';
import { completionOf } from '../software/fault.ts';
import { nextWqe, type RequestView } from '../request.ts';
import { Unbound } from '../unbound.ts';
import { writeScatter } from './memory.ts';

// What the outcomes `receiveQueue` and `completion` do. Built in, since WQEs are no variables.

/** Takes a receive WQE where the outcome says so, and places the payload in it from `offset` on. */
export function takeReceive(request: RequestView, outcome: Branch['outcome'], offset: number): void {
  const { qp, state } = request;
  const queue = outcomeWord(outcome, 'receiveQueue');
  if (queue === 'fill') {
    if (qp.verbs && state.wqe === undefined) take(request);
    const at = Math.max(0, offset);
    if (state.wqe instanceof Unbound) state.wqe = state.wqe.with(at, request.packet.payload);
    else if (state.wqe !== undefined) writeScatter(request, state.wqe, at);
  } else if (queue === 'take' && qp.verbs) take(request);
}

function take({ qp, state, packet }: RequestView): void {
  state.wqe = nextWqe(qp, state, packet);
  state.rqHead++;
}

/** A receive completion is due by this rule where the outcome says so, after the machine has counted the bytes received. */
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
  if (opcode.family === 'write') completion.opcode = 'IBV_WC_RECV_RDMA_WITH_IMM';
  state.completions = [...state.completions, completion];
  state.wqe = undefined;
}
