import type { Packet } from '../../../wire/index.ts';
import { handleOutOfOrder } from '../ooo/arriving.ts';
import { isOutOfOrder } from '../ooo/qp.ts';
import { handleResponse } from '../rc-requester/response.ts';
import { receives } from '../rc-responder/receiving.ts';
import { handleRequest } from '../rc-responder/responder.ts';
import { seam } from '../seam.ts';
import { handleDatagram } from '../unreliable/datagram.ts';
import { handleUnreliable } from '../unreliable/responder.ts';
import { admit } from './admit.ts';
import { arriving } from './port/arriving.ts';
import type { Device } from './device.ts';
import { inPartition } from './port/pkey.ts';
import type { QueuePair } from './qp.ts';

/** Gives a frame that has arrived to the role of the QP that it is for. */
export function dispatch(device: Device, frame: Uint8Array): void {
  const packet = arriving(device, frame);
  if (packet === undefined) {
    dropFrame(device, frame);
    return;
  }
  if (packet.info?.kind === 'cnp') {
    handleCnp(device, packet);
    return;
  }
  const qp = admit(device, packet);
  if (qp === undefined) {
    dropPacket(device, packet);
    return;
  }
  device.learn(packet);
  device.notification?.arrived(qp, packet);
  deliver(device, qp, packet);
}

/** A frame that is no RoCEv2 packet is dropped silently. */
export const dropFrame = seam((_device: Device, _frame: Uint8Array): void => undefined);

/** So is a packet that no QP of the device looks at. */
export const dropPacket = seam((_device: Device, _packet: Packet): void => undefined);

export const deliver = seam((device: Device, qp: QueuePair, packet: Packet): void => {
  switch (qp.service) {
    case 'RC':
      if (isOutOfOrder(qp)) handleOutOfOrder(device, qp, packet);
      else if (packet.info?.kind === 'response') handleResponse(device, qp, packet);
      else handleRequest(device, qp, packet);
      return;
    case 'UC':
      handleUnreliable(device, qp, packet);
      return;
    case 'UD':
      handleDatagram(device, qp, packet);
      return;
  }
});

/** A CNP: it concerns the rate of the QP that it names, and nothing else. */
function handleCnp(device: Device, packet: Packet): void {
  if (!device.isAddressed(packet) || packet.tver !== 0 || !inPartition(packet.pkey)) return;
  const named = device.qpByNumber.get(packet.destQp);
  if (named === undefined || receives(device, named)) react(device, packet, named);
}

/** `named`: the QP that a CNP names, if the device has it. */
export const react = seam((device: Device, { icrcOk }: Packet, named: QueuePair | undefined): void => {
  if (icrcOk && named !== undefined) device.reaction?.notified(named);
});
