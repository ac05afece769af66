import type { SuiteProperty } from '../property.ts';
import { answeredAgain, requesterAnew, responderAnew } from './again.ts';
import { drained } from './drained.ts';
import { localFault, nak, refused, refusedBehind, rnrNaks } from './failing.ts';
import { invalidating } from './invalidating.ts';
import { inOrderRequester, inOrderResponder } from './ordinary.ts';
import { answers, capped, live, overlapping, reordered, sound } from './requester.ts';
import {
  anyOrder,
  damaged,
  farAhead,
  forbidden,
  missing,
  notPosted,
  requests,
  sharedBuffers,
} from './responder.ts';
import { notReady, told } from './told.ts';
import { unfitReceives, unfitRequests } from './unfit.ts';
import { capFilled, silence, windowMoves } from './window.ts';

/** Out-of-order delivery: QPs that place packets as they come, and ordinary RC QPs on a wire that reorders. */
export const ooo: readonly SuiteProperty[] = [
  anyOrder,
  missing,
  requests,
  notPosted,
  farAhead,
  windowMoves,
  forbidden,
  unfitReceives,
  unfitRequests,
  sharedBuffers,
  damaged,
  responderAnew,
  invalidating,
  live,
  sound,
  reordered,
  answers,
  answeredAgain,
  overlapping,
  capped,
  capFilled,
  silence,
  told,
  notReady,
  requesterAnew,
  drained,
  refused,
  refusedBehind,
  localFault,
  nak,
  rnrNaks,
  inOrderResponder,
  inOrderRequester,
];
