import { psnAdd } from '../../../../wire/index.ts';
import type { QueuePair } from '../../device/qp.ts';
import { scatter, sgeBytes } from '../../device/memory/sge-list.ts';
import { receiveDomain, type RecvWqe } from '../../device/receive-queue.ts';
import { completeReceive, nextWqe, receiptOf } from '../../rc-responder/receive.ts';
import { faultsAt } from '../../seam.ts';
import { bufferOf, dataFor, isDatagram, qkeyFits, receiveDatagram } from '../datagram.ts';
import { grhBytes } from '../grh.ts';
import { failReceive } from '../receive-fault.ts';

/** the PSN that a QP wants next, once it has received a datagram */
const wanted = new WeakMap<QueuePair['responder'], number>();

/** the receive WQE that a QP had for a datagram last */
const newest = new WeakMap<QueuePair['responder'], RecvWqe>();

export const datagramFaults = [
  faultsAt(qkeyFits, {
    'ud-reserved-opcode-taken': (sound, core, qp, packet) =>
      packet.info === undefined || sound(core, qp, packet),
    'ud-qkey-unchecked': (_sound, _core, _qp, { deth }) => deth !== undefined,
    'ud-qkey-top-bit-unchecked': (_sound, _core, { attr }, { deth }) =>
      deth !== undefined && (deth.qkey & 0x7fffffff) === ((attr.qkey ?? 0) & 0x7fffffff),
    'ud-qkey-mismatch-fatal': (sound, core, qp, packet) => {
      const fits = sound(core, qp, packet);
      if (!fits && packet.deth !== undefined) core.fail(qp);
      return fits;
    },
  }),

  faultsAt(receiveDatagram, {
    'ud-psn-checked': (sound, core, qp, packet) => {
      const next = wanted.get(qp.responder);
      if (next !== undefined && next !== packet.psn) return;
      wanted.set(qp.responder, psnAdd(packet.psn, 1));
      sound(core, qp, packet);
    },
    'ud-stale-receive': (sound, core, qp, packet) => {
      const [next] = qp.receiveQueue.wqes;
      const stale = newest.get(qp.responder);
      if (next !== undefined) newest.set(qp.responder, next);
      if (next !== undefined || stale === undefined || !isDatagram(core, packet)) sound(core, qp, packet);
      else completeReceive(core, qp, packet, stale, 'IBV_WC_RECV', grhBytes + packet.payload.length);
    },
    'datagram-migrates': (sound, core, qp, packet) => {
      if (!wanted.has(qp.responder)) core.raise({ event_type: 'IBV_EVENT_PATH_MIG', qp_num: qp.num });
      wanted.set(qp.responder, psnAdd(packet.psn, 1));
      sound(core, qp, packet);
    },
  }),

  faultsAt(isDatagram, {
    'ud-reserved-opcode-taken': (sound, core, packet) => packet.info === undefined || sound(core, packet),
  }),

  faultsAt(dataFor, {
    'ud-long-stored': (sound, core, qp, packet, wqe) => {
      const data = sound(core, qp, packet, wqe);
      const room = sgeBytes(wqe.sg_list);
      if (data === undefined)
        scatter(
          core.memory,
          wqe.sg_list,
          0,
          bufferOf(core, packet).subarray(0, room),
          receiveDomain(core, qp),
        );
      return data;
    },
    'ud-long-consumes-receive': (sound, core, qp, packet, wqe) => {
      const data = sound(core, qp, packet, wqe);
      if (data === undefined) nextWqe(core, qp);
      return data;
    },
    'ud-long-fatal': (sound, core, qp, packet, next) => {
      const data = sound(core, qp, packet, next);
      const wqe = data === undefined ? nextWqe(core, qp) : undefined;
      if (wqe !== undefined) failReceive(core, qp, wqe, 'IBV_WC_LOC_LEN_ERR');
      return data;
    },
    'ud-long-truncated': (sound, core, qp, packet, wqe) =>
      sound(core, qp, packet, wqe) ?? bufferOf(core, packet).subarray(0, sgeBytes(wqe.sg_list)),
  }),

  faultsAt(bufferOf, {
    'ud-without-grh': (_sound, _core, { payload }) => {
      const data = new Uint8Array(grhBytes + payload.length);
      data.set(payload, 0);
      return data;
    },
    'ud-grh-left-out': (sound, core, packet) => sound(core, packet).fill(0, 0, grhBytes),
    'ud-grh-begins-early': (sound, core, packet) => {
      const data = sound(core, packet);
      if (packet.ipVersion === 6) return data;
      return data.copyWithin(0, grhBytes / 2, grhBytes).fill(0, grhBytes / 2, grhBytes);
    },
  }),

  faultsAt(receiptOf, {
    'ud-byte-len-without-grh': (sound, core, qp, packet, wqe, opcode, bytes) =>
      sound(core, qp, packet, wqe, opcode, qp.service === 'UD' ? bytes - grhBytes : bytes),
  }),
];
