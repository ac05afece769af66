import { markedMiddles } from '../congestion/responses.ts';
import { shortPackets } from '../congestion/short-packets.ts';
import { atomicLists } from '../lists/atomic-lists.ts';
import type { SuiteProperty } from '../property.ts';
import { unreliableWithoutLink } from '../unreliable/without-link.ts';
import { markedInStates } from './congestion/marked-in-states.ts';
import { messageInSqd } from './congestion/message-in-sqd.ts';
import { rateInSqd } from './congestion/rate-in-sqd.ts';
import { sentAgainLimited } from './congestion/sent-again-limited.ts';
import { qkeysApart } from './device/qkeys-apart.ts';
import { readSlotsApart } from './device/read-slots-apart.ts';
import { rightsApart } from './device/rights-apart.ts';
import { srqDomains } from './device/srq-domains.ts';
import { completionsApart, replaysApart, windowsKept } from './device/two-at-once.ts';
import { waitsApart, waitsKept } from './device/waits-apart.ts';
import { windowsApart } from './device/windows-apart.ts';
import { notificationsBeside, overflowBeside, overflowTogether } from './device/cqs-apart.ts';
import { callsInWait } from './rc-requester/calls-in-wait.ts';
import { besideSqd } from './device/beside-sqd.ts';
import { drainedApart } from './device/drained-apart.ts';
import { failuresApart } from './device/failures-apart.ts';
import { migrationApart } from './device/migration-apart.ts';
import { gapsApart } from './device/gaps-apart.ts';
import { readsApart } from './device/reads-apart.ts';
import { bothWays } from './verbs/both-ways.ts';
import { readsOverWrap } from './rc-responder/reads-over-wrap.ts';
import { messagesApart } from './device/messages-apart.ts';
import { retriesApart } from './device/retries-apart.ts';
import { readsInSecondLife } from './rc-requester/reads-in-second-life.ts';
import { callsBehindNak } from './rc-responder/calls-behind-nak.ts';
import { flagsRenewed } from './verbs/flags-renewed.ts';
import { fenceAndRecovery } from './ooo/fence-and-recovery.ts';
import { lateRefusals as oooLateRefusals } from './ooo/late-refusals.ts';
import { malformed } from './ooo/malformed.ts';
import { oooInline } from './ooo/ooo-inline.ts';
import { oooReads } from './ooo/ooo-reads.ts';
import { oooWithoutLink } from './ooo/ooo-without-link.ts';
import { unsentAcknowledged } from './ooo/unsent-acknowledged.ts';
import { readsAcknowledged } from './ooo/reads-acknowledged.ts';
import { drainedBehindWait } from './rc-requester/drained-behind-wait.ts';
import { drainedOnce } from './rc-requester/drained-once.ts';
import { lateRefusals } from './rc-requester/late-refusals.ts';
import { migrationInWait } from './rc-requester/migration-in-wait.ts';
import { migrationQueried } from './rc-requester/migration-queried.ts';
import { nakInSqd } from './rc-requester/nak-in-sqd.ts';
import { answeredAlternateRoutes, requestedAlternateRoutes } from './rc-requester/alternate-routes.ts';
import { gapsRenewed } from './rc-requester/gaps-renewed.ts';
import { responseLengths } from './rc-requester/response-lengths.ts';
import { migrationUnanswered } from './rc-requester/migration-unanswered.ts';
import { timerUndisturbed } from './rc-requester/timer-undisturbed.ts';
import { srqInUse } from './device/srq-in-use.ts';
import { toldOverWrap } from './ooo/told-over-wrap.ts';
import { rnrWaitWithoutLink } from './rc-requester/rnr-wait-without-link.ts';
import { flappingLink } from './rc-requester/flapping-link.ts';
import { withoutLink } from './rc-requester/without-link.ts';
import { postedInWait } from './rc-requester/posted-in-wait.ts';
import { waitInSecondLife } from './rc-requester/wait-in-second-life.ts';
import { answersBeforeRts } from './rc-responder/answers-before-rts.ts';
import { atomicBits } from './rc-responder/atomic-bits.ts';
import { emptyWithoutRight } from './rc-responder/empty-without-right.ts';
import { rnrTimerInUse } from './rc-responder/rnr-timer-in-use.ts';
import { rightsWithin } from './rc-responder/rights-within.ts';
import { refusedCalls } from './rc-responder/refused-calls.ts';
import { flowLabels } from './rc-responder/flow-labels.ts';
import { migrationFollowed } from './rc-responder/migration-followed.ts';
import { repeatsBetween } from './rc-responder/repeats-between.ts';
import { responderWithoutLink } from './rc-responder/responder-without-link.ts';
import { begunFlushed } from './unreliable/begun-flushed.ts';
import { beforeRegions } from './verbs/before-regions.ts';
import { bindDomains } from './windows/bind-domains.ts';
import { bindingsToWrite } from './windows/bindings-to-write.ts';
import { cqRingResized } from './verbs/cq-ring-resized.ts';
import { changesTogether } from './verbs/changes-together.ts';
import { longWindows } from './windows/long-windows.ts';
import { fencedWindows } from './windows/fenced-windows.ts';
import { inlineLists } from './verbs/inline-lists.ts';
import { unexecutedInvalidations } from './windows/unexecuted-invalidations.ts';
import { keysApart } from './verbs/keys-apart.ts';
import { noRightsLeft } from './verbs/no-rights-left.ts';
import { peerRenewed } from './verbs/peer-renewed.ts';
import { receivesKept } from './verbs/receives-kept.ts';
import { receiveKeysGone, sendKeysGone } from './verbs/keys-gone.ts';
import { receivesRenewed, sendsRenewed } from './verbs/receives-renewed.ts';
import { solicitedAwaited } from './verbs/solicited-awaited.ts';
import { srqLimitKinds } from './verbs/srq-limit-kinds.ts';
import { srqLimitLow } from './verbs/srq-limit-low.ts';
import { srqSizeAndLimit } from './verbs/srq-size-and-limit.ts';
import { twoCqsArmed } from './verbs/two-cqs-armed.ts';
import { wideIds } from './verbs/wide-ids.ts';
import { windowsRebound } from './windows/windows-rebound.ts';

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
  withoutLink,
  flappingLink,
  rnrWaitWithoutLink,
  timerUndisturbed,
  migrationUnanswered,
  srqInUse,
  toldOverWrap,
  oooLateRefusals,
  readsAcknowledged,
  malformed,
  unsentAcknowledged,
  cqRingResized,
  fencedWindows,
  beforeRegions,
  messageInSqd,
  srqDomains,
  srqLimitLow,
  windowsApart,
  answersBeforeRts,
  drainedBehindWait,
  fenceAndRecovery,
  flowLabels,
  unexecutedInvalidations,
  markedMiddles,
  noRightsLeft,
  shortPackets,
  windowsRebound,
  waitsApart,
  receivesRenewed,
  drainedOnce,
  postedInWait,
  receiveKeysGone,
  sendKeysGone,
  sendsRenewed,
  waitInSecondLife,
  responderWithoutLink,
  unreliableWithoutLink('UC'),
  unreliableWithoutLink('UD'),
  oooWithoutLink,
  atomicLists,
  completionsApart,
  replaysApart,
  windowsKept,
  nakInSqd,
  twoCqsArmed,
  drainedApart,
  failuresApart,
  migrationApart,
  retriesApart,
  readsInSecondLife,
  callsBehindNak,
  flagsRenewed,
  overflowBeside,
  notificationsBeside,
  callsInWait,
  messagesApart,
  readsOverWrap,
  gapsApart,
  readsApart,
  bothWays,
  overflowTogether,
  waitsKept,
  gapsRenewed,
  begunFlushed,
  requestedAlternateRoutes,
  answeredAlternateRoutes,
  responseLengths,
  emptyWithoutRight,
  solicitedAwaited,
  bindingsToWrite,
  changesTogether,
  longWindows,
  rnrTimerInUse,
  rightsWithin,
  srqSizeAndLimit,
  refusedCalls,
  besideSqd,
];
