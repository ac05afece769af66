import type { Packet } from '../../../wire/packet.ts';
import { totalLength } from '../../device/memory.ts';
import { PacketView } from '../packet-view.ts';
import type { UnreliableQp } from '../qp.ts';
import type { ReceiveState } from './state.ts';
import type { UnreliableBook } from '../tables.ts';

/** A packet that has come to a QP. */
export interface Seen {
  qp: UnreliableQp;
  book: UnreliableBook;
  packet: Packet;
  /** index in the trace */
  event: number;
}

/** A packet as a QP in a state receives it: all that the expressions of the machine read of it. */
export class Arrival extends PacketView {
  readonly book: UnreliableBook;
  readonly event: number;
  readonly state: ReceiveState;

  constructor({ qp, book, packet, event }: Seen, state: ReceiveState) {
    super(qp, packet);
    this.book = book;
    this.event = event;
    this.state = state;
  }

  /** The same packet, as it goes on from a copy of the state. */
  branch(): Arrival {
    return new Arrival(this, this.state.clone());
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
    const { state } = this;
    const held = state.machine.number('heldWqe')(this, state);
    return held < 0 ? undefined : held;
  }

  get room(): number | undefined {
    const { wqe } = this;
    const found = wqe === undefined ? undefined : this.qp.posted.at(wqe);
    return found && totalLength(found.sg_list);
  }
}
