import type { DeviceAttr } from '../../../spec/verbs.ts';
import { VerbsError, type Verbs } from '../../adapter.ts';
import type { Device } from '../device/device.ts';
import { limits } from '../device/limits.ts';
import { gidTable } from '../device/port/gids.ts';
import { portAttributes } from '../device/port/link.ts';
import { pkeyEntry } from '../device/port/pkey.ts';
import { seam } from '../seam.ts';
import { makeAddressVerbs } from './address-handles.ts';
import { makeCqVerbs } from './completion-queues.ts';
import { EINVAL } from './errno.ts';
import { makeMemoryVerbs } from './memory-regions.ts';
import { makeWindowVerbs } from './memory-windows.ts';
import { makeQpVerbs } from './queue-pairs.ts';
import { makeSrqVerbs } from './shared-receive-queues.ts';

/** The verbs of a device, as plain functions: they can be wrapped one by one by spreading the object. */
export function makeVerbs(device: Device): Verbs {
  return {
    async query_device() {
      return deviceAttributes(device);
    },
    async query_port() {
      return portAttributes(device);
    },
    async query_gid() {
      return gidTable(device);
    },
    async query_pkey(index) {
      const entry = pkeyEntry(device, index);
      if (entry === undefined) throw new VerbsError('query_pkey', EINVAL);
      return entry;
    },
    ...makeMemoryVerbs(device),
    ...makeWindowVerbs(device),
    ...makeAddressVerbs(device),
    ...makeCqVerbs(device),
    ...makeSrqVerbs(device),
    ...makeQpVerbs(device),
    onAsyncEvent(listener) {
      device.eventListener = listener;
    },
    onSecondContextEvent(listener) {
      device.secondListener = listener;
    },
  };
}

/** What ibv_query_device gives. */
export const deviceAttributes = seam(({ config }: Device): DeviceAttr => ({
  max_qp: limits.maxQps,
  max_qp_rd_atom: limits.maxRdAtomic,
  max_qp_init_rd_atom: limits.maxRdAtomic,
  local_ca_ack_delay: limits.ackDelay,
  max_sge: limits.maxSge,
  max_cqe: limits.maxCqe,
  max_srq_wr: limits.maxSrqWr,
  srq_resize: config.srqResize,
  port_active_event: config.portEvents,
}));
