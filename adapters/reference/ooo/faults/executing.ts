import { psnAdd } from '../../../../wire/index.ts';
import type { Core } from '../../device/core.ts';
import type { OooQp } from '../qp.ts';
import type { Objection } from '../place.ts';
import type { Packet } from '../../../../wire/index.ts';
import { operate } from '../../rc-responder/atomic.ts';
import { readable } from '../../rc-responder/read.ts';
import { requestOf } from '../../rc-responder/request.ts';
import { faultsAt } from '../../seam.ts';
import { countMessage } from '../count.ts';
import {
  answerAgain,
  answerExecuted,
  atomicKind,
  count,
  execute,
  hasSlot,
  isAligned,
  placeOf,
  resultAgain,
} from '../execute.ts';
import { acknowledgeArrived, answerOoeth, answerRead, cumulativePsn, msnOf, saethOf } from '../reply.ts';

/** PSNs by which one is off where nothing is to be taken for another. */
const far = 0x400000;

type Executing = (core: Core, qp: OooQp, packet: Packet) => Objection | undefined;

/** READs, or ATOMICs, that came early are forgotten. */
const forgetting =
  (atomics: boolean) =>
  (sound: Executing, core: Core, qp: OooQp, packet: Packet): Objection | undefined => {
    const r = qp.ooo.responder;
    if ((packet.atomicEth !== undefined) !== atomics || packet.psn === r.trigger)
      return sound(core, qp, packet);
    r.readWqeSn = psnAdd(r.readWqeSn, 1);
    return undefined;
  };

/** Messages of which the last packet is here, but not all in front of it. */
function openMessages({ ooo }: OooQp): number {
  let n = 0;
  for (const { request } of ooo.responder.arrived.values())
    if (!('position' in request) || request.position === 'last' || request.position === 'only') n++;
  return n;
}

export const executingFaults = [
  faultsAt(hasSlot, { 'ooo-slots-unbounded': () => true }),
  faultsAt(isAligned, { 'ooo-misaligned-atomic-done': () => true }),

  faultsAt(execute, {
    'ooo-read-never-executed': forgetting(false),
    'ooo-atomic-never-executed': forgetting(true),
  }),

  faultsAt(count, {
    // The READ behind this one is answered first, where that is here already.
    'ooo-read-swapped': (sound, core, qp, entry) => {
      const next = qp.ooo.responder.arrived.get(psnAdd(entry.packet.psn, 1));
      const asked = next?.request.kind === 'read' ? next.packet.reth : undefined;
      const first = entry.original === undefined && asked !== undefined;
      const data = first ? readable(core, qp, asked) : undefined;
      if (next !== undefined && data !== undefined)
        answerRead(core, qp, { sn: next.packet.ooeth?.readWqeSn ?? 0, packet: next.packet }, data);
      sound(core, qp, entry);
    },
  }),

  faultsAt(answerExecuted, {
    'ooo-answers-twice': (sound, core, qp, entry, data) => {
      sound(core, qp, entry, data);
      sound(core, qp, entry, data);
    },
    // A READ consumes a receive WQE, and tells so.
    'ooo-read-completes-receive': (sound, core, qp, entry, data) => {
      sound(core, qp, entry, data);
      core.complete(qp.recvCq, {
        wr_id: qp.receiveQueue.wqes[0]?.wr_id ?? 0,
        status: 'IBV_WC_SUCCESS',
        opcode: 'IBV_WC_RECV',
        byte_len: data.length,
        qp_num: qp.num,
      });
    },
  }),

  faultsAt(countMessage, {
    'ooo-msn-not-for-reads': (sound, core, qp, packet) => {
      if ('position' in requestOf(packet)) sound(core, qp, packet);
    },
    'ooo-msn-not-for-writes': (sound, core, qp, packet) => {
      if (requestOf(packet).kind !== 'write') sound(core, qp, packet);
    },
  }),

  faultsAt(answerAgain, { 'ooo-duplicate-read-acknowledged': () => false }),

  faultsAt(resultAgain, {
    'ooo-atomic-repeated': (sound, core, qp, original, packet) => {
      const place = placeOf(core, qp, packet);
      const { atomicEth: eth } = packet;
      return place === undefined || eth === undefined
        ? sound(core, qp, original, packet)
        : operate(core, place, eth, atomicKind(packet));
    },
  }),

  // what an answer says

  faultsAt(msnOf, {
    'ooo-msn-of-newest': (sound, core, qp) => psnAdd(sound(core, qp), openMessages(qp)),
  }),

  faultsAt(acknowledgeArrived, {
    'ooo-selective-missing': (sound, core, qp, selective) => {
      if (!selective) sound(core, qp, selective);
    },
  }),

  faultsAt(cumulativePsn, {
    'ooo-cumulative-beyond-gap': (sound, core, qp, selective) =>
      selective ? qp.ooo.responder.trigger : sound(core, qp, selective),
    'ooo-cumulative-is-expected': (_sound, _core, { responder }) => responder.epsn,
  }),

  faultsAt(saethOf, {
    'ooo-selective-unflagged': (sound, core, qp, selective) => ({
      ...sound(core, qp, selective),
      flags: 0,
    }),
    'ooo-trigger-is-expected': (sound, core, qp, selective) => {
      const saeth = sound(core, qp, selective);
      return selective ? { ...saeth, trigger: qp.responder.epsn } : saeth;
    },
    'ooo-trigger-zero': (sound, core, qp, selective) => {
      const saeth = sound(core, qp, selective);
      return selective ? saeth : { ...saeth, trigger: psnAdd(qp.responder.epsn, far) };
    },
  }),

  faultsAt(answerOoeth, {
    'ooo-answer-number-zero': (sound, core, _number, offset) => sound(core, 0, offset),
    'ooo-answer-offset-zero': (sound, core, number) => sound(core, number, 0),
  }),
];
