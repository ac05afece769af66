import { encodeSyndrome, opcodeByName } from '../../../../spec/constants.ts';
import { psnAdd, type Packet } from '../../../../wire/index.ts';
import { anyQp, unchecked } from '../../device/faults/arriving.ts';
import type { Device } from '../../device/device.ts';
import { deliver, dropFrame, dropPacket, react } from '../../device/dispatch.ts';
import type { QueuePair } from '../../device/qp.ts';
import { faultsAt } from '../../seam.ts';

const congested = 3;
const ect1 = 1;
const acknowledge = opcodeByName('RC_ACKNOWLEDGE');
const ack = encodeSyndrome('ack', 31);

type Reacting = (device: Device, packet: Packet, named: QueuePair | undefined) => void;

/** A CNP does something to the connection that it names. */
const disturbing =
  (disturb: (device: Device, qp: QueuePair) => void) =>
  (sound: Reacting, device: Device, packet: Packet, named: QueuePair | undefined): void => {
    sound(device, packet, named);
    if (device.reaction !== undefined && packet.icrcOk && named !== undefined) disturb(device, named);
  };

export const arrivingFaults = [
  faultsAt(dropFrame, {
    'cnp-for-foreign': (_sound, device, frame) => {
      const packet = unchecked(frame, 'udp-header');
      const qp = packet === undefined ? undefined : device.qpByNumber.get(packet.destQp);
      if (packet !== undefined && qp !== undefined) device.notification?.arrived(qp, packet);
    },
  }),

  faultsAt(dropPacket, {
    'cnp-for-damaged': (_sound, device, packet) => {
      const qp = packet.icrcOk ? undefined : device.qpByNumber.get(packet.destQp);
      if (qp !== undefined) device.notification?.arrived(qp, packet);
    },
    'cnp-for-unknown-qp': (_sound, device, packet) => {
      const unknown = packet.icrcOk && !device.qpByNumber.has(packet.destQp);
      const qp = unknown ? anyQp(device) : undefined;
      if (qp !== undefined) device.notification?.arrived(qp, packet);
    },
  }),

  faultsAt(deliver, {
    'ce-packet-dropped': (sound, device, qp, packet) => {
      if (packet.ecn !== congested) sound(device, qp, packet);
    },
    'ect1-taken-for-cnp': (sound, device, qp, packet) => {
      if (packet.ecn === ect1) device.reaction?.notified(qp);
      sound(device, qp, packet);
    },
  }),

  faultsAt(react, {
    'cnp-damaged-cuts': (sound, device, packet, named) => sound(device, { ...packet, icrcOk: true }, named),
    'cnp-for-unknown-qp-cuts': (sound, device, packet, named) =>
      sound(device, packet, named ?? anyQp(device)),
    'cnp-without-effect': () => undefined,
    'cnp-without-effect-in-rnr-wait': (sound, device, packet, named) => {
      if (named?.requester.rnrTimer === undefined) sound(device, packet, named);
    },
    'cnp-fails-draining-qp': disturbing((device, qp) => {
      if (qp.state === 'IBV_QPS_SQD') device.fail(qp);
    }),
    'cnp-without-effect-on-datagrams': (sound, device, packet, named) => {
      if (named?.service !== 'UD') sound(device, packet, named);
    },
    'cnp-known-by-ecn': (sound, device, packet, named) => {
      if (packet.ecn === ect1) sound(device, packet, named);
    },
    'cnp-answers-cnp': (sound, device, packet, named) => {
      sound(device, packet, named);
      if (named !== undefined) device.notification?.arrived(named, packet);
    },
    'cnp-acknowledged': disturbing((device, qp) => {
      const { epsn, msn } = qp.responder;
      device.transmit(qp, { opcode: acknowledge, psn: psnAdd(epsn, -1), aeth: { syndrome: ack, msn } });
    }),
    'cnp-takes-psn': disturbing((_device, { responder }) => {
      responder.epsn = psnAdd(responder.epsn, 1);
    }),
    'cnp-completes': disturbing((device, qp) => {
      const wqe = qp.receiveQueue.wqes.shift();
      if (wqe === undefined) return;
      device.complete(qp.recvCq, {
        wr_id: wqe.wr_id,
        status: 'IBV_WC_SUCCESS',
        opcode: 'IBV_WC_RECV',
        byte_len: 0,
        qp_num: qp.num,
      });
    }),
  }),
];
