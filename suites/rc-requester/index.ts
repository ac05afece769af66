import type { SuiteProperty } from '../property.ts';
import { gatherLists } from '../lists/gather.ts';
import { requesterDestroyed } from '../midway/destroyed.ts';
import { callsMidway } from '../midway/requester.ts';
import { counters } from './counters.ts';
import { defects, ignored } from './defects.ts';
import { fatalNak, oddResponses, readRefused, reservedNak } from './fatal.ts';
import { impliedNak, impliedNakSilence, readRetry } from './implied.ts';
import { inlineData, lateResponses } from './late.ts';
import { fencedRetry, nakInWait, notReadyInSqd, rnrThenSilence, secondLife } from './interactions.ts';
import { live, liveFaults, liveNotReady, liveRefused } from './live.ts';
import { longMessages, partialAcks } from './long.ts';
import { pathMigrationCalled } from '../path-migration/calls.ts';
import { notReadyWithPath } from '../path-migration/not-ready.ts';
import { pathMigration, pathMigrationAsked } from '../path-migration/requester.ts';
import { rnrRetries, rnrWait } from './rnr.ts';
import { sequenceNak, sequenceNakRetries } from './sequence-nak.ts';
import { abandoned, drained, localFault } from './states.ts';
import { stray } from './stray.ts';
import {
  timeoutExhaustion,
  timeoutLone,
  timeoutProgress,
  timeoutRecovery,
  timeoutUndisturbed,
  timeoutWhilePosting,
  timeoutZero,
} from './timeout.ts';
import { answered, invalidating } from './traffic.ts';
import { walk } from './walk.ts';
import { fences, windows } from './windows.ts';
import { longestRead, tooLong } from './too-long.ts';

/** What is claimed of a device as requester of a reliable connection. */
export const rcRequester: readonly SuiteProperty[] = [
  answered,
  invalidating,
  partialAcks,
  longMessages,
  inlineData,
  lateResponses,
  stray,
  defects,
  ignored,
  sequenceNak,
  sequenceNakRetries,
  rnrWait,
  rnrRetries,
  rnrThenSilence,
  nakInWait,
  notReadyInSqd,
  counters,
  timeoutRecovery,
  timeoutExhaustion,
  timeoutUndisturbed,
  timeoutWhilePosting,
  timeoutProgress,
  timeoutLone,
  timeoutZero,
  impliedNak,
  impliedNakSilence,
  readRetry,
  readRefused,
  fatalNak,
  reservedNak,
  oddResponses,
  pathMigration,
  pathMigrationAsked,
  pathMigrationCalled,
  notReadyWithPath,
  windows,
  fences,
  fencedRetry,
  drained,
  abandoned,
  callsMidway,
  requesterDestroyed,
  gatherLists,
  longestRead,
  secondLife,
  localFault,
  live,
  liveFaults,
  liveNotReady,
  liveRefused,
  walk,
  tooLong,
];
