import type { SuiteProperty } from '../property.ts';
import { atomicBits } from './atomic-bits.ts';
import { inlineLists } from './inline-lists.ts';
import { keysApart } from './keys-apart.ts';
import { lateRefusals } from './late-refusals.ts';
import { markedInStates } from './marked-in-states.ts';
import { migrationInWait } from './migration-in-wait.ts';
import { migrationQueried } from './migration-queried.ts';
import { oooInline } from './ooo-inline.ts';
import { peerRenewed } from './peer-renewed.ts';
import { rateInSqd } from './rate-in-sqd.ts';
import { receivesKept } from './receives-kept.ts';
import { srqLimitKinds } from './srq-limit-kinds.ts';

/**
 * Corners of any machine that planted faults lived in: few values, each of which is tried soon. No other cases are made of these.
 */
export const furtherCorners: readonly SuiteProperty[] = [
  receivesKept,
  srqLimitKinds,
  inlineLists,
  peerRenewed,
  keysApart,
  atomicBits,
  lateRefusals,
  migrationInWait,
  migrationQueried,
  oooInline,
  rateInSqd,
  markedInStates,
];
