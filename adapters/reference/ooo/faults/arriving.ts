import { psnAdd } from '../../../../wire/index.ts';
import type { Core } from '../../device/core.ts';
import type { OooQp } from '../qp.ts';
import { readable } from '../../rc-responder/read.ts';
import { completeReceive } from '../../rc-responder/receive.ts';
import { sendNak } from '../../rc-responder/reply.ts';
import { isFirst, isLast } from '../../rc-responder/request.ts';
import type { Packet } from '../../../../wire/index.ts';
import { faultsAt } from '../../seam.ts';
import { dataOf, execute } from '../execute.ts';
import { acknowledgeArrived } from '../reply.ts';
import {
  acknowledgeEarly,
  answerDuplicate,
  answerRepeated,
  asksForAck,
  complete,
  filledGap,
  inWindow,
  invalidate,
  isHere,
  keep,
  looksOn,
  namesNext,
  object,
  pass,
  passArrived,
  receive,
  refuseNow,
} from '../responder.ts';

/** PSNs of packets that came early, for good */
const everEarly = new WeakMap<OooQp, Set<number>>();
/** what a READ found when it came */
const stale = new WeakMap<Packet, Uint8Array>();
/** completions that are put off */
const later = new WeakMap<OooQp, (() => void)[]>();

/** Takes one packet that is missing for arrived, where what stands behind it goes on with a message. */
function countForMissing(core: Core, qp: OooQp): void {
  const next = psnAdd(qp.responder.epsn, 1);
  const arrival = qp.ooo.responder.arrived.get(next);
  if (arrival === undefined) return;
  const { request, packet } = arrival;
  if ((request.kind !== 'send' && request.kind !== 'write') || isFirst(request.position)) return;
  qp.ooo.responder.message = { kind: request.kind, received: packet.ooeth?.offset ?? 0 };
  qp.responder.epsn = next;
  passArrived(core, qp);
}

export const arrivingFaults = [
  faultsAt(answerDuplicate, { 'ooo-duplicate-silent': () => undefined }),
  faultsAt(answerRepeated, {
    'ooo-duplicate-early-silent': () => undefined,
    'ooo-duplicate-counted': (sound, core, qp, packet) => {
      countForMissing(core, qp);
      sound(core, qp, packet);
    },
  }),
  faultsAt(inWindow, { 'ooo-window-unbounded': () => true }),

  faultsAt(receive, {
    'ooo-early-dropped': (sound, core, qp, packet) => {
      if (packet.psn === qp.responder.epsn) sound(core, qp, packet);
    },
    'ooo-sequence-nak': (sound, core, qp, packet) => {
      const { epsn } = qp.responder;
      if (packet.psn === epsn) sound(core, qp, packet);
      else sendNak(core, qp, 'psn-sequence-error', epsn);
    },
  }),

  faultsAt(isHere, {
    // The bit of a packet that came early is never cleared, and found again a window later.
    'ooo-arrival-map-kept': (sound, core, qp, packet) => {
      if (sound(core, qp, packet)) return true;
      const { psn } = packet;
      if (psn === qp.responder.epsn) return false;
      const seen = everEarly.get(qp) ?? new Set<number>();
      everEarly.set(qp, seen.add(psn));
      return seen.has(psnAdd(psn, -core.config.outOfOrder.window));
    },
  }),

  faultsAt(object, {
    'ooo-unplaced-acknowledged': (sound, core, qp, packet, objected) => {
      if (packet.psn === qp.responder.epsn) sound(core, qp, packet, objected);
      else acknowledgeArrived(core, qp, true);
    },
    'ooo-refuses-early': (_sound, core, qp, { psn }, objected) => refuseNow(core, qp, psn, objected),
    'ooo-refusal-missing': () => undefined,
  }),

  faultsAt(keep, {
    'ooo-invalidates-early': (sound, core, qp, arrival) => {
      sound(core, qp, arrival);
      const { invalidateRkey } = arrival.packet;
      if (invalidateRkey !== undefined) core.memory.invalidate(invalidateRkey, qp);
    },
  }),

  faultsAt(acknowledgeEarly, {
    // The completion comes with the last packet, whatever is missing, and once more in its turn.
    'ooo-completes-with-last': (sound, core, qp, arrival) => {
      const { packet, request } = arrival;
      const wqe = qp.ooo.responder.taken.find(({ sn }) => sn === packet.ooeth?.recvWqeSn)?.wqe;
      if ('position' in request && isLast(request.position) && wqe !== undefined) {
        const opcode = request.kind === 'send' ? 'IBV_WC_RECV' : 'IBV_WC_RECV_RDMA_WITH_IMM';
        completeReceive(core, qp, packet, wqe, opcode, (packet.ooeth?.offset ?? 0) + packet.payloadLength);
      }
      sound(core, qp, arrival);
    },
    'ooo-executes-early': (sound, core, qp, arrival) => {
      if (!('position' in arrival.request)) {
        execute(core, qp, arrival.packet);
        qp.ooo.responder.readWqeSn = psnAdd(qp.ooo.responder.readWqeSn, -1);
        qp.responder.msn = psnAdd(qp.responder.msn, -1);
      }
      sound(core, qp, arrival);
    },
    'ooo-early-read-stale': (sound, core, qp, arrival) => {
      const { packet, request } = arrival;
      const asked = 'position' in request ? undefined : packet.reth;
      const data = asked === undefined ? undefined : readable(core, qp, asked);
      if (data !== undefined) stale.set(packet, data.slice());
      sound(core, qp, arrival);
    },
  }),

  faultsAt(dataOf, {
    'ooo-early-read-stale': (sound, core, qp, packet, reth) =>
      stale.get(packet) ?? sound(core, qp, packet, reth),
  }),

  // in its turn

  faultsAt(pass, {
    'ooo-msn-per-packet': (sound, core, qp, arrival) => {
      const objected = sound(core, qp, arrival);
      const { request } = arrival;
      if (objected === undefined && 'position' in request && !isLast(request.position))
        qp.responder.msn = psnAdd(qp.responder.msn, 1);
      return objected;
    },
  }),

  faultsAt(filledGap, { 'ooo-filling-silent': () => false }),
  faultsAt(asksForAck, { 'ooo-ack-request-ignored': () => false }),
  faultsAt(namesNext, { 'ooo-matched-by-arrival': () => true }),

  faultsAt(invalidate, {
    'ooo-never-invalidates': () => true,
    'ooo-invalidates-early': () => true,
  }),

  faultsAt(complete, {
    'ooo-early-completion-lost': (sound, core, qp, packet, wqe, opcode, bytes) => {
      if (packet.psn === qp.ooo.responder.trigger) sound(core, qp, packet, wqe, opcode, bytes);
    },
    'ooo-invalidation-untold': (sound, core, qp, packet, wqe, opcode, bytes) => {
      const told = { ...packet, invalidateRkey: undefined, immediate: undefined };
      sound(core, qp, packet.invalidateRkey === undefined ? packet : told, wqe, opcode, bytes);
    },
    'ooo-length-of-last-packet': (sound, core, qp, packet, wqe, opcode) =>
      sound(core, qp, packet, wqe, opcode, packet.payloadLength),
    'ooo-immediate-of-newest': (sound, core, qp, packet, wqe, opcode, bytes) => {
      const arrived = [...qp.ooo.responder.arrived.values()];
      const newest = arrived.findLast((other) => other.packet.immediate !== undefined)?.packet;
      const told = packet.immediate === undefined ? packet : (newest ?? packet);
      sound(core, qp, told, wqe, opcode, bytes);
    },
    'ooo-completions-swapped': (sound, core, qp, packet, wqe, opcode, bytes) => {
      const told = (): void => sound(core, qp, packet, wqe, opcode, bytes);
      later.set(qp, [told, ...(later.get(qp) ?? [])]);
    },
  }),

  faultsAt(looksOn, { 'ooo-eight-pass': (_sound, _core, { packets }) => packets < 8 }),

  faultsAt(passArrived, {
    'ooo-completions-swapped': (sound, core, qp) => {
      const passed = sound(core, qp);
      if (passed === undefined) return undefined;
      for (const told of later.get(qp) ?? []) told();
      later.delete(qp);
      return passed;
    },
  }),
];
