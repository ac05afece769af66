import type { Packet } from '../../wire/packet.ts';
import type { AccessFlag, RecvWr } from '../../spec/verbs.ts';
import type { Qp } from '../device/qp.ts';
import { isRc, samePartition } from '../device/packet/header.ts';
import { totalLength } from '../device/memory.ts';
import { requestShape } from '../device/packet/opcode-shape.ts';
import type { RequestShape } from '../device/packet/opcode-shape.ts';
import type { ResponderState } from './state.ts';
import type { RcResponderInputs } from './variables.ts';

/** Access flag that an operation needs. */
export const rightOf = {
  write: 'IBV_ACCESS_REMOTE_WRITE',
  read: 'IBV_ACCESS_REMOTE_READ',
  atomic: 'IBV_ACCESS_REMOTE_ATOMIC',
} as const satisfies Record<string, AccessFlag>;

type Inputs = Omit<RcResponderInputs, 'fault' | 'attr' | 'reply' | 'answered'>;

/** A request as the responder of `qp` in `state` sees it: all that the expressions of the machine read of a packet. */
export class RequestView implements Inputs {
  readonly qp: Qp;
  readonly state: ResponderState;
  readonly packet: Packet;
  readonly arrival: number;
  readonly opcode: RequestShape;
  readonly reth: Packet['reth'];

  /** `arrival`: nanoseconds */
  constructor(qp: Qp, state: ResponderState, packet: Packet, arrival: number) {
    this.qp = qp;
    this.state = state;
    this.packet = packet;
    this.arrival = arrival;
    this.opcode = requestShape(packet.opcode);
    this.reth = packet.reth;
  }

  /** The same request, in another state. */
  in(state: ResponderState): RequestView {
    return new RequestView(this.qp, state, this.packet, this.arrival);
  }

  get serviceMatches(): boolean {
    return isRc(this.packet);
  }

  get samePartition(): boolean {
    return samePartition(this.qp, this.packet);
  }

  get announces(): boolean {
    return this.reth !== undefined;
  }

  get announced(): number | undefined {
    return (this.reth ?? this.state.reth)?.dmaLen;
  }

  get misalignment(): number {
    return Number((this.packet.atomicEth?.va ?? 0n) % 8n);
  }

  get defined(): boolean {
    return this.opcode.info !== undefined;
  }

  get declared(): boolean {
    return this.qp.capabilities !== undefined;
  }

  get lacking(): boolean {
    const { capability } = this.opcode;
    return capability !== undefined && this.qp.capabilities?.has(capability) === false;
  }

  get allowed(): boolean | undefined {
    const { family } = this.opcode;
    return family === 'send' || family === 'other' ? true : this.qp.access?.includes(rightOf[family]);
  }

  get otherReasons(): boolean {
    return this.qp.capabilities?.has('rnr-any-request') === true;
  }

  get unanswered(): number {
    return this.state.replies.withData;
  }

  get holdsWqe(): boolean {
    return this.state.wqe !== undefined;
  }

  get wqeWaits(): boolean {
    return this.state.rqHead < this.state.rqTail;
  }

  /** The next receive WQE of the queue. */
  get waiting(): RecvWr | undefined {
    return this.wqeWaits ? this.qp.posted.at(this.state.rqHead) : undefined;
  }

  get room(): number | undefined {
    const wqe = this.state.wqe ?? this.waiting;
    return wqe && totalLength(wqe.sg_list);
  }
}
