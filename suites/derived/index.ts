import type { SuiteProperty } from '../property.ts';
import { otherStates } from './other-states.ts';
import { secondLives } from './second-lives.ts';
import { severalElements } from './several-elements.ts';

/** Cases of other properties, moved to where nothing of what they claim may be otherwise. */
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
];
