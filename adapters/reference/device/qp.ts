import type { AccessFlag, QpAttr, QpCap, QpState } from '../../../spec/verbs.ts';
import type { RateLimiter } from '../congestion/rate-limiter.ts';
import type { CompletionQueue } from './cq.ts';
import { limits } from './limits.ts';
import { makeOutOfOrder, type OutOfOrderState } from '../ooo/state.ts';
import type { Path } from './path.ts';
import type { ReceiveQueue } from './receive-queue.ts';
import { makeRequester, type RequesterState } from '../rc-requester/state.ts';
import type { Service } from './service.ts';
import { endSending } from '../rc-responder/held.ts';
import { makeResponder, type ResponderState } from '../rc-responder/state.ts';

/** One queue pair: its attributes, its queues and the state of both roles. */
export interface QueuePair {
  readonly handle: number;
  readonly num: number;
  readonly service: Service;
  readonly pd: number;
  readonly sendCq: CompletionQueue;
  readonly recvCq: CompletionQueue;
  readonly receiveQueue: ReceiveQueue;
  readonly cap: QpCap;
  readonly signalAll: boolean;
  /** Sends what window, limits and the QP's state let out now. */
  readonly pump: () => void;
  state: QpState;
  attr: QpAttr;
  access: readonly AccessFlag[];
  mtu: number;
  destQp: number;
  remote: Path | undefined;
  srcPort: number;
  responder: ResponderState;
  requester: RequesterState;
  /** limits its rate since a CNP named it, until it is back at the line rate */
  limiter: RateLimiter | undefined;
  /** of a QP that places packets out of order */
  ooo: OutOfOrderState | undefined;
  /** COMM_EST has been raised in this stay in RTR */
  established: boolean;
  /** LAST_WQE_REACHED has been raised in this stay in ERR */
  lastWqe: boolean;
}

export function makeQp(
  fixed: Pick<
    QueuePair,
    | 'handle'
    | 'num'
    | 'service'
    | 'pd'
    | 'sendCq'
    | 'recvCq'
    | 'receiveQueue'
    | 'cap'
    | 'signalAll'
    | 'pump'
    | 'ooo'
  >,
): QueuePair {
  const { handle, num, service, pd, sendCq, recvCq, receiveQueue, cap, signalAll, pump, ooo } = fixed;
  return {
    handle,
    num,
    service,
    pd,
    sendCq,
    recvCq,
    receiveQueue,
    cap,
    signalAll,
    pump,
    state: 'IBV_QPS_RESET',
    attr: {},
    access: [],
    // A datagram may be as long as the port lets it; for a connected QP it is set when it is connected.
    mtu: service === 'UD' ? limits.activeMtu : 1024,
    destQp: 0,
    remote: undefined,
    srcPort: 0xc000,
    responder: makeResponder(),
    requester: makeRequester(),
    ooo: ooo === undefined ? undefined : makeOutOfOrder(),
    limiter: undefined,
    established: false,
    lastWqe: false,
  };
}

/** Back to what create_qp gave; pending WQEs are forgotten without completions. */
export function resetQp(qp: QueuePair): void {
  endSending(qp);
  qp.requester.timer?.cancel();
  qp.ooo?.requester.timer?.cancel();
  qp.requester.rnrTimer?.cancel();
  qp.responder.ackTimer?.cancel();
  if (qp.receiveQueue.srq === undefined) qp.receiveQueue.wqes = [];
  Object.assign(qp, makeQp(qp));
}
