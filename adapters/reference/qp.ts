import type { AccessFlag, QpAttr, QpCap, QpState } from '../../spec/verbs.ts';
import type { CompletionQueue } from './cq.ts';
import type { Path } from './path.ts';
import type { ReceiveQueue } from './receive-queue.ts';
import { makeRequester, type RequesterState } from './requester/state.ts';
import { makeResponder, type ResponderState } from './responder/state.ts';

/** One RC queue pair: its attributes, its queues and the state of both roles. */
export interface QueuePair {
  readonly handle: number;
  readonly num: number;
  readonly pd: number;
  readonly sendCq: CompletionQueue;
  readonly recvCq: CompletionQueue;
  readonly receiveQueue: ReceiveQueue;
  readonly cap: QpCap;
  readonly signalAll: boolean;
  state: QpState;
  attr: QpAttr;
  access: readonly AccessFlag[];
  mtu: number;
  destQp: number;
  remote: Path | undefined;
  srcPort: number;
  responder: ResponderState;
  requester: RequesterState;
  /** COMM_EST has been raised in this stay in RTR */
  established: boolean;
  /** LAST_WQE_REACHED has been raised in this stay in ERR */
  lastWqe: boolean;
}

export function makeQp(
  fixed: Pick<
    QueuePair,
    'handle' | 'num' | 'pd' | 'sendCq' | 'recvCq' | 'receiveQueue' | 'cap' | 'signalAll'
  >,
): QueuePair {
  const { handle, num, pd, sendCq, recvCq, receiveQueue, cap, signalAll } = fixed;
  return {
    handle,
    num,
    pd,
    sendCq,
    recvCq,
    receiveQueue,
    cap,
    signalAll,
    state: 'IBV_QPS_RESET',
    attr: {},
    access: [],
    mtu: 1024,
    destQp: 0,
    remote: undefined,
    srcPort: 0xc000,
    responder: makeResponder(),
    requester: makeRequester(),
    established: false,
    lastWqe: false,
  };
}

/** Back to what create_qp gave; pending WQEs are forgotten without completions. */
export function resetQp(qp: QueuePair): void {
  qp.requester.timer?.cancel();
  qp.requester.rnrTimer?.cancel();
  qp.responder.ackTimer?.cancel();
  if (qp.receiveQueue.srq === undefined) qp.receiveQueue.wqes = [];
  Object.assign(qp, makeQp(qp));
}
