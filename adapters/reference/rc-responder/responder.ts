import { psnRegion, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import { announce } from './announce.ts';
import { answerDuplicate } from './duplicate.ts';
import { execute } from './execute.ts';
import { sendNak } from './reply.ts';
import type { ResponderState } from './state.ts';

/** A request packet whose headers are sound and whose QP can receive. */
export function handleRequest(core: Core, qp: QueuePair, packet: Packet): void {
  const r = qp.responder;
  announce(core, qp);
  switch (regionOf(core, packet.psn, r.epsn)) {
    case 'expected':
      takeExpected(core, qp, packet);
      return;
    case 'ahead':
      refuseAhead(core, qp, packet);
      return;
    case 'duplicate':
      answerDuplicate(core, qp, packet);
      return;
  }
}

export const regionOf = seam((_core: Core, psn: number, epsn: number) => psnRegion(psn, epsn));

/** A request with the expected PSN. */
export const takeExpected = seam((core: Core, qp: QueuePair, packet: Packet): void => {
  endWaiting(core, qp.responder);
  execute(core, qp, packet);
});

/** The packet that a NAK asked for is here. */
export const endWaiting = seam((_core: Core, r: ResponderState): void => {
  r.waiting = undefined;
});

/** One NAK for a gap: whatever else comes before the expected PSN says nothing new. */
export const refuseAhead = seam((core: Core, qp: QueuePair, packet: Packet): void => {
  const r = qp.responder;
  if (r.waiting !== undefined) return;
  r.waiting = 'sequence';
  sendSequenceNak(core, qp, packet);
});

export const sendSequenceNak = seam((core: Core, qp: QueuePair, _packet: Packet): void => {
  sendNak(core, qp, 'psn-sequence-error', qp.responder.epsn);
});
