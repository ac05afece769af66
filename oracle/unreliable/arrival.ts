import type { Packet } from '../../wire/packet.ts';
import { samePartition } from '../device/header.ts';
import { totalLength } from '../device/memory.ts';
import { requestShape } from '../device/opcode-shape.ts';
import type { RequestShape } from '../device/opcode-shape.ts';
import type { UnreliableQp } from './qp.ts';
import type { ReceiveState } from './state.ts';
import type { UnreliableBook, UnreliableService } from './tables.ts';
import type { UnreliableInputs } from './variables.ts';

type Inputs = Pick<
  UnreliableInputs,
  | 'packet'
  | 'opcode'
  | 'deth'
  | 'serviceMatches'
  | 'samePartition'
  | 'announced'
  | 'announces'
  | 'allowed'
  | 'room'
  | 'qp'
  | 'onSrq'
  | 'keepsTaken'
>;

const serviceBits: Readonly<Record<UnreliableService, number>> = { UC: 1, UD: 3 };

/** Whether the packet is of the service; of an opcode byte that nobody defined, the upper three bits tell. */
export function isOf(service: UnreliableService, { opcode }: Packet): boolean {
  return opcode >> 5 === serviceBits[service];
}

export function serviceOf(packet: Packet): UnreliableService | undefined {
  return isOf('UC', packet) ? 'UC' : isOf('UD', packet) ? 'UD' : undefined;
}

/** A packet as a QP in a state sees it: all that the expressions of the machine read of it. */
export class Arrival implements Inputs {
  readonly qp: UnreliableQp;
  readonly book: UnreliableBook;
  readonly state: ReceiveState;
  readonly packet: Packet;
  /** index in the trace */
  readonly event: number;
  readonly opcode: RequestShape;

  constructor(
    { qp, book, packet, event }: Pick<Arrival, 'qp' | 'book' | 'packet' | 'event'>,
    state: ReceiveState,
  ) {
    this.qp = qp;
    this.book = book;
    this.state = state;
    this.packet = packet;
    this.event = event;
    this.opcode = requestShape(packet.opcode);
  }

  /** The same packet, as it goes on from a copy of the state. */
  branch(): Arrival {
    return new Arrival(this, this.state.clone());
  }

  get deth(): UnreliableInputs['deth'] {
    return this.packet.deth ?? {};
  }

  get serviceMatches(): boolean {
    return isOf(this.qp.kind, this.packet);
  }

  get samePartition(): boolean {
    return samePartition(this.qp, this.packet);
  }

  get announces(): boolean {
    return this.packet.reth !== undefined;
  }

  get announced(): number {
    return (this.packet.reth ?? this.state.reth)?.dmaLen ?? 0;
  }

  get allowed(): boolean {
    return this.qp.access?.includes('IBV_ACCESS_REMOTE_WRITE') === true;
  }

  get onSrq(): boolean {
    return this.qp.srq !== undefined;
  }

  get keepsTaken(): boolean {
    return this.qp.capabilities?.has('srq-abort') === true;
  }

  /** Index of the receive WQE that a SEND holds or would take; `undefined`: none waits. */
  get wqe(): number | undefined {
    const { wqe, rqHead, rqTail } = this.state;
    if (wqe >= 0) return wqe;
    return rqHead < rqTail ? rqHead : undefined;
  }

  get room(): number | undefined {
    const { wqe } = this;
    const found = wqe === undefined ? undefined : this.qp.posted.at(wqe);
    return found && totalLength(found.sg_list);
  }
}
