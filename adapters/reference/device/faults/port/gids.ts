import { faultsAt } from '../../../seam.ts';
import { announceGids, gidTable, keepGid } from '../../port/gids.ts';

export const gidFaults = [
  faultsAt(announceGids, {
    'gid-change-missing': () => undefined,
  }),

  faultsAt(keepGid, {
    'gid-added-unlisted': (sound, device, gid, present) => {
      if (!present) sound(device, gid, present);
    },
    'gid-removed-listed': (sound, device, gid, present) => {
      if (present) sound(device, gid, present);
    },
  }),

  faultsAt(gidTable, {
    'gid-change-unprompted': (sound, device) => {
      announceGids(device);
      return sound(device);
    },
  }),
];
