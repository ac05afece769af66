import { psnAdd, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import { oweAck } from './reply.ts';
import type { Message } from './state.ts';

/** A packet of a SEND or WRITE that is not the last: `message` is under way. */
export const goOn = seam((core: Core, qp: QueuePair, packet: Packet, message: Message): void => {
  const r = qp.responder;
  r.epsn = psnAdd(r.epsn, 1);
  r.message = message;
  acknowledgePart(core, qp, packet, message);
});

export const acknowledgePart = seam((core: Core, qp: QueuePair, packet: Packet, _message: Message): void => {
  oweAck(core, qp, packet.ackReq);
});

/** The last packet of a SEND or WRITE has been carried out. */
export function endMessage(qp: QueuePair): void {
  const r = qp.responder;
  r.epsn = psnAdd(r.epsn, 1);
  r.message = undefined;
  r.msn = psnAdd(r.msn, 1);
}
