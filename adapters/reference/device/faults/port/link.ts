import type { EventType } from '../../../../../spec/verbs.ts';
import { psnAdd } from '../../../../../wire/index.ts';
import { fillCounters } from '../../../attributes/modify.ts';
import { failHead } from '../../../rc-requester/complete.ts';
import { acknowledgeUpTo } from '../../../rc-requester/progress.ts';
import { endOfRnrWait } from '../../../rc-requester/rnr.ts';
import { sendRequest } from '../../../rc-requester/send.ts';
import { timeOut } from '../../../rc-requester/timers.ts';
import { faultsAt } from '../../../seam.ts';
import type { Core } from '../../core.ts';
import type { Device } from '../../device.ts';
import { announceLink, linkEvent, portAttributes } from '../../port/link.ts';
import { announceGids } from '../../port/gids.ts';
import { pkeyEntry, pkeyTable } from '../../port/pkey.ts';

/** devices whose link has been down */
const wasDown = new WeakSet<Device>();

/** devices whose link is down */
const isDown = new WeakSet<Core>();

function noteLink(sound: (device: Device, up: boolean) => void, device: Device, up: boolean): void {
  if (up) isDown.delete(device);
  else isDown.add(device);
  sound(device, up);
}

/** When the link comes up, the event as well that a subnet manager brings about on InfiniBand. */
function alsoRaising(event_type: EventType) {
  return (sound: (device: Device, up: boolean) => void, device: Device, up: boolean): void => {
    sound(device, up);
    if (up) device.raise({ event_type, port_num: 1 });
  };
}

export const linkFaults = [
  faultsAt(announceLink, {
    'lid-change-with-link': alsoRaising('IBV_EVENT_LID_CHANGE'),
    'sm-change-with-link': alsoRaising('IBV_EVENT_SM_CHANGE'),
    'reregistration-with-link': alsoRaising('IBV_EVENT_CLIENT_REREGISTER'),
    'link-down-acknowledges': noteLink,
    'link-down-fails-requests': noteLink,
    'link-down-ends-retries': noteLink,
    'link-down-remote-error': noteLink,
    'link-up-restarts-retries': (sound, device, up) => {
      if (up) for (const qp of device.qps.values()) fillCounters(device, qp, qp.attr);
      sound(device, up);
    },
    'link-down-ends-rnr-wait': (sound, device, up) => {
      sound(device, up);
      for (const qp of up ? [] : device.qps.values()) {
        const { requester: q } = qp;
        if (q.rnrTimer === undefined) continue;
        q.rnrTimer.cancel();
        q.rnrTimer = undefined;
        endOfRnrWait(device, qp, 0);
      }
    },
    'port-down-fails-qps': (sound, device, up) => {
      if (!up) for (const qp of device.qps.values()) device.fail(qp);
      sound(device, up);
    },
    'port-active-missing': (sound, device, up) => {
      if (!up) sound(device, up);
    },
    'port-error-missing': (sound, device, up) => {
      if (up) sound(device, up);
    },
    'port-stays-down': (sound, device, up) => {
      if (!up) wasDown.add(device);
      sound(device, up);
    },
  }),

  faultsAt(sendRequest, {
    'link-down-acknowledges': (sound, core, qp, wqe, fields, again) => {
      sound(core, qp, wqe, fields, again);
      if (!isDown.has(core) || wqe.kind === 'read' || wqe.kind === 'atomic') return;
      const end = psnAdd(wqe.psn, wqe.packets);
      core.clock.setTimer(0, () => {
        acknowledgeUpTo(core, qp, end, 'other');
      });
    },
    'link-down-fails-requests': (sound, core, qp, wqe, fields, again) => {
      sound(core, qp, wqe, fields, again);
      if (!isDown.has(core)) return;
      core.clock.setTimer(0, () => {
        if (qp.requester.queue.length > 0) failHead(core, qp, 'IBV_WC_RETRY_EXC_ERR');
      });
    },
    'link-down-remote-error': (sound, core, qp, wqe, fields, again) => {
      sound(core, qp, wqe, fields, again);
      if (!isDown.has(core)) return;
      core.clock.setTimer(0, () => {
        if (qp.requester.queue.length > 0) failHead(core, qp, 'IBV_WC_REM_OP_ERR');
      });
    },
  }),

  faultsAt(timeOut, {
    'link-down-ends-retries': (sound, core, qp) => {
      if (!isDown.has(core)) sound(core, qp);
    },
  }),

  faultsAt(announceGids, {
    'pkey-change-with-gids': (sound, device) => {
      device.raise({ event_type: 'IBV_EVENT_PKEY_CHANGE', port_num: 1 });
      sound(device);
    },
  }),

  faultsAt(linkEvent, {
    'port-number-of-neighbour': (sound, device, up) => ({ ...sound(device, up), port_num: 2 }),
  }),

  faultsAt(portAttributes, {
    'port-always-active': (sound, device) => ({ ...sound(device), state: 'IBV_PORT_ACTIVE' as const }),
    'port-stays-down': (sound, device) => ({
      ...sound(device),
      ...(wasDown.has(device) && { state: 'IBV_PORT_DOWN' as const }),
    }),
    'port-event-unprompted': (sound, device) => {
      device.raise({ event_type: 'IBV_EVENT_PORT_ACTIVE', port_num: 1 });
      return sound(device);
    },
    'pkey-table-uncounted': (sound, device) => ({ ...sound(device), pkey_tbl_len: 0 }),
    'port-max-message-zero': (sound, device) => ({ ...sound(device), max_msg_sz: 0 }),
  }),

  faultsAt(pkeyEntry, {
    'pkey-limited-member': (sound, device, index) => (index === 0 ? 0x7fff : sound(device, index)),
    'pkey-first-entry-alone': (sound, device, index) => (index === 0 ? sound(device, index) : undefined),
    'pkey-index-wraps': (sound, device, index) => sound(device, index % pkeyTable.length),
  }),
];
