import { dropPacket } from '../../device/dispatch.ts';
import type { QueuePair } from '../../device/qp.ts';
import { faultsAt } from '../../seam.ts';
import { receives } from '../receiving.ts';
import { tellPeer } from '../refuse.ts';

type Connected = Pick<QueuePair, 'remote' | 'destQp' | 'mtu'>;

/** where QPs were connected to before they were reset */
const before = new WeakMap<QueuePair, Connected>();

export const stateFaults = [
  faultsAt(tellPeer, {
    'sqd-refusal-unanswered': (sound, core, qp, refusal) => {
      if (qp.state !== 'IBV_QPS_SQD') sound(core, qp, refusal);
    },
  }),

  faultsAt(dropPacket, {
    'established-in-init': (_sound, device, packet) => {
      const qp = packet.icrcOk ? device.qpByNumber.get(packet.destQp) : undefined;
      if (qp?.state !== 'IBV_QPS_INIT' || qp.established) return;
      qp.established = true;
      device.raise({ event_type: 'IBV_EVENT_COMM_EST', qp_num: qp.num });
    },
  }),

  faultsAt(receives, {
    'silent-in-rtr': (sound, device, qp) => qp.state !== 'IBV_QPS_RTR' && sound(device, qp),
    'silent-in-sqd': (sound, device, qp) => qp.state !== 'IBV_QPS_SQD' && sound(device, qp),
    'silent-in-sqe': (sound, device, qp) => qp.state !== 'IBV_QPS_SQE' && sound(device, qp),
    'answers-in-error-state': (sound, device, qp) => qp.state === 'IBV_QPS_ERR' || sound(device, qp),
    'answers-in-init': (sound, device, qp) => {
      const { remote, destQp, mtu } = qp;
      if (qp.state === 'IBV_QPS_RTS') before.set(qp, { remote, destQp, mtu });
      if (qp.state !== 'IBV_QPS_INIT') return sound(device, qp);
      Object.assign(qp, before.get(qp));
      return true;
    },
  }),
];
