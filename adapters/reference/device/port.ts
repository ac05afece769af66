import type { PortAttr, PortState } from '../../../spec/verbs.ts';
import type { Device } from './device.ts';
import { limits } from './limits.ts';

/** devices whose link has been down */
const wasDown = new WeakSet<Device>();

/** Link up or down, and the event that says so. */
export function changeLink(device: Device, up: boolean): void {
  const { fault, config } = device;
  const state: PortState = up ? 'IBV_PORT_ACTIVE' : 'IBV_PORT_DOWN';
  if (state === device.portState) return;
  device.portState = state;
  if (!up) wasDown.add(device);
  if (fault === 'port-down-fails-qps' && !up) for (const qp of device.qps.values()) device.fail(qp);
  const silent = fault === (up ? 'port-active-missing' : 'port-error-missing');
  if (!config.portEvents || silent) return;
  device.raise({ event_type: up ? 'IBV_EVENT_PORT_ACTIVE' : 'IBV_EVENT_PORT_ERR', port_num: 1 });
}

/** What ibv_query_port gives. */
export function portAttributes(device: Device): PortAttr {
  const { fault, config } = device;
  let state = device.portState;
  if (fault === 'port-always-active') state = 'IBV_PORT_ACTIVE';
  if (fault === 'port-stays-down' && wasDown.has(device)) state = 'IBV_PORT_DOWN';
  if (fault === 'port-event-unprompted') device.raise({ event_type: 'IBV_EVENT_PORT_ACTIVE', port_num: 1 });
  return {
    state,
    max_msg_sz: fault === 'port-max-message-zero' ? 0 : config.maxMessageBytes,
    active_mtu: limits.activeMtu,
  };
}
