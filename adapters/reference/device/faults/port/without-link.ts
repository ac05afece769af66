import { psnAdd } from '../../../../../wire/index.ts';
import { isOutOfOrder } from '../../../ooo/qp.ts';
import { sendPacket } from '../../../ooo/requester.ts';
import { succeed } from '../../../rc-requester/complete.ts';
import { faultsAt } from '../../../seam.ts';
import { failSendQueue, nextRequest } from '../../../unreliable/requester.ts';
import type { Core } from '../../core.ts';
import type { Device } from '../../device.ts';
import { dispatch } from '../../dispatch.ts';
import { arriving } from '../../port/arriving.ts';
import { announceLink, entersPort, leavesPort } from '../../port/link.ts';
import type { QueuePair } from '../../qp.ts';

/** devices whose link is down */
const isDown = new WeakSet<Core>();
/** QPs that have stopped for good */
const stuck = new WeakSet<QueuePair>();
/** newest frame that a device has taken */
const newest = new WeakMap<Device, Uint8Array>();

function noteLink(sound: (device: Device, up: boolean) => void, device: Device, up: boolean): void {
  if (up) isDown.delete(device);
  else isDown.add(device);
  sound(device, up);
}

/** What comes and goes while the link of the port is down, and what is left of it when the link is back. */
export const withoutLinkFaults = [
  faultsAt(announceLink, {
    'link-down-holds-sends-for-good': noteLink,
    'link-down-fails-unreliable': noteLink,
    'link-down-acknowledges-ooo': noteLink,
    'link-up-ends-messages': (sound, device, up) => {
      if (up) for (const { responder } of device.qps.values()) responder.message = undefined;
      sound(device, up);
    },
    'link-up-repeats-arrival': (sound, device, up) => {
      const frame = newest.get(device);
      if (up && frame !== undefined)
        device.clock.setTimer(0, () => {
          dispatch(device, frame);
        });
      sound(device, up);
    },
  }),

  faultsAt(leavesPort, { 'link-down-sends': () => true }),

  faultsAt(entersPort, {
    'link-down-receives': () => true,
    'link-up-skips-requests': (sound, device, frame) => {
      if (sound(device, frame)) return true;
      const packet = arriving(device, frame);
      const qp = packet && device.qpByNumber.get(packet.destQp);
      if (packet?.info?.kind === 'request' && qp?.responder.epsn === packet.psn)
        qp.responder.epsn = psnAdd(packet.psn, 1);
      return false;
    },
    'link-up-repeats-arrival': (sound, device, frame) => {
      const enters = sound(device, frame);
      if (enters) newest.set(device, frame);
      return enters;
    },
  }),

  faultsAt(nextRequest, {
    'link-down-holds-sends-for-good': (sound, core, qp) => {
      const next = sound(core, qp);
      if (next !== undefined && isDown.has(core)) stuck.add(qp);
      return stuck.has(qp) ? undefined : next;
    },
    'link-down-fails-unreliable': (sound, core, qp) => {
      const next = sound(core, qp);
      if (next === undefined || !isDown.has(core)) return next;
      failSendQueue(core, qp, 'IBV_WC_LOC_QP_OP_ERR');
      return undefined;
    },
  }),

  faultsAt(sendPacket, {
    'link-down-acknowledges-ooo': (sound, core, qp, fields) => {
      sound(core, qp, fields);
      if (!isDown.has(core) || !isOutOfOrder(qp)) return;
      core.clock.setTimer(0, () => {
        const wqe = qp.requester.queue.shift();
        qp.ooo.requester.outgoing.shift();
        if (wqe !== undefined) succeed(core, qp, wqe);
      });
    },
  }),
];
