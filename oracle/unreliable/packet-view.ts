import type { Packet } from '../../wire/packet.ts';
import { samePartition } from '../device/packet/header.ts';
import { requestShape, serviceOfOpcode } from '../device/packet/opcode-shape.ts';
import type { RequestShape } from '../device/packet/opcode-shape.ts';
import type { UnreliableQp, UnreliableService } from './qp.ts';
import type { UnreliableInputs } from './variables.ts';

/** Service of a packet, its opcode defined or not, where that is UC or UD. */
export function unreliableServiceOf({ opcode }: Packet): UnreliableService | undefined {
  const service = serviceOfOpcode(opcode);
  return service === 'UC' || service === 'UD' ? service : undefined;
}

function serviceName(opcode: number): UnreliableInputs['opcode']['service'] {
  const service = serviceOfOpcode(opcode);
  return service === 'RC' || service === 'UC' || service === 'UD' ? service : 'other';
}

const shapes = Array.from({ length: 256 }, (_, opcode) => ({
  ...requestShape(opcode),
  service: serviceName(opcode),
}));

/** What an opcode byte means to UC and UD. */
export function shapeOf(opcode: number): RequestShape & Pick<UnreliableInputs['opcode'], 'service'> {
  return shapes[opcode & 0xff] ?? { ...requestShape(opcode), service: serviceName(opcode) };
}

/** A packet of a QP: what the expressions of the machine read of it, whichever way it goes. */
export class PacketView {
  readonly qp: UnreliableQp;
  readonly packet: Packet;
  readonly opcode: ReturnType<typeof shapeOf>;

  constructor(qp: UnreliableQp, packet: Packet) {
    this.qp = qp;
    this.packet = packet;
    this.opcode = shapeOf(packet.opcode);
  }

  get deth(): UnreliableInputs['deth'] {
    return this.packet.deth ?? {};
  }

  get announces(): boolean {
    return this.packet.reth !== undefined;
  }

  get addressed(): boolean {
    return this.qp.mayHave(this.packet.dstIp);
  }

  get samePartition(): boolean {
    return samePartition(this.qp, this.packet);
  }
}
