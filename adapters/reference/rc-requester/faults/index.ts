import { againFaults } from './again.ts';
import { answerFaults } from './answers.ts';
import { completionFaults } from './completions.ts';
import { cornerFaults } from './corners.ts';
import { memoryFaults } from './memory.ts';
import { requestFaults } from './requests.ts';
import { retryFaults } from './retries.ts';
import { rnrFaults } from './rnr.ts';
import { secondLifeFaults } from './second-life.ts';
import { strayFaults } from './strays.ts';
import { timerFaults } from './timers.ts';

/** What mutants do wrong as requesters of RC. */
export const rcRequesterFaults = [
  ...againFaults,
  ...answerFaults,
  ...completionFaults,
  ...cornerFaults,
  ...memoryFaults,
  ...requestFaults,
  ...retryFaults,
  ...rnrFaults,
  ...secondLifeFaults,
  ...strayFaults,
  ...timerFaults,
];
