import type { Verbs } from '../../adapter.ts';
import type { Device } from '../device/device.ts';
import { limits } from '../device/limits.ts';
import { portAttributes } from '../device/port.ts';
import { makeAddressVerbs } from './address-handles.ts';
import { makeCqVerbs } from './completion-queues.ts';
import { makeMemoryVerbs } from './memory-regions.ts';
import { makeQpVerbs } from './queue-pairs.ts';
import { makeSrqVerbs } from './shared-receive-queues.ts';

/** The verbs of a device, as plain functions: they can be wrapped one by one by spreading the object. */
export function makeVerbs(device: Device): Verbs {
  return {
    async query_device() {
      return {
        max_qp: limits.maxQps,
        max_qp_rd_atom: limits.maxRdAtomic,
        max_qp_init_rd_atom: limits.maxRdAtomic,
        local_ca_ack_delay: device.fault === 'ack-delay-in-microseconds' ? 66 : limits.ackDelay,
        max_sge: limits.maxSge,
        max_cqe: limits.maxCqe,
        max_srq_wr: limits.maxSrqWr,
        srq_resize: device.config.srqResize,
        port_active_event: device.config.portEvents && device.fault !== 'port-events-not-flagged',
      };
    },
    async query_port() {
      return portAttributes(device);
    },
    ...makeMemoryVerbs(device),
    ...makeAddressVerbs(device),
    ...makeCqVerbs(device),
    ...makeSrqVerbs(device),
    ...makeQpVerbs(device),
    onAsyncEvent(listener) {
      device.eventListener = listener;
    },
  };
}
