import { faultsAt } from '../../seam.ts';
import type { Device } from '../device.ts';
import { announceLink, linkEvent, portAttributes } from '../port/link.ts';
import { pkeyEntry, pkeyTable } from '../port/pkey.ts';

/** devices whose link has been down */
const wasDown = new WeakSet<Device>();

export const linkFaults = [
  faultsAt(announceLink, {
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
