import { directionOf } from '../../congestion/direction.ts';
import { isOutOfOrder } from '../../ooo/qp.ts';
import { faultsAt } from '../../seam.ts';
import { outliveError, queuesBehind, responseWait } from '../departure.ts';

/** Where the rate of a QP holds its responses. */
export const departureFaults = [
  faultsAt(responseWait, {
    'reads-unpaced': () => 0,
    'placed-reads-unpaced': (sound, core, qp, fields) => (isOutOfOrder(qp) ? 0 : sound(core, qp, fields)),
  }),

  faultsAt(queuesBehind, {
    'answers-overtake-reads': (sound, core, qp, fields) =>
      directionOf(fields) !== undefined && sound(core, qp, fields),
  }),

  faultsAt(outliveError, { 'refusal-drops-answers': () => false }),
];
