import type { Packet } from '../../../wire/packet.ts';
import type { RecvWr } from '../../../spec/verbs.ts';
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

/** Of a QP on an SRQ that others take from as well: one of the cases that the trace leaves open. */
export interface SharedCase {
  /** WQEs that the others have taken */
  readonly othersTook: number;
  /** the WQE that a SEND holds or would take */
  readonly wqe: RecvWr | undefined;
}

/** A packet as a QP in a state receives it: all that the expressions of the machine read of it. */
export class Arrival extends PacketView {
  readonly book: UnreliableBook;
  readonly event: number;
  readonly state: ReceiveState;
  readonly #shared: SharedCase | undefined;

  constructor({ qp, book, packet, event }: Seen, state: ReceiveState, shared?: SharedCase) {
    super(qp, packet);
    this.book = book;
    this.event = event;
    this.state = state;
    this.#shared = shared;
  }

  /** The same packet, as it goes on from a copy of the state. */
  branch(): Arrival {
    return new Arrival(this, this.state.clone(), this.#shared);
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

  get othersTook(): number {
    return this.#shared?.othersTook ?? 0;
  }

  /** The receive WQE that a SEND holds or would take; `undefined`: none waits. */
  get wqe(): RecvWr | undefined {
    if (this.#shared !== undefined) return this.#shared.wqe;
    const { state } = this;
    const held = state.machine.number('heldWqe')(this, state);
    return held < 0 ? undefined : this.qp.posted.at(held);
  }

  get room(): number | undefined {
    return this.wqe && totalLength(this.wqe.sg_list);
  }
}
