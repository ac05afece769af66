import { atomicBytes } from '../../spec/constants.ts';
import type { Packet } from '../../wire/packet.ts';
import type { AccessFlag, RecvWr } from '../../spec/verbs.ts';
import type { Qp } from '../device/qp.ts';
import { samePartition } from '../device/packet/header.ts';
import { totalLength, type Grant, type Region } from '../device/memory.ts';
import { requestShape, serviceOfOpcode } from '../device/packet/opcode-shape.ts';
import type { Taken } from '../device/queues/takers.ts';
import type { RequestShape } from '../device/packet/opcode-shape.ts';
import type { RequestEntry } from './entry.ts';
import type { ResponderState } from './state.ts';
import { Unbound, type Wqe } from './unbound.ts';
import type { RcResponderInputs } from './variables.ts';

/** Access flag that an operation needs. */
export const rightOf = {
  write: 'IBV_ACCESS_REMOTE_WRITE',
  read: 'IBV_ACCESS_REMOTE_READ',
  atomic: 'IBV_ACCESS_REMOTE_ATOMIC',
} as const satisfies Record<string, AccessFlag>;

type Inputs = Pick<
  RcResponderInputs,
  | 'packet'
  | 'arrival'
  | 'slack'
  | 'opcode'
  | 'filled'
  | 'serviceMatches'
  | 'samePartition'
  | 'addressed'
  | 'announced'
  | 'announces'
  | 'misalignment'
  | 'defined'
  | 'lacking'
  | 'allowed'
  | 'declared'
  | 'otherReasons'
  | 'qp'
  | 'holdsWqe'
  | 'others'
  | 'room'
  | 'mostRoom'
  | 'leastRoom'
  | 'unanswered'
  | 'onSrq'
>;

/** A request as the responder of `qp` in `state` sees it: all that the expressions of the machine read of a packet. */
export class RequestView implements Inputs {
  readonly qp: Qp;
  readonly state: ResponderState;
  readonly packet: Packet;
  readonly arrival: number;
  readonly opcode: RequestShape;
  readonly reth: Packet['reth'];
  /** index in the trace */
  readonly event: number;
  #open: readonly RecvWr[] | undefined;

  /** `t`: nanoseconds */
  constructor(
    qp: Qp,
    state: ResponderState,
    { packet, t, event }: Pick<RequestEntry, 'packet' | 't' | 'event'>,
  ) {
    this.qp = qp;
    this.state = state;
    this.packet = packet;
    this.arrival = t;
    this.event = event;
    this.opcode = requestShape(packet.opcode);
    this.reth = packet.reth;
  }

  /** The same request, in another state. */
  in(state: ResponderState): RequestView {
    return new RequestView(this.qp, state, { packet: this.packet, t: this.arrival, event: this.event });
  }

  /** What the R_Key of a region grants: where the request came before a call that changes it and has not taken effect yet, what it did before. */
  grantOf(region: Region): Grant | undefined {
    const former = region.former.find(({ until }) => this.#comesBefore(until));
    if (former !== undefined) return former;
    return region.alive || this.#comesBefore(region.freedAt) ? region : undefined;
  }

  /** Whether it came before the call at this place in the trace, which has not taken effect yet. */
  #comesBefore(call: number): boolean {
    return this.event < call && !this.state.changed.includes(call);
  }

  get slack(): number {
    return this.qp.slack;
  }

  get filled(): boolean {
    return this.packet.payloadLength + this.packet.padCount > 0;
  }

  get serviceMatches(): boolean {
    return serviceOfOpcode(this.packet.opcode) === 'RC';
  }

  get addressed(): boolean {
    return this.qp.mayHave(this.packet.dstIp);
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
    return Number((this.packet.atomicEth?.va ?? 0n) % BigInt(atomicBytes));
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

  get onSrq(): boolean {
    return this.qp.srq !== undefined;
  }

  /** What the other QPs of its SRQ have taken. */
  get others(): Taken {
    return this.qp.contested?.takers.besides(this.qp, this.packet) ?? nothing;
  }

  /** The next receive WQE of the queue. */
  get waiting(): Wqe | undefined {
    const { state } = this;
    return state.machine.wqeWaits(this, state) ? this.wqeAt(state.rqHead) : undefined;
  }

  /** The WQE at a place of the queue, or at as many places into what is left of an SRQ. */
  wqeAt(rqHead: number): Wqe | undefined {
    const { contested, posted } = this.qp;
    return contested === undefined ? posted.at(rqHead) : new Unbound(posted.at(rqHead + this.others.most));
  }

  /** What the receive WQE may be that a SEND holds or would take. */
  get candidates(): readonly RecvWr[] {
    const wqe = this.state.wqe ?? this.waiting;
    if (wqe instanceof Unbound) return (this.#open ??= [...this.qp.posted.openFrom(this.event)]);
    return wqe === undefined ? [] : [wqe];
  }

  get room(): number | undefined {
    const { wqe = this.waiting } = this.state;
    const { candidates } = this;
    const likely = wqe instanceof Unbound && candidates.find((one) => one === wqe.likely);
    const [taken] = likely ? [likely] : candidates;
    return taken && roomOf(taken);
  }

  get mostRoom(): number | undefined {
    const [first, ...others] = this.candidates;
    return first && others.reduce((most, wr) => Math.max(most, roomOf(wr)), roomOf(first));
  }

  get leastRoom(): number | undefined {
    const [first, ...others] = this.candidates;
    return first && others.reduce((least, wr) => Math.min(least, roomOf(wr)), roomOf(first));
  }
}

const nothing: Taken = { least: 0, most: 0 };

function roomOf({ sg_list: list }: RecvWr): number {
  return totalLength(list);
}
