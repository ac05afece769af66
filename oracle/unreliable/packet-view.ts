import type { Packet } from '../../wire/packet.ts';
import { samePartition } from '../device/packet/header.ts';
import { requestShape } from '../device/packet/opcode-shape.ts';
import type { RequestShape } from '../device/packet/opcode-shape.ts';
import type { UnreliableQp, UnreliableService } from './qp.ts';
import type { UnreliableInputs } from './variables.ts';

const serviceBits: Readonly<Record<UnreliableService, number>> = { UC: 1, UD: 3 };

/** Service of a packet; of an opcode byte that nobody defined, the upper three bits tell. */
export function serviceOf({ opcode }: Packet): UnreliableService | undefined {
  const bits = opcode >> 5;
  return bits === serviceBits.UC ? 'UC' : bits === serviceBits.UD ? 'UD' : undefined;
}

/** A packet of a QP: what the expressions of the machine read of it, whichever way it goes. */
export class PacketView {
  readonly qp: UnreliableQp;
  readonly packet: Packet;
  readonly opcode: RequestShape;

  constructor(qp: UnreliableQp, packet: Packet) {
    this.qp = qp;
    this.packet = packet;
    this.opcode = requestShape(packet.opcode);
  }

  get deth(): UnreliableInputs['deth'] {
    return this.packet.deth ?? {};
  }

  get announces(): boolean {
    return this.packet.reth !== undefined;
  }

  get serviceMatches(): boolean {
    return serviceOf(this.packet) === this.qp.kind;
  }

  get samePartition(): boolean {
    return samePartition(this.qp, this.packet);
  }
}
