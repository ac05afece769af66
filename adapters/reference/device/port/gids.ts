import { unusedGid } from '../../../../wire/gid.ts';
import { seam } from '../../seam.ts';
import type { Device } from '../device.ts';
import { limits } from '../limits.ts';

/** 10.0.0.99, which no connection uses. */
const spareGid = '00000000000000000000ffff0a000063';

/** One more GID in the table or one less, and the event that says so. QPs, which use others, stay as they are. */
export function changeGids(device: Device, present: boolean): string {
  if (device.moreGids.has(spareGid) === present) return spareGid;
  keepGid(device, spareGid, present);
  announceGids(device);
  return spareGid;
}

export const keepGid = seam((device: Device, gid: string, present: boolean): void => {
  if (present) device.moreGids.add(gid);
  else device.moreGids.delete(gid);
});

/** Its port is the first and only one. */
export const announceGids = seam((device: Device): void => {
  device.raise({ event_type: 'IBV_EVENT_GID_CHANGE', port_num: 1 });
});

/** What ibv_query_gid gives, by index. */
export const gidTable = seam((device: Device): string[] => {
  const used = [...device.ownGids(), ...device.moreGids];
  return [...used, ...Array.from({ length: limits.maxGids - used.length }, () => unusedGid)];
});
