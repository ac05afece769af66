import type { SuiteProperty } from '../property.ts';
import { inOrderRequester, inOrderResponder } from './ordinary.ts';
import { capped, live, notReady, overlapping, refused, reordered, sound, told } from './requester.ts';
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

/** Out-of-order delivery: QPs that place packets as they come, and ordinary RC QPs on a wire that reorders. */
export const ooo: readonly SuiteProperty[] = [
  anyOrder,
  missing,
  requests,
  notPosted,
  farAhead,
  forbidden,
  sharedBuffers,
  damaged,
  live,
  sound,
  reordered,
  overlapping,
  capped,
  told,
  notReady,
  refused,
  inOrderResponder,
  inOrderRequester,
];
