import type { Rule } from '../rules.ts';
import type { MemoryNode } from '../device/memory.ts';
import type { Qp } from '../device/qp.ts';
import type { QpStateName } from '../device/qp-state.ts';
import type { UnreliableService } from './tables.ts';

/** A QP of UC or UD. */
export type UnreliableQp = Qp & { readonly kind: UnreliableService };

export function isUnreliable(qp: Qp): qp is UnreliableQp {
  return qp.kind === 'UC' || qp.kind === 'UD';
}

/** UC message of which not all packets have come. */
export interface OpenMessage {
  kind: 'send' | 'write';
  /** payload bytes so far */
  received: number;
  reth: { va: bigint; rkey: number; dmaLen: number } | undefined;
  /** index of the receive WQE that it holds */
  wqe: number | undefined;
  /** rule by which it was begun, where that was not the usual one */
  via: Rule | undefined;
  /** rule by which its WQE is used once more */
  reused: Rule | undefined;
}

/** A receive completion that is owed. */
export interface Due {
  kind: 'message' | 'fault' | 'aborted';
  wqe: number;
  /** statuses allowed */
  statuses: readonly string[];
  length: number;
  immediate: number | undefined;
  opcode: 'IBV_WC_RECV' | 'IBV_WC_RECV_RDMA_WITH_IMM';
  source: number | undefined;
  /** the rule that is broken if it does not come as it must; `undefined`: those of completions alone */
  violatedRule: Rule | undefined;
  /** the rule that had the WQE of a message that was given up used again */
  reused: Rule | undefined;
  /** index of the packet in the trace */
  event: number;
}

/** State of the receiving side of a QP along one of the ways that the rules allow. */
export class ReceiveState {
  qpState: QpStateName = 'RESET';
  /** -1 while not known */
  ePsn = -1;
  message: OpenMessage | undefined;
  /** message that was given up, of which packets may still come, and the rule that ended it */
  rest: { message: OpenMessage | undefined; rule: Rule } | undefined;
  /** next receive WQE to take, and end of those posted */
  rqHead = 0;
  rqTail = 0;
  /** rule by which the next WQE is used once more */
  reused: Rule | undefined;
  /** a fault was reported, or is to be, by a completion */
  faulted = false;
  /** rule by which it went to ERR */
  failedBy: Rule | undefined;
  due: readonly Due[] = [];
  memory: MemoryNode | undefined;

  /** The same for states that no packet and no completion will tell apart. */
  key(): string {
    const { message, due } = this;
    const open = message && `${message.kind},${message.received},${message.wqe ?? ''}`;
    const owed = due.map(({ kind, wqe, event }) => `${kind}${wqe}@${event}`).join();
    return `${this.qpState};${this.ePsn};${open ?? ''};${this.rqHead};${this.rqTail};${owed}`;
  }

  clone(): ReceiveState {
    const copy = Object.assign(new ReceiveState(), this);
    if (this.message) copy.message = { ...this.message };
    if (this.rest) {
      const { message, rule } = this.rest;
      copy.rest = { rule, message: message && { ...message } };
    }
    return copy;
  }
}
