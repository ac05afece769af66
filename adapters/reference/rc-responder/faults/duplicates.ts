import { psnAdd, type Packet } from '../../../../wire/index.ts';
import type { Core } from '../../device/core.ts';
import type { AtomicEth } from '../../device/headers.ts';
import type { Place } from '../../device/memory/memory.ts';
import { remotePlace } from '../../device/memory/protection.ts';
import type { QueuePair } from '../../device/qp.ts';
import { faultsAt } from '../../seam.ts';
import { operate, valueAt, type AtomicKind } from '../atomic.ts';
import {
  answerAtomic,
  answerDuplicate,
  answerMessage,
  answerRead,
  dropUnsupported,
  findResource,
  readAgain,
  repeatRead,
  resultAgain,
} from '../duplicate.ts';
import { sendAck, sendAtomicAck, sendNak, sendReadResponses } from '../reply.ts';
import type { Message } from '../request.ts';
import { remember } from '../resources.ts';
import { executeSend } from '../send.ts';
import { executeWrite } from '../write.ts';

/** Executes a whole message again; its place in the sequence is put back afterwards. */
function executeAgain(
  core: Core,
  qp: QueuePair,
  packet: Packet,
  { kind, position, immediate }: Message,
): void {
  const { epsn, msn, message, waiting } = qp.responder;
  qp.responder.message = undefined;
  if (kind === 'send') executeSend(core, qp, packet, position);
  else executeWrite(core, qp, packet, position, immediate);
  Object.assign(qp.responder, { epsn, msn, message, waiting });
}

function placeOf({ memory }: Core, { pd }: QueuePair, { rkey, va }: AtomicEth): Place | undefined {
  return remotePlace(memory, rkey, va, 8, pd, 'IBV_ACCESS_REMOTE_ATOMIC');
}

function executeAtomicAgain(core: Core, qp: QueuePair, psn: number, eth: AtomicEth, kind: AtomicKind): void {
  const place = placeOf(core, qp, eth);
  if (place !== undefined) sendAtomicAck(core, qp, psn, operate(core, place, eth, kind));
}

export const duplicateFaults = [
  faultsAt(answerMessage, {
    'duplicate-ack-own-psn': (_sound, core, qp, packet) => {
      if (packet.ackReq) sendAck(core, qp, packet.psn);
    },
  }),

  faultsAt(answerDuplicate, {
    'duplicate-invalidates': (sound, core, qp, packet) => {
      if (packet.invalidateRkey !== undefined) core.memory.invalidate(packet.invalidateRkey, qp);
      sound(core, qp, packet);
    },
    'duplicates-ignored-while-waiting': (sound, core, qp, packet) => {
      if (qp.responder.waiting === undefined) sound(core, qp, packet);
    },
    'duplicate-ends-waiting': (sound, core, qp, packet) => {
      qp.responder.waiting = undefined;
      sound(core, qp, packet);
    },
  }),

  faultsAt(answerMessage, {
    'duplicate-counted-in-msn': (sound, core, qp, packet, request) => {
      qp.responder.msn = psnAdd(qp.responder.msn, 1);
      sound(core, qp, packet, request);
    },
    'unasked-duplicate-refused': (sound, core, qp, packet, request) => {
      if (packet.ackReq) sound(core, qp, packet, request);
      else sendNak(core, qp, 'invalid-request', packet.psn);
    },
    'duplicate-not-acknowledged': () => undefined,
    'duplicate-advances-expected-psn': (sound, core, qp, packet, request) => {
      qp.responder.epsn = psnAdd(packet.psn, 1);
      sound(core, qp, packet, request);
    },
    'duplicate-send-executed': (sound, core, qp, packet, request) => {
      const whole = request.kind === 'send' && request.position === 'only';
      if (whole && qp.receiveQueue.wqes.length > 0) {
        executeAgain(core, qp, packet, request);
        return;
      }
      if (whole) qp.responder.message = undefined;
      sound(core, qp, packet, request);
    },
    'duplicate-write-executed': (sound, core, qp, packet, request) => {
      if (request.kind === 'write' && request.position === 'only') executeAgain(core, qp, packet, request);
      else sound(core, qp, packet, request);
    },
  }),

  faultsAt(answerRead, {
    'duplicate-read-ignored': () => undefined,
    'read-again-takes-entry': (sound, core, qp, packet) => {
      sound(core, qp, packet);
      const found = qp.responder.resources.find(({ psn }) => psn === packet.psn);
      if (found !== undefined) remember(core, qp, found);
    },
    'duplicate-read-advances-expected-psn': (sound, core, qp, packet) => {
      sound(core, qp, packet);
      const found = findResource(core, qp, packet.psn);
      if (found?.kind === 'read') qp.responder.epsn = psnAdd(found.psn, found.packets);
    },
  }),

  faultsAt(readAgain, {
    'duplicate-read-error-refused': (sound, core, qp, found, psn, reth) => {
      const data = sound(core, qp, found, psn, reth);
      if (data === undefined) sendNak(core, qp, 'remote-access-error', psn);
      return data;
    },
  }),

  faultsAt(repeatRead, {
    'read-retry-adds-entry': (sound, core, qp, found, psn, data) => {
      remember(core, qp, found);
      sound(core, qp, found, psn, data);
    },
    'partial-read-from-original-psn': (_sound, core, qp, found, _psn, data) =>
      sendReadResponses(core, qp, found.psn, data),
  }),

  faultsAt(answerAtomic, {
    'duplicate-atomic-advances-expected-psn': (sound, core, qp, packet, kind) => {
      sound(core, qp, packet, kind);
      if (findResource(core, qp, packet.psn)?.kind === 'atomic') qp.responder.epsn = psnAdd(packet.psn, 1);
    },
    'unrecorded-atomic-executed': (sound, core, qp, packet, kind) => {
      const { psn, atomicEth: eth } = packet;
      if (eth !== undefined && findResource(core, qp, psn) === undefined)
        executeAtomicAgain(core, qp, psn, eth, kind);
      else sound(core, qp, packet, kind);
    },
    'mismatched-atomic-executed': (sound, core, qp, packet, kind) => {
      const { psn, atomicEth: eth } = packet;
      if (eth !== undefined && findResource(core, qp, psn)?.kind === 'read')
        executeAtomicAgain(core, qp, psn, eth, kind);
      else sound(core, qp, packet, kind);
    },
    'mismatched-atomic-refused': (sound, core, qp, packet, kind) => {
      if (findResource(core, qp, packet.psn)?.kind === 'read')
        sendNak(core, qp, 'invalid-request', packet.psn);
      else sound(core, qp, packet, kind);
    },
  }),

  faultsAt(resultAgain, {
    'atomic-executed-twice': (sound, core, qp, found, eth, kind) => {
      const place = placeOf(core, qp, eth);
      return place === undefined ? sound(core, qp, found, eth, kind) : operate(core, place, eth, kind);
    },
    'duplicate-atomic-fresh-value': (sound, core, qp, found, eth, kind) => {
      const place = placeOf(core, qp, eth);
      return place === undefined ? sound(core, qp, found, eth, kind) : valueAt(place);
    },
  }),

  faultsAt(dropUnsupported, {
    'duplicate-error-refused': (_sound, core, qp, { psn }) => sendNak(core, qp, 'invalid-request', psn),
    'duplicate-error-fatal': (_sound, core, qp) => core.fail(qp),
    'duplicate-error-reported': (_sound, core, qp) =>
      core.raise({ event_type: 'IBV_EVENT_QP_REQ_ERR', qp_num: qp.num }),
  }),
];
