import { VerbsError } from '../adapter.ts';
import type { Capability, MrChange } from '../adapter.ts';
import type { QpType } from '../../spec/verbs.ts';
import type { VerbsDevice } from './device/device.ts';

const types: readonly [Capability, QpType][] = [
  ['rc', 'IBV_QPT_RC'],
  ['uc', 'IBV_QPT_UC'],
  ['ud', 'IBV_QPT_UD'],
];

/** Words for the services that a device may have QPs of. */
export const serviceNames: ReadonlySet<Capability> = new Set(types.map(([word]) => word));

/** Whether the calls succeed. */
function succeeds(calls: () => void): boolean {
  try {
    calls();
    return true;
  } catch (error) {
    if (error instanceof VerbsError) return false;
    throw error;
  }
}

/** Services of which the device makes a QP when asked, and whether it does so on an SRQ for UC. No attribute tells. */
export function servicesOf(device: VerbsDevice): Capability[] {
  const pd = device.allocatePd();
  const cq = device.cqs.create(2);
  const cap = { max_send_wr: 1, max_recv_wr: 1, max_send_sge: 1, max_recv_sge: 1 };
  const has = (qp_type: QpType, srq?: number): boolean => {
    const asked = { pd, qp_type, send_cq: cq, recv_cq: cq, cap, ...(srq !== undefined && { srq }) };
    return succeeds(() => {
      device.qps.destroy(device.qps.create(asked).qp);
    });
  };
  const found = types.filter(([, type]) => has(type)).map(([word]) => word);
  if (found.includes('uc') && device.abilities().srq) {
    const srq = device.srqs.create({ pd, max_wr: 1, max_sge: 1 });
    if (has('IBV_QPT_UC', srq)) found.push('uc-srq');
    device.srqs.destroy(srq);
  }
  device.cqs.destroy(cq);
  device.deallocatePd(pd);
  return found;
}

/** Whether a device can change memory regions so: libibverbs has the call for each of them, and its provider may lack it. */
export function reregisters(device: VerbsDevice, change: MrChange): boolean {
  const pd = device.allocatePd();
  const { mr } = device.mrs.register({ pd, length: 4096, access: [] });
  try {
    return succeeds(() => {
      device.mrs.change(mr, change);
    });
  } finally {
    device.mrs.deregister(mr);
    device.deallocatePd(pd);
  }
}

/** Whether a region may be named by addresses of the caller's choice, which lie so far behind the beginning of a page. */
export function takesAddresses(device: VerbsDevice, inPage = 0n): boolean {
  const pd = device.allocatePd();
  try {
    return succeeds(() => {
      device.mrs.deregister(device.mrs.register({ pd, length: 4096, access: [], iova: 4096n + inPage }).mr);
    });
  } finally {
    device.deallocatePd(pd);
  }
}
