import { VerbsError, type Verbs } from '../../adapter.ts';
import type { Device } from '../device/device.ts';
import { pathOf } from '../device/path.ts';
import { EINVAL } from './errno.ts';

/** The verbs of address handles. */
export function makeAddressVerbs(device: Device): Required<Pick<Verbs, 'create_ah' | 'destroy_ah'>> {
  return {
    async create_ah({ pd, attr }) {
      const path = pathOf(attr);
      const port = attr.port_num ?? 1;
      if (!device.pds.has(pd) || path === undefined || port !== 1) throw new VerbsError('create_ah', EINVAL);
      const ah = device.nextHandle++;
      device.ahs.set(ah, { pd, path });
      return ah;
    },
    async destroy_ah(ah) {
      if (!device.ahs.delete(ah)) throw new VerbsError('destroy_ah', EINVAL);
    },
  };
}
