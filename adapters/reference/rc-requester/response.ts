import { decodeSyndrome } from '../../../spec/constants.ts';
import { psnAdd, psnDiff, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import { handleAtomic, handleRead } from './data.ts';
import { impliedNak } from './implied-nak.ts';
import { handleNak } from './nak.ts';
import { acknowledge } from './progress.ts';
import { refuseAnswer } from './refuse-answer.ts';
import { waitForReceiver } from './rnr.ts';
import { noteVoidAnswer } from './timers.ts';

/** A response packet whose headers are sound. Ghosts, and what is known already, are dropped. */
export function handleResponse(core: Core, qp: QueuePair, packet: Packet): void {
  const { una, end } = qp.requester;
  if (qp.state !== 'IBV_QPS_RTS' && qp.state !== 'IBV_QPS_SQD') return;
  if (isBehind(core, packet.psn, una)) {
    dropDuplicate(core, qp, packet);
    return;
  }
  if (psnDiff(packet.psn, end) >= 0) {
    dropGhost(core, qp, packet);
    return;
  }
  switch (packet.info?.operation) {
    case 'ACKNOWLEDGE':
      handleAcknowledge(core, qp, packet);
      return;
    case 'ATOMIC_ACKNOWLEDGE':
      handleAtomic(core, qp, packet);
      return;
    case undefined:
      return;
    default:
      handleRead(core, qp, packet);
  }
}

/** Whether a PSN is older than the oldest one that is not acknowledged. */
export const isBehind = seam((_core: Core, psn: number, una: number): boolean => psnDiff(psn, una) < 0);

/** An answer that says what is known already. */
export const dropDuplicate = seam((core: Core, qp: QueuePair, _packet: Packet): void => {
  if (core.config.duplicateRestartsTimer) noteVoidAnswer(core, qp, core.arrival);
});

/** An answer to what was never sent: it changes nothing. */
export const dropGhost = seam((_core: Core, _qp: QueuePair, _packet: Packet): void => undefined);

function handleAcknowledge(core: Core, qp: QueuePair, packet: Packet): void {
  const { psn, aeth } = packet;
  if (aeth === undefined) return;
  const { kind, value } = decodeSyndrome(aeth.syndrome);
  switch (kind) {
    case 'ack':
      if (!acknowledge(core, qp, psnAdd(psn, 1))) impliedNak(core, qp, psn);
      return;
    case 'rnr-nak':
      if (acknowledge(core, qp, psn, 'rnr-nak')) waitForReceiver(core, qp, psn, value);
      else if (core.config.rnrNakBehindGap === 'waits') waitForReceiver(core, qp, qp.requester.una, value);
      else impliedNak(core, qp, psn);
      return;
    case 'nak':
      handleNak(core, qp, psn, value);
      return;
    case 'reserved':
      handleReserved(core, qp, psn);
      return;
  }
}

/** A reserved syndrome. */
export const handleReserved = seam((core: Core, qp: QueuePair, _psn: number): void => {
  refuseAnswer(core, qp, 'reservedSyndrome');
});
