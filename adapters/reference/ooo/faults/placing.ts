import { within } from '../../device/memory/memory.ts';
import { scatter } from '../../device/memory/sge-list.ts';
import { receiveDomain } from '../../device/receive-queue.ts';
import { isFirst, requestOf } from '../../rc-responder/request.ts';
import { store } from '../../rc-responder/write.ts';
import { faultsAt } from '../../seam.ts';
import {
  mayWrite,
  meetsUnfinished,
  putsAside,
  numberOf,
  objectToAccess,
  objectToFault,
  objectToLong,
  offsetIn,
  placeData,
  placeOfPacket,
  placesNow,
  roomOf,
  storeWrite,
} from '../place.ts';
import { takeOldest } from '../receive-wqes.ts';
import { answerDuplicate, answerRepeated, pass } from '../responder.ts';
import type { Core } from '../../device/core.ts';
import type { OooQp } from '../qp.ts';
import type { Packet } from '../../../../wire/index.ts';

const stray = Uint8Array.of(0xee);
/** Bytes behind a region that may be written by packets whose access is not checked. */
const slack = 32;

type Answering = (core: Core, qp: OooQp, packet: Packet) => void;

/** The data of a packet goes into memory each time it comes. */
function placeAgain(sound: Answering, core: Core, qp: OooQp, packet: Packet): void {
  const request = requestOf(packet);
  if (request.kind === 'write') placeData(core, qp, packet, request);
  sound(core, qp, packet);
}

export const placingFaults = [
  faultsAt(numberOf, { 'ooo-matched-by-arrival': (_sound, _core, qp) => qp.ooo.responder.recvWqeSn }),

  faultsAt(offsetIn, {
    // Packets are believed to come in order.
    'ooo-sends-appended': (_sound, _core, qp, { ooeth }, named) => {
      const { arrived, message } = qp.ooo.responder;
      let before = message?.kind === 'send' ? message.received : 0;
      for (const { packet } of arrived.values())
        if (packet.ooeth?.recvWqeSn === ooeth?.recvWqeSn) before += packet.payloadLength;
      return Math.min(named, before);
    },
  }),

  faultsAt(placesNow, { 'ooo-placed-in-turn': (_sound, _core, qp, { psn }) => psn === qp.responder.epsn }),

  faultsAt(pass, {
    'ooo-placed-in-turn': (sound, core, qp, arrival) => {
      const { packet, request } = arrival;
      if (request.kind === 'send' || request.kind === 'write') placeData(core, qp, packet, request);
      return sound(core, qp, arrival);
    },
  }),

  faultsAt(answerDuplicate, { 'ooo-duplicate-placed': placeAgain }),
  faultsAt(answerRepeated, { 'ooo-duplicate-placed': placeAgain }),

  faultsAt(putsAside, { 'ooo-guard-missing': () => false }),

  faultsAt(meetsUnfinished, { 'ooo-receive-overlap-unguarded': () => false }),

  faultsAt(objectToLong, {
    'ooo-long-send-truncated': (_sound, core, qp, { payload }, wqe, offset) => {
      const data = payload.subarray(0, Math.max(0, roomOf(core, wqe) - offset));
      if (data.length > 0) scatter(core.memory, wqe.sg_list, offset, data, receiveDomain(core, qp));
      return undefined;
    },
  }),

  faultsAt(objectToFault, { 'ooo-receive-fault-ignored': () => undefined }),
  faultsAt(mayWrite, { 'ooo-disabled-operation-done': () => true }),

  faultsAt(placeOfPacket, {
    'ooo-access-checked-in-first-only': (sound, core, qp, packet, reth) => {
      const request = requestOf(packet);
      if (!('position' in request) || isFirst(request.position)) return sound(core, qp, packet, reth);
      const region = core.memory.byRkey(reth.rkey);
      return region?.valid === true ? within(region, reth.va, reth.dmaLen, slack) : undefined;
    },
  }),

  faultsAt(objectToAccess, {
    // What is refused is stored all the same, where any region has the place.
    'ooo-refused-stored': (sound, core, packet) => {
      const { reth, ooeth, payload } = packet;
      const region = reth === undefined ? undefined : core.memory.byRkey(reth.rkey);
      if (reth !== undefined && ooeth !== undefined && region?.valid === true) {
        const place = within(region, reth.va + BigInt(ooeth.offset), payload.length);
        place?.bytes.set(payload, place.offset);
      }
      return sound(core, packet);
    },
  }),

  faultsAt(storeWrite, {
    'ooo-write-offset-ignored': (sound, core, place, packet, last) =>
      sound(core, { ...place, offset: place.offset - (packet.ooeth?.offset ?? 0) }, packet, last),
    'ooo-write-overruns': (sound, core, place, packet, last) => {
      sound(core, place, packet, last);
      store(core, place, packet.payload.length, stray, false);
    },
  }),

  faultsAt(takeOldest, { 'ooo-completes-newest-wqe': (_sound, _core, { taken }) => taken.pop() }),
];
