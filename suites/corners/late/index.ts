import { markedMiddles } from '../../congestion/responses.ts';
import { shortPackets } from '../../congestion/short-packets.ts';
import type { SuiteProperty } from '../../property.ts';
import { answersBeforeRts } from './answers-before-rts.ts';
import { drainedBehindWait } from './drained-behind-wait.ts';
import { fenceAndRecovery } from './fence-and-recovery.ts';
import { flowLabels } from './flow-labels.ts';
import { invalidatingAgain } from './invalidating-again.ts';
import { noRightsLeft } from './no-rights-left.ts';
import { windowsRebound } from './windows-rebound.ts';

/** Corners of what came before and still counts: a wait, a binding, an answer, a fence, a rate. */
export const lateCorners: readonly SuiteProperty[] = [
  answersBeforeRts,
  drainedBehindWait,
  fenceAndRecovery,
  flowLabels,
  invalidatingAgain,
  markedMiddles,
  noRightsLeft,
  shortPackets,
  windowsRebound,
];
