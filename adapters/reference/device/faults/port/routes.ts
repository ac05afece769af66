import { directionOf } from '../../../congestion/direction.ts';
import { pathOfPacket } from '../../../path-migration/migration.ts';
import { faultsAt } from '../../../seam.ts';
import type { Destination, Path } from '../../path.ts';
import type { QueuePair } from '../../qp.ts';

type Changed = Partial<Omit<Path, 'ip' | 'version'>>;

function changed(path: Path | undefined, by: Changed): Path | undefined {
  return path && { ...path, ...by };
}

/** traffic class of the first datagram of a QP */
const first = new WeakMap<QueuePair, number>();

function ofFirst(qp: QueuePair, to: Destination, path: Path | undefined): Path | undefined {
  if (path === undefined || to === qp) return path;
  const trafficClass = first.get(qp) ?? path.trafficClass;
  first.set(qp, trafficClass);
  return { ...path, trafficClass };
}

/** What mutants make of the path of a packet. */
export const routeFaults = [
  faultsAt(pathOfPacket, {
    'traffic-class-ignored': (sound, core, qp, to, fields) =>
      changed(sound(core, qp, to, fields), { trafficClass: 0 }),
    'traffic-class-not-in-answers': (sound, core, qp, to, fields) => {
      const path = sound(core, qp, to, fields);
      return directionOf(fields) === 'requests' ? path : changed(path, { trafficClass: 0 });
    },
    'traffic-class-of-first-datagram': (sound, core, qp, to, fields) =>
      ofFirst(qp, to, sound(core, qp, to, fields)),
    'traffic-class-not-in-ipv4': (sound, core, qp, to, fields) => {
      const path = sound(core, qp, to, fields);
      return path?.version === 4 ? { ...path, trafficClass: 0 } : path;
    },
    'hop-limit-fixed': (sound, core, qp, to, fields) =>
      changed(sound(core, qp, to, fields), { hopLimit: 64 }),
    'flow-label-ignored': (sound, core, qp, to, fields) =>
      changed(sound(core, qp, to, fields), { flowLabel: 0 }),
  }),
];
