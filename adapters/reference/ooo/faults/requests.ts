import { opcodeByName } from '../../../../spec/constants.ts';
import { psnAdd, psnDiff } from '../../../../wire/index.ts';
import type { Core } from '../../device/core.ts';
import type { Fields } from '../../device/headers.ts';
import { faultsAt } from '../../seam.ts';
import { advanceNumbers, begin, fenceHolds, held, overlapHolds } from '../launch.ts';
import type { OooQp } from '../qp.ts';
import { capOf, isLost, localStatus, sendPacket } from '../requester.ts';
import { endsWith, offsetOf, readNumber, receiveNumber, requestPacket, writeReth } from '../segment.ts';
import type { Outgoing } from '../state.ts';

const middle = opcodeByName('ORC_SEND_MIDDLE');

type Packing = (core: Core, qp: OooQp, outgoing: Outgoing, psn: number, again: boolean) => Fields | undefined;

/** Something is wrong in the packet of a request. */
const spoiling =
  (spoil: (fields: Fields, qp: OooQp, again: boolean) => Partial<Fields>) =>
  (sound: Packing, core: Core, qp: OooQp, outgoing: Outgoing, psn: number, again: boolean) => {
    const fields = sound(core, qp, outgoing, psn, again);
    return fields && { ...fields, ...spoil(fields, qp, again) };
  };

export const requestFaults = [
  // which request is next

  faultsAt(held, {
    'ooo-atomics-not-limited': (sound, core, qp, wqe) =>
      wqe.kind === 'atomic'
        ? sound(core, { ...qp, attr: { ...qp.attr, max_rd_atomic: qp.requester.queue.length } }, wqe)
        : sound(core, qp, wqe),
    'ooo-one-at-a-time': (sound, core, qp, wqe) =>
      qp.ooo.requester.outgoing.length > 0 || sound(core, qp, wqe),
  }),

  faultsAt(fenceHolds, {
    'ooo-fence-open-while-recovering': (sound, core, qp, open) =>
      qp.ooo.requester.recovery === undefined && sound(core, qp, open),
    'ooo-fence-ignored': () => false,
    'ooo-full-fence-ignored': (_sound, _core, _qp, open) => open > 0,
  }),

  faultsAt(overlapHolds, { 'ooo-overlap-not-held': () => false }),

  faultsAt(begin, {
    'ooo-psn-skipped': (sound, core, qp, wqe) => {
      const q = qp.requester;
      if (qp.ooo.requester.launched > 0) q.end = psnAdd(q.end, 1);
      return sound(core, qp, wqe);
    },
  }),

  faultsAt(advanceNumbers, {
    'ooo-receive-number-stuck': (sound, core, q, _consumes, waits) => sound(core, q, false, waits),
    'ooo-receive-number-counts-all': (sound, core, q, _consumes, waits) => sound(core, q, true, waits),
    'ooo-read-number-stuck': (sound, core, q, consumes) => sound(core, q, consumes, false),
    'ooo-read-number-counts-all': (sound, core, q, consumes) => sound(core, q, consumes, true),
  }),

  faultsAt(capOf, {
    'ooo-cap-exceeded': (sound, core) => sound(core) + 4,
    'ooo-cap-never-filled': (sound, core) => sound(core) - 1,
  }),

  faultsAt(isLost, {
    'ooo-loss-without-wrap': (sound, core, qp, flight) => {
      const { selected } = qp.ooo.requester;
      return sound(core, qp, flight) && (flight.due || selected === undefined || flight.psn < selected);
    },
  }),

  faultsAt(localStatus, { 'ooo-local-status': () => 'IBV_WC_LOC_PROT_ERR' }),

  // what is sent, and again

  faultsAt(isLost, {
    'ooo-selected-sent-again': (sound, core, qp, flight) => {
      const selected = flight.acknowledged && psnDiff(flight.psn, qp.requester.una) >= 0;
      return sound(core, qp, selected ? { ...flight, acknowledged: false } : flight);
    },
    'ooo-selection-ignored': (_sound, _core, _qp, { due }) => due,
    'ooo-later-ones-lost': (_sound, _core, qp, { due, again, acknowledged }) => {
      const { selected, recovery } = qp.ooo.requester;
      return due || (!again && !acknowledged && recovery !== undefined && selected !== undefined);
    },
  }),

  faultsAt(sendPacket, {
    'ooo-request-to-other-qp': (_sound, core, qp, fields) =>
      core.transmit(qp, fields, { ...qp, destQp: qp.destQp ^ 1 }),
  }),

  faultsAt(requestPacket, {
    'ooo-again-invalidates-nothing': spoiling(({ invalidateRkey }, _qp, again) =>
      again && invalidateRkey !== undefined ? { invalidateRkey: 0 } : {},
    ),
    'ooo-inline-data-late': (sound, core, qp, outgoing, psn, again) => {
      const { wqe } = outgoing;
      const later = again ? { ...outgoing, wqe: { ...wqe, inline: undefined } } : outgoing;
      return sound(core, qp, later, psn, again);
    },
    'ooo-request-icrc': spoiling((_fields, _qp, again) => (again ? { icrcXor: 1 } : {})),
    'ooo-request-opcode': spoiling(({ opcode }) => (opcode === middle ? { opcode: middle - 1 } : {})),
    'ooo-request-cut': spoiling(({ payload }, { mtu }) =>
      payload?.length === mtu ? { payload: payload.subarray(0, mtu - 4) } : {},
    ),
    'ooo-request-payload': spoiling(({ payload }, _qp, again) =>
      again && payload !== undefined ? { payload: payload.map((byte) => byte ^ 1) } : {},
    ),
    'ooo-request-immediate': spoiling(({ immediate }) =>
      immediate === undefined ? {} : { immediate: (immediate ^ 0x80000000) >>> 0 },
    ),
    'ooo-again-unsolicited': spoiling((_fields, _qp, again) => (again ? { solicited: false } : {})),
    'ooo-read-again-narrowed': spoiling(({ reth, payload }, _qp, again) =>
      again && reth !== undefined && payload === undefined
        ? { reth: { ...reth, va: reth.va + 1n, dmaLen: Math.max(0, reth.dmaLen - 1) } }
        : {},
    ),
  }),

  faultsAt(writeReth, {
    'ooo-reth-in-first-only': (sound, core, qp, wqe, index) =>
      index === 0 ? sound(core, qp, wqe, index) : { va: 0n, rkey: 0, dmaLen: 0 },
    'ooo-reth-names-packet': (sound, core, qp, wqe, index) => {
      const reth = sound(core, qp, wqe, index);
      return { ...reth, va: reth.va + BigInt(index * qp.mtu) };
    },
  }),

  faultsAt(receiveNumber, {
    'ooo-receive-number-in-all-writes': (_sound, _core, { recvWqeSn }) => recvWqeSn,
    'ooo-receive-number-in-last-only': (sound, core, outgoing, index) =>
      outgoing.wqe.kind === 'send' && !endsWith(outgoing.wqe, index)
        ? undefined
        : sound(core, outgoing, index),
    'ooo-receive-number-not-in-write': (sound, core, outgoing, index) =>
      outgoing.wqe.kind === 'write' ? undefined : sound(core, outgoing, index),
  }),

  faultsAt(readNumber, {
    'ooo-read-number-missing': () => undefined,
    'ooo-read-number-in-all': (sound, core, qp, outgoing, again) =>
      sound(core, qp, outgoing, again) ?? qp.ooo.requester.readWqes,
    'ooo-read-number-anew': (sound, core, qp, outgoing, again) => {
      const number = sound(core, qp, outgoing, again);
      return again && number !== undefined ? psnAdd(number, 1) : number;
    },
  }),

  faultsAt(offsetOf, {
    'ooo-offset-in-packets': (_sound, _core, _qp, _outgoing, index) => index,
    'ooo-offset-zero': () => 0,
    'ooo-offset-16-bits': (sound, core, qp, outgoing, index) => sound(core, qp, outgoing, index) & 0xffff,
  }),
];
