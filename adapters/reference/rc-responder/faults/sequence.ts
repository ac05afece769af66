import { psnAdd, psnDiff, type Packet } from '../../../../wire/index.ts';
import type { Core } from '../../device/core.ts';
import type { QueuePair } from '../../device/qp.ts';
import { faultsAt } from '../../seam.ts';
import { announce } from '../announce.ts';
import { execute, inSequence, refuseUnsupported, startsRequest } from '../execute.ts';
import { payloadFits } from '../length.ts';
import { sendNak } from '../reply.ts';
import { requestOf } from '../request.ts';
import { endWaiting, refuseAhead, regionOf, sendSequenceNak } from '../responder.ts';
import { open, store } from '../write.ts';

/** PSNs behind the expected one that are taken for duplicates */
const shortMemory = 16;

/** The payload of a WRITE that is going to be refused, put where it asks for all the same. */
function storeAnyway(core: Core, qp: QueuePair, packet: Packet): void {
  const opened = requestOf(packet).kind === 'write' ? open(core, qp, packet) : 'invalid';
  if (opened !== 'invalid' && opened !== 'denied') store(core, opened.place, 0, packet.payload, false);
}

/** QPs whose first packet has been announced */
const announced = new WeakSet<QueuePair>();

export const sequenceFaults = [
  faultsAt(announce, {
    'established-missing': () => undefined,
    'established-not-rearmed': (sound, core, qp) => {
      if (qp.state !== 'IBV_QPS_RTR' || announced.has(qp)) return;
      announced.add(qp);
      sound(core, qp);
    },
    'established-repeated': (sound, core, qp) => {
      qp.established = false;
      sound(core, qp);
    },
    'established-again-in-rts': (sound, core, qp) => {
      sound(core, qp);
      if (qp.state === 'IBV_QPS_RTR' || !qp.established) return;
      qp.established = false;
      core.raise({ event_type: 'IBV_EVENT_COMM_EST', qp_num: qp.num });
    },
  }),

  faultsAt(regionOf, {
    'psn-compare-without-wrap': (_sound, _core, psn, epsn) => {
      if (psn === epsn) return 'expected';
      return psn > epsn ? 'ahead' : 'duplicate';
    },
    'old-duplicate-is-ahead': (sound, core, psn, epsn) => {
      const region = sound(core, psn, epsn);
      return region === 'duplicate' && psnDiff(epsn, psn) > shortMemory ? 'ahead' : region;
    },
  }),

  faultsAt(endWaiting, {
    'sequence-nak-only-once': (sound, core, r) => {
      if (r.waiting === 'rnr') sound(core, r);
    },
  }),

  faultsAt(refuseAhead, {
    'ahead-accepted': (_sound, core, qp, packet) => {
      qp.responder.epsn = packet.psn;
      execute(core, qp, packet);
    },
    'sequence-nak-missing': () => undefined,
    'refused-write-stored': (sound, core, qp, packet) => {
      storeAnyway(core, qp, packet);
      sound(core, qp, packet);
    },
    'nak-per-packet': (sound, core, qp, packet) => {
      qp.responder.waiting = undefined;
      sound(core, qp, packet);
    },
    'sequence-nak-after-rnr': (sound, core, qp, packet) => {
      if (qp.responder.waiting === 'rnr') qp.responder.waiting = undefined;
      sound(core, qp, packet);
    },
  }),

  faultsAt(sendSequenceNak, {
    'nak-psn-of-request': (_sound, core, qp, { psn }) => sendNak(core, qp, 'psn-sequence-error', psn),
    'nak-psn-last-received': (_sound, core, qp) =>
      sendNak(core, qp, 'psn-sequence-error', psnAdd(qp.responder.epsn, -1)),
    'sequence-nak-as-invalid-request': (_sound, core, qp) =>
      sendNak(core, qp, 'invalid-request', qp.responder.epsn),
    'sequence-nak-consumes-wqe': (sound, core, qp, packet) => {
      qp.receiveQueue.wqes.shift();
      sound(core, qp, packet);
    },
  }),

  faultsAt(inSequence, {
    'opcode-sequence-unchecked': (sound, core, qp, request) => {
      if (request.kind !== 'unsupported' && startsRequest(request)) qp.responder.message = undefined;
      return sound(core, qp, request);
    },
  }),

  faultsAt(refuseUnsupported, { 'reserved-opcode-dropped': () => undefined }),

  faultsAt(payloadFits, {
    'short-first-accepted': (sound, core, bytes, mtu, position) =>
      position === 'first' || position === 'middle' ? bytes <= mtu : sound(core, bytes, mtu, position),
    'empty-last-accepted': (sound, core, bytes, mtu, position) =>
      sound(core, bytes, mtu, position) || (position === 'last' && bytes === 0),
    'payload-beyond-mtu-accepted': (sound, core, bytes, mtu, position) =>
      position === 'only' || sound(core, bytes, mtu, position),
  }),
];
