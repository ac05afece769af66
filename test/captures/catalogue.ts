import { cleanAnnex } from './clean/annex.ts';
import { cleanOdd } from './clean/odd.ts';
import { cleanOthers } from './clean/others.ts';
import { cleanPoints } from './clean/points.ts';
import { cleanUcAnew } from './clean/uc-anew.ts';
import { cleanAgain } from './clean/rc-again.ts';
import { cleanRefused } from './clean/refused.ts';
import { cleanDamaged } from './clean/rc-damaged.ts';
import { cleanTimes } from './clean/rc-times.ts';
import { cleanPairs } from './clean/rc-pairs.ts';
import { cleanReliable } from './clean/rc.ts';
import type { Clean, Fault } from './entries.ts';
import { cnpFaults } from './faults/cnp.ts';
import { completeRequesterFaults } from './faults/rc-requester-complete.ts';
import { responderDataFaults } from './faults/rc-data.ts';
import { requestShapeFaults } from './faults/rc-shapes.ts';
import { requesterFaults } from './faults/rc-requester.ts';
import { certainResponderFaults } from './faults/rc-responder-certain.ts';
import { busyFaults } from './faults/rc-busy.ts';
import { completeResponderFaults, responderFaults } from './faults/rc-responder.ts';
import { ucFaults, udFaults } from './faults/unreliable.ts';

/** Faults by who is at fault. */
export const faults: ReadonlyMap<string, readonly Fault[]> = new Map([
  ['RC requester', [...requesterFaults, ...requestShapeFaults, ...completeRequesterFaults]],
  [
    'RC responder',
    [
      ...responderFaults,
      ...certainResponderFaults,
      ...responderDataFaults,
      ...completeResponderFaults,
      ...busyFaults,
    ],
  ],
  ['UC', ucFaults],
  ['UD', udFaults],
  ['CNP', cnpFaults],
]);

export const clean: readonly Clean[] = [
  ...cleanReliable,
  ...cleanRefused,
  ...cleanAgain,
  ...cleanDamaged,
  ...cleanTimes,
  ...cleanPoints,
  ...cleanPairs,
  ...cleanAnnex,
  ...cleanOthers,
  ...cleanUcAnew,
  ...cleanOdd,
];
