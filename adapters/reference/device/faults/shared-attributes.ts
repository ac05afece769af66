import { readSlots, takesReadSlot } from '../../rc-requester/launch.ts';
import { allows } from '../../rc-responder/access.ts';
import { faultsAt } from '../../seam.ts';
import { qkeyFits } from '../../unreliable/datagram.ts';
import type { Core } from '../core.ts';
import type { QueuePair } from '../qp.ts';
import { isDevice } from './is-device.ts';

function all(core: Core): QueuePair[] {
  return isDevice(core) ? [...core.qps.values()] : [];
}

/** READs and ATOMICs of a QP that have been sent and are not complete. */
function openReads(core: Core, { requester }: QueuePair): number {
  return requester.queue.filter((wqe) => wqe.launched && takesReadSlot(core, wqe)).length;
}

/** What mutants keep once for all QPs, and should keep for each. */
export const sharedAttributeFaults = [
  faultsAt(allows, {
    'access-of-newest-qp': (sound, core, qp, right) => {
      const newest = all(core).findLast(({ service, access }) => service === qp.service && access.length > 0);
      return sound(core, newest ?? qp, right);
    },
  }),

  faultsAt(readSlots, {
    'read-slots-shared': (sound, core, qp) =>
      all(core).reduce(
        (left, one) => (one === qp || one.ooo !== undefined ? left : left - openReads(core, one)),
        sound(core, qp),
      ),
  }),

  faultsAt(qkeyFits, {
    'ud-qkey-of-newest': (sound, core, qp, packet) => {
      const newest = all(core).findLast(({ service, attr }) => service === 'UD' && attr.qkey !== undefined);
      return sound(core, newest ?? qp, packet);
    },
  }),
];
