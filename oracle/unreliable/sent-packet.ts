import type { Packet } from '../../wire/packet.ts';
import { samePartition } from '../device/header.ts';
import type { MemoryNode } from '../device/memory.ts';
import { requestShape } from '../device/opcode-shape.ts';
import type { RequestShape } from '../device/opcode-shape.ts';
import { isOf } from './arrival.ts';
import type { UnreliableQp } from './qp.ts';
import type { UnreliableInputs } from './variables.ts';
import type { Work } from './work.ts';

type Inputs = Pick<
  UnreliableInputs,
  | 'packet'
  | 'opcode'
  | 'deth'
  | 'reth'
  | 'serviceMatches'
  | 'samePartition'
  | 'announced'
  | 'announces'
  | 'qp'
  | 'work'
  | 'remoteAddress'
  | 'repeats'
  | 'passesOver'
>;

/** What a sender has to know of a packet besides the packet. */
export interface Around {
  /** address that an address handle leads to, where the trace tells */
  address: (ah: number | undefined) => string | undefined;
  /** what the receiving side has done to memory since it was last certain */
  memory: MemoryNode | undefined;
}

/** What a packet is held against besides its work request. */
interface Queue {
  readonly qp: UnreliableQp;
  hasSent: (packet: Packet) => boolean;
  passesOver: (packet: Packet, item: Work) => boolean;
}

const noWork: UnreliableInputs['work'] = {
  index: -1,
  kind: 'send',
  length: 0,
  packets: 0,
  sent: 0,
  signaled: false,
  immediate: false,
  immData: 0,
  solicited: false,
  rkey: 0,
  inline: false,
  faulty: false,
  failed: false,
  settled: false,
};

/** A packet of the device with the work request that it may belong to: all that the expressions of the machine read of it. */
export class SentPacket implements Inputs {
  readonly qp: UnreliableQp;
  readonly packet: Packet;
  readonly item: Work | undefined;
  readonly opcode: RequestShape;
  readonly around: Around;
  readonly #queue: Queue;

  constructor(queue: Queue, packet: Packet, item: Work | undefined, around: Around) {
    this.qp = queue.qp;
    this.packet = packet;
    this.item = item;
    this.opcode = requestShape(packet.opcode);
    this.around = around;
    this.#queue = queue;
  }

  get work(): UnreliableInputs['work'] {
    return this.item ?? noWork;
  }

  get deth(): UnreliableInputs['deth'] {
    return this.packet.deth ?? {};
  }

  get reth(): UnreliableInputs['reth'] {
    const { reth } = this.packet;
    return { rkey: reth?.rkey, asPosted: reth?.va === (this.item?.posted.wr.remote_addr ?? 0n) };
  }

  get announces(): boolean {
    return this.packet.reth !== undefined;
  }

  get announced(): number {
    return this.packet.reth?.dmaLen ?? 0;
  }

  get serviceMatches(): boolean {
    return isOf(this.qp.kind, this.packet);
  }

  get samePartition(): boolean {
    return samePartition(this.qp, this.packet);
  }

  get remoteAddress(): string | undefined {
    return this.around.address(this.item?.posted.wr.ah);
  }

  get repeats(): boolean {
    return this.#queue.hasSent(this.packet);
  }

  get passesOver(): boolean {
    return this.item !== undefined && this.#queue.passesOver(this.packet, this.item);
  }
}
