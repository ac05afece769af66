import type { Packet } from '../../../wire/index.ts';
import { acceptPath } from '../path-migration/migration.ts';
import { receives } from '../rc-responder/receiving.ts';
import { seam } from '../seam.ts';
import { qkeyFits } from '../unreliable/datagram.ts';
import type { Device } from './device.ts';
import { inPartition } from './port/pkey.ts';
import type { QueuePair } from './qp.ts';
import { bitsOf } from './service.ts';

/** The QP that a packet is for; `undefined` where it is dropped silently. */
export function admit(device: Device, packet: Packet): QueuePair | undefined {
  if (!icrcFits(device, packet) || !addressFits(device, packet) || !headerFits(device, packet))
    return undefined;
  const qp = qpNamed(device, packet);
  if (qp === undefined || !serviceFits(device, qp, packet) || !receives(device, qp)) return undefined;
  if (!pkeyFits(device, packet)) return undefined;
  // A datagram may come from anywhere, but has to know the Q_Key.
  const accepted = qp.service === 'UD' ? qkeyFits(device, qp, packet) : acceptPath(device, qp, packet);
  return accepted ? qp : undefined;
}

export const icrcFits = seam((_device: Device, { icrcOk }: Packet): boolean => icrcOk);

export const addressFits = seam((device: Device, packet: Packet): boolean => device.isAddressed(packet));

/** Transport version 0; reserved bits may be anything. */
export const headerFits = seam((_device: Device, { tver }: Packet): boolean => tver === 0);

export const qpNamed = seam((device: Device, { destQp }: Packet): QueuePair | undefined =>
  device.qpByNumber.get(destQp),
);

export const serviceFits = seam(
  (_device: Device, qp: QueuePair, { opcode }: Packet): boolean => opcode >> 5 === bitsOf(qp),
);

export const pkeyFits = seam((_device: Device, { pkey }: Packet): boolean => inPartition(pkey));
