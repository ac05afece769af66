import type { SuiteProperty } from '../property.ts';
import { fecnAlone, invalidMarked, markedNotifications } from './invalid.ts';
import { markedDatagrams, markedRequests, markedUnreliable } from './marked.ts';
import { behindSwitch, throughSwitch } from './path.ts';
import { markingCurve } from './curve.ts';
import { floor, interrupted, rates, recovery, strays } from './rate.ts';
import { datagramFloor, datagramRates, unreliableFloor, unreliableRates } from './rate-unreliable.ts';
import { placedReadRates, readRates, readsHeld } from './reads.ts';
import { reset } from './reset.ts';
import { markedResponses } from './responses.ts';
import { markedUnordered } from './unordered.ts';
import { notifiedInWaits, notifiedOutOfWork } from './waits.ts';

/** What is claimed of congestion control: notification point, reaction point, and the switch between. */
export const congestion: readonly SuiteProperty[] = [
  markedRequests,
  markedUnordered,
  markedUnreliable,
  markedDatagrams,
  markedResponses,
  invalidMarked,
  fecnAlone,
  markedNotifications,
  rates,
  recovery,
  reset,
  notifiedInWaits,
  notifiedOutOfWork,
  interrupted,
  floor,
  unreliableRates,
  datagramRates,
  unreliableFloor,
  datagramFloor,
  readRates,
  placedReadRates,
  readsHeld,
  strays,
  throughSwitch,
  behindSwitch,
  markingCurve,
];
