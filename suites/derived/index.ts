import type { SuiteProperty } from '../property.ts';
import { announcedFar, pkeyBits, ucLongMessages } from './far-lengths.ts';
import { farOff, ucFarOff } from './far-off.ts';
import { farRepeats } from './far-repeats.ts';
import { flawsAhead } from './flaws-ahead.ts';
import { emptyLast, lateLengths, ucLateLengths } from './late-lengths.ts';
import { leftPath } from './left-path.ts';
import { longMessages, manyMessages } from './long.ts';
import { otherStates } from './other-states.ts';
import { partlySpent } from './partly-spent.ts';
import { qkeyBits } from './qkey-bits.ts';
import { readsNotReady } from './reads-not-ready.ts';
import { routed } from './surroundings/routes.ts';
import { secondLives } from './second-lives.ts';
import { severalElements } from './several-elements.ts';
import { spentAcross } from './spent-across.ts';
import { errorsWithMany, spentBetween } from './spent.ts';
import { transitionsWithin } from './transitions-within.ts';
import { answersInWait } from './answers-in-wait.ts';
import { oooLongRequests, wideGaps } from './wide-gaps.ts';
import { inPages } from './surroundings/in-pages.ts';
import { duplicatesWithin, lateFaults, notReadyLate, repeatsElsewhere } from './within.ts';

/**
 * Cases of other properties, moved to where nothing of what they claim may be otherwise, and long ones: no others are made of these.
 */
export const derived: readonly SuiteProperty[] = [
  otherStates('rc-responder'),
  otherStates('rc-requester'),
  otherStates('uc'),
  otherStates('ud'),
  secondLives('rc-responder'),
  secondLives('rc-requester'),
  secondLives('uc'),
  secondLives('ooo'),
  severalElements('rc-responder'),
  severalElements('rc-requester'),
  severalElements('uc'),
  severalElements('ooo'),
  longMessages,
  manyMessages,
  duplicatesWithin,
  repeatsElsewhere,
  lateFaults,
  notReadyLate,
  spentBetween,
  errorsWithMany,
  lateLengths,
  ucLateLengths,
  flawsAhead,
  readsNotReady,
  farRepeats,
  answersInWait,
  qkeyBits,
  farOff,
  ucFarOff,
  wideGaps,
  oooLongRequests,
  partlySpent,
  leftPath,
  announcedFar,
  ucLongMessages,
  pkeyBits,
  transitionsWithin,
  spentAcross,
  emptyLast,
  routed('rc-responder'),
  routed('rc-requester'),
  routed('uc'),
  routed('ud'),
  routed('ooo'),
  inPages('rc-responder'),
  inPages('rc-requester'),
  inPages('uc'),
];
