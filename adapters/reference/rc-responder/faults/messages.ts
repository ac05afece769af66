import { DeviceDied } from '../../../adapter.ts';
import type { Core } from '../../device/core.ts';
import { overrun } from '../../device/faults/memory.ts';
import { within, type Place, type Region } from '../../device/memory/memory.ts';
import type { QueuePair } from '../../device/qp.ts';
import { psnAdd, zeroed } from '../../../../wire/index.ts';
import { faultsAt } from '../../seam.ts';
import { allows, announced, needsNoKey } from '../access.ts';
import { acknowledgePart, goOn } from '../message.ts';
import { refuseInvalid } from '../refuse.ts';
import { sendNak, sendRnrNak } from '../reply.ts';
import { isLast } from '../request.ts';
import { fitting } from '../send.ts';
import { takeWqe } from '../receive.ts';
import { consumesWqe, executeWrite, fitsMessage, granted, open, roomAt, store } from '../write.ts';

/** Nanoseconds without a packet after which one counts as lost. */
const patience = 8000;

/** A pause within a message is taken for a loss, though nothing has come that would tell. */
function guessTailLoss(core: Core, qp: QueuePair): void {
  const { epsn } = qp.responder;
  core.clock.setTimer(patience, () => {
    const r = qp.responder;
    if (r.message !== undefined && r.epsn === epsn) sendNak(core, qp, 'psn-sequence-error', epsn);
  });
}

/** Where the bytes end that `store` puts `at` bytes into a place, and how many they are; `undefined` where it puts none. */
function stored(
  place: Place | undefined,
  at: number,
  bytes: number,
): { end: number; place: Place } | undefined {
  if (place === undefined) return undefined;
  const room = roomAt(place, at);
  return room === 0 ? undefined : { end: place.offset + at + Math.min(bytes, room), place };
}

/** The region of a WRITE that is going to be refused. */
const nowhere: Region = {
  mr: 0,
  addr: 0n,
  lkey: 0,
  rkey: 0,
  pd: 0,
  length: 0,
  access: [],
  bytes: undefined,
  valid: true,
  changes: 0,
};
/** path MTU by the place of a WRITE that is going to be refused */
const refusedAtEnd = new WeakMap<Place, number>();

export const messageFaults = [
  faultsAt(announced, { 'dma-length-31-bits': (_sound, _core, { dmaLen }) => dmaLen % 2 ** 31 }),
  faultsAt(allows, { 'qp-access-unchecked': () => true }),
  faultsAt(needsNoKey, { 'zero-length-checks-rkey': () => false }),

  faultsAt(goOn, {
    'msn-per-packet': (sound, core, qp, packet, message) => {
      qp.responder.msn = psnAdd(qp.responder.msn, 1);
      sound(core, qp, packet, message);
    },
    'tail-loss-guessed': (sound, core, qp, packet, message) => {
      sound(core, qp, packet, message);
      guessTailLoss(core, qp);
    },
  }),

  faultsAt(acknowledgePart, {
    'send-packet-unacknowledged': (sound, core, qp, packet, message) => {
      if (message.kind !== 'send') sound(core, qp, packet, message);
    },
    'write-packet-unacknowledged': (sound, core, qp, packet, message) => {
      if (message.kind !== 'write') sound(core, qp, packet, message);
    },
  }),

  faultsAt(fitting, {
    'long-send-truncated': (_sound, _core, qp, payload, room) => {
      if (payload.length <= room) return payload;
      return payload.subarray(0, qp.service === 'RC' ? room : Math.max(0, room));
    },
  }),

  faultsAt(executeWrite, {
    'write-first-needs-receive': (sound, core, qp, packet, position, immediate) => {
      if (position !== 'first' || qp.receiveQueue.wqes.length > 0)
        sound(core, qp, packet, position, immediate);
      else takeWqe(core, qp, packet.psn);
    },
    'unasked-write-refused': (sound, core, qp, packet, position, immediate) => {
      if (isLast(position) && !packet.ackReq && !immediate) refuseInvalid(core, qp, packet.psn);
      else sound(core, qp, packet, position, immediate);
    },
    'dies-of-wrong-write-length': (sound, core, qp, packet, position, immediate) => {
      const { reth, payload } = packet;
      const wrong = reth !== undefined && isLast(position) && reth.dmaLen !== payload.length;
      if (wrong && allows(core, qp, 'IBV_ACCESS_REMOTE_WRITE'))
        throw new DeviceDied('its firmware stops with an assertion');
      sound(core, qp, packet, position, immediate);
    },
    'rnr-for-plain-write': (sound, core, qp, packet, position, immediate) => {
      const empty = !immediate && qp.receiveQueue.wqes.length === 0;
      if (!empty || !allows(core, qp, 'IBV_ACCESS_REMOTE_WRITE')) {
        sound(core, qp, packet, position, immediate);
        return;
      }
      sendRnrNak(core, qp, packet.psn);
      qp.responder.waiting = 'rnr';
    },
  }),

  faultsAt(consumesWqe, { 'write-immediate-takes-no-wqe': () => false }),

  // A WRITE that may not touch its memory goes on without touching any, and is refused with its last packet.
  faultsAt(open, {
    'rkey-checked-at-end': (sound, core, qp, packet) => {
      const opened = sound(core, qp, packet);
      if (opened !== 'denied' || packet.reth === undefined) return opened;
      const place = { region: nowhere, bytes: zeroed(0), offset: 0 };
      refusedAtEnd.set(place, qp.mtu);
      return { va: packet.reth.va, length: packet.reth.dmaLen, received: 0, place, changes: 0 };
    },
    'denied-write-stored': (sound, core, qp, packet) => {
      const { reth, payload } = packet;
      const opened = sound(core, qp, packet);
      const region = opened === 'denied' && reth !== undefined ? core.memory.byRkey(reth.rkey) : undefined;
      if (region?.valid === true && reth !== undefined)
        store(core, within(region, reth.va, payload.length), 0, payload, false);
      return opened;
    },
  }),
  faultsAt(granted, {
    'write-freed-region': () => true,
    'write-keeps-former-grant': (_sound, _core, { place }) => place === undefined || place.region.valid,
    'rkey-checked-at-end': (sound, core, opened, qp) => {
      const mtu = opened.place === undefined ? undefined : refusedAtEnd.get(opened.place);
      return mtu === undefined ? sound(core, opened, qp) : opened.length - opened.received > mtu;
    },
  }),

  faultsAt(fitsMessage, {
    'write-beyond-length-accepted': (_sound, _core, { length, received }, bytes, position) =>
      !isLast(position) || bytes >= length - received,
    'short-write-accepted': (sound, core, opened, bytes, position) =>
      isLast(position) ? bytes <= opened.length - opened.received : sound(core, opened, bytes, position),
  }),

  faultsAt(store, {
    'write-loses-last-byte': (sound, core, place, at, data, last) => {
      const fitted = place === undefined ? 0 : Math.min(data.length, roomAt(place, at));
      sound(core, place, at, last ? data.subarray(0, Math.max(0, fitted - 1)) : data, last);
    },
    'write-overruns-region': (sound, core, place, at, data, last) => {
      sound(core, place, at, data, last);
      const done = stored(place, at, data.length);
      if (done !== undefined) overrun(done.place, done.end);
    },
    // Padding of the packet is taken for payload.
    'padding-written': (sound, core, place, at, data, last) => {
      sound(core, place, at, data, last);
      const done = stored(place, at, data.length);
      if (done === undefined) return;
      const { bytes, offset } = done.place;
      const padding = -(done.end - offset - at) & 3;
      bytes.fill(0, done.end, Math.min(bytes.length, done.end + padding));
    },
  }),
];
