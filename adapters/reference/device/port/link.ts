import type { AsyncEvent, PortAttr, PortState } from '../../../../spec/verbs.ts';
import { seam } from '../../seam.ts';
import type { Device } from '../device.ts';
import { limits } from '../limits.ts';
import { pkeyTable } from './pkey.ts';

/** Link up or down, and the event that says so. QPs stay as they are: nothing comes and nothing leaves. */
export function changeLink(device: Device, up: boolean): void {
  const state: PortState = up ? 'IBV_PORT_ACTIVE' : 'IBV_PORT_DOWN';
  if (state === device.portState) return;
  device.portState = state;
  announceLink(device, up);
}

export const announceLink = seam((device: Device, up: boolean): void => {
  if (!device.config.portEvents) return;
  device.raise(linkEvent(device, up));
});

/** Its port is the first and only one. */
export const linkEvent = seam((_device: Device, up: boolean): AsyncEvent => ({
  event_type: up ? 'IBV_EVENT_PORT_ACTIVE' : 'IBV_EVENT_PORT_ERR',
  port_num: 1,
}));

/** Whether a frame that comes to the port gets in. */
export const entersPort = seam(
  ({ portState }: Device, _frame: Uint8Array): boolean => portState === 'IBV_PORT_ACTIVE',
);

/** Whether a frame leaves the port; one that does not is lost. */
export const leavesPort = seam(({ portState }: Device): boolean => portState === 'IBV_PORT_ACTIVE');

/** What ibv_query_port gives. */
export const portAttributes = seam(({ portState, config }: Device): PortAttr => ({
  state: portState,
  max_msg_sz: config.maxMessageBytes,
  active_mtu: limits.activeMtu,
  pkey_tbl_len: pkeyTable.length,
}));
