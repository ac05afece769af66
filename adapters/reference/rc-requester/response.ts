import { decodeSyndrome, nakCodes } from '../../../spec/constants.ts';
import type { WcStatus } from '../../../spec/verbs.ts';
import { psnAdd, psnDiff, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { failHead } from './complete.ts';
import { handleAtomic, handleRead } from './data.ts';
import { impliedNak } from './implied-nak.ts';
import { mistakeDuplicate } from './late.ts';
import { acknowledge } from './progress.ts';
import { refuseAnswer } from './refuse-answer.ts';
import { retry } from './retry.ts';
import { waitForReceiver } from './rnr.ts';
import { noteVoidAnswer } from './timers.ts';

const fatal: Readonly<Record<string, WcStatus>> = {
  'invalid-request': 'IBV_WC_REM_INV_REQ_ERR',
  'remote-access-error': 'IBV_WC_REM_ACCESS_ERR',
  'remote-operational-error': 'IBV_WC_REM_OP_ERR',
};

/** A response packet whose headers are sound. Ghosts, and what is known already, are dropped. */
export function handleResponse(core: Core, qp: QueuePair, packet: Packet): void {
  const q = qp.requester;
  if (qp.state !== 'IBV_QPS_RTS' && qp.state !== 'IBV_QPS_SQD') return;
  const behind = core.fault === 'response-psn-without-wrap' ? packet.psn - q.una : psnDiff(packet.psn, q.una);
  if (behind < 0) {
    if (core.config.duplicateRestartsTimer) noteVoidAnswer(core, qp, core.arrival);
    mistakeDuplicate(core, qp, packet);
    return;
  }
  if (psnDiff(packet.psn, q.end) >= 0) {
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

function dropGhost(core: Core, qp: QueuePair, packet: Packet): void {
  if (core.fault === 'timer-restarted-by-ghosts') noteVoidAnswer(core, qp, core.arrival);
  if (core.fault === 'ghost-ack-completes' && packet.info?.operation === 'ACKNOWLEDGE')
    acknowledge(core, qp, qp.requester.end);
}

function handleAcknowledge(core: Core, qp: QueuePair, packet: Packet): void {
  const { psn, aeth } = packet;
  if (aeth === undefined) return;
  const { kind, value } = decodeSyndrome(aeth.syndrome);
  switch (kind) {
    case 'ack':
      if (!acknowledge(core, qp, psnAdd(psn, 1))) impliedNak(core, qp, psn);
      return;
    case 'rnr-nak':
      if (!acknowledge(core, qp, psn, 'rnr-nak')) impliedNak(core, qp, psn);
      else waitForReceiver(core, qp, psn, value);
      return;
    case 'nak':
      handleNak(core, qp, psn, value);
      return;
    case 'reserved':
      if (core.fault === 'reserved-syndrome-as-ack') acknowledge(core, qp, psnAdd(psn, 1));
      else refuseAnswer(core, qp, 'reservedSyndrome');
      return;
  }
}

function handleNak(core: Core, qp: QueuePair, psn: number, value: number): void {
  const { fault } = core;
  const name = nakCodes.find((n) => n.code === value)?.name;
  const status = fatal[name ?? ''];
  if (name === 'psn-sequence-error' || (status !== undefined && fault === 'fatal-nak-retried')) {
    handleSequenceNak(core, qp, psn);
    return;
  }
  if (status === undefined) {
    if (fault === 'reserved-nak-as-sequence-error') handleSequenceNak(core, qp, psn);
    else if (core.config.reservedSyndrome === 'drop') return;
    else if (!acknowledge(core, qp, psn)) impliedNak(core, qp, psn);
    else failHead(core, qp, 'IBV_WC_BAD_RESP_ERR');
    return;
  }
  if (fault !== 'fatal-nak-fails-oldest' && !acknowledge(core, qp, psn)) impliedNak(core, qp, psn);
  else failHead(core, qp, reported(core, status));
}

function handleSequenceNak(core: Core, qp: QueuePair, psn: number): void {
  const q = qp.requester;
  const { fault } = core;
  const complete = fault !== 'nak-acknowledges-nothing' && acknowledge(core, qp, psn);
  const repeats = q.faulty.lastNak === psn;
  q.faulty.lastNak = psn;
  if (fault === 'sequence-nak-waits-for-timer') return;
  if (fault === 'second-sequence-nak-ignored' && repeats) return;
  if (fault === 'sequence-nak-fatal') failHead(core, qp, 'IBV_WC_REM_OP_ERR');
  else retry(core, qp, complete ? psn : q.una, 'sequence-nak');
}

function reported({ fault }: Core, status: WcStatus): WcStatus {
  if (fault === 'remote-access-as-local' && status === 'IBV_WC_REM_ACCESS_ERR')
    return 'IBV_WC_LOC_ACCESS_ERR';
  if (fault === 'invalid-request-of-rd' && status === 'IBV_WC_REM_INV_REQ_ERR')
    return 'IBV_WC_REM_INV_RD_REQ_ERR';
  if (fault === 'remote-invalid-request-as-access' && status === 'IBV_WC_REM_INV_REQ_ERR')
    return 'IBV_WC_REM_ACCESS_ERR';
  if (fault === 'remote-access-as-operational' && status === 'IBV_WC_REM_ACCESS_ERR')
    return 'IBV_WC_REM_OP_ERR';
  if (fault === 'remote-operational-as-invalid-request' && status === 'IBV_WC_REM_OP_ERR')
    return 'IBV_WC_REM_INV_REQ_ERR';
  return status;
}
