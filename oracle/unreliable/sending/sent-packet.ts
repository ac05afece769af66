import type { Packet } from '../../../wire/packet.ts';
import type { MemoryNode } from '../../device/memory.ts';
import { PacketView } from '../packet-view.ts';
import type { UnreliableQp } from '../qp.ts';
import { noWork } from './work.ts';
import type { Work } from './work.ts';

/** What a sender has to know of a packet besides the packet. */
export interface Around {
  /** address that an address handle leads to, where the trace tells */
  address: (ah: number | undefined) => string | undefined;
  /** what the receiving side has done to memory since it was last certain */
  memory: MemoryNode | undefined;
}

/** The send queue that a packet comes from. */
interface Queue {
  readonly qp: UnreliableQp;
  hasSent: (packet: Packet) => boolean;
  passesOver: (packet: Packet, work: Work) => boolean;
}

/** A packet of the device and the work request that it may belong to: all that the expressions of the machine read of it. */
export class SentPacket extends PacketView {
  readonly work: Work;
  readonly around: Around;
  readonly skewed: boolean;
  readonly #queue: Queue;

  /** `skewed`: it may be recorded behind a completion that came later. */
  constructor(queue: Queue, packet: Packet, work: Work | undefined, around: Around, skewed = false) {
    super(queue.qp, packet);
    this.skewed = skewed;
    this.work = work ?? noWork;
    this.around = around;
    this.#queue = queue;
  }

  get reth(): { asPosted: boolean } {
    const { reth } = this.packet;
    const { remote_addr: va = 0n, rkey = 0 } = this.work.wr;
    return { asPosted: reth?.va === va && reth.rkey === rkey };
  }

  get announced(): number {
    return this.packet.reth?.dmaLen ?? 0;
  }

  get remoteAddress(): string | undefined {
    return this.around.address(this.work.wr.ah);
  }

  get repeats(): boolean {
    return this.#queue.hasSent(this.packet);
  }

  get passesOver(): boolean {
    return this.#queue.passesOver(this.packet, this.work);
  }
}
