import type { SuiteProperty } from '../property.ts';
import { atomicBits } from './atomic-bits.ts';
import { bindDomains } from './domains/bind-domains.ts';
import { inlineLists } from './inline-lists.ts';
import { keysApart } from './keys-apart.ts';
import { lateCorners } from './late/index.ts';
import { lateRefusals } from './late-refusals.ts';
import { markedInStates } from './marked-in-states.ts';
import { migrationFollowed } from './migration-followed.ts';
import { migrationInWait } from './migration-in-wait.ts';
import { migrationQueried } from './migration-queried.ts';
import { oooInline } from './ooo-inline.ts';
import { oooReads } from './ooo-reads.ts';
import { peerRenewed } from './peer-renewed.ts';
import { qkeysApart } from './qkeys-apart.ts';
import { rateInSqd } from './rate-in-sqd.ts';
import { readSlotsApart } from './read-slots-apart.ts';
import { receivesKept } from './receives-kept.ts';
import { repeatsBetween } from './repeats-between.ts';
import { rightsApart } from './rights-apart.ts';
import { sentAgainLimited } from './sent-again-limited.ts';
import { srqDomains } from './domains/srq-domains.ts';
import { srqLimitLow } from './srq-limit-low.ts';
import { srqLimitKinds } from './srq-limit-kinds.ts';
import { wideIds } from './wide-ids.ts';
import { windowsApart } from './domains/windows-apart.ts';

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
  bindDomains,
  migrationFollowed,
  oooReads,
  qkeysApart,
  readSlotsApart,
  repeatsBetween,
  rightsApart,
  sentAgainLimited,
  wideIds,
  srqDomains,
  srqLimitLow,
  windowsApart,
  ...lateCorners,
];
