import { VerbsError } from '../../adapter.ts';
import { errno } from '../ffi.ts';
import type { Libibverbs, Pointer } from '../ffi.ts';
import { bytesAt } from './memory.ts';

const enodev = 19;

/** Calls back with every RDMA device of this machine, as libibverbs lists them. */
function eachDevice<T>(lib: Libibverbs, visit: (device: Pointer, name: string) => T | undefined): T[] {
  const count = Buffer.alloc(4);
  const list = lib.getDeviceList(count);
  if (list === null) throw new VerbsError('ibv_get_device_list', errno());
  try {
    const entries = bytesAt(lib, list, 8 * count.readInt32LE(0));
    const found: T[] = [];
    for (let i = 0; i < entries.length; i += 8) {
      const device = entries.readBigUInt64LE(i);
      const result = visit(device, lib.getDeviceName(device));
      if (result !== undefined) found.push(result);
    }
    return found;
  } finally {
    lib.freeDeviceList(list);
  }
}

/** Names of this machine's RDMA devices. VerbsError where libibverbs cannot tell. */
export function deviceNames(lib: Libibverbs): string[] {
  return eachDevice(lib, (_device, name) => name);
}

/** Opens a device: its `struct ibv_context`. VerbsError: ENODEV (19) where no device has that name. */
export function openContext(lib: Libibverbs, wanted: string): Pointer {
  const [context] = eachDevice(lib, (device, name) => {
    if (name !== wanted) return undefined;
    const opened = lib.openDevice(device);
    if (opened === null) throw new VerbsError('ibv_open_device', errno());
    return opened;
  });
  if (context === undefined) throw new VerbsError(`ibv_open_device(${wanted})`, enodev);
  return context;
}
