import { cornerFaults } from './corners.ts';
import { departureFaults } from './departures.ts';
import { duplicateFaults } from './duplicates.ts';
import { messageFaults } from './messages.ts';
import { readAtomicFaults } from './reads-atomics.ts';
import { replyFaults } from './replies.ts';
import { reportFaults } from './reports.ts';
import { secondLifeFaults } from './second-life.ts';
import { sequenceFaults } from './sequence.ts';
import { stateFaults } from './states.ts';

/** What mutants do wrong as responders of RC. */
export const rcResponderFaults = [
  ...cornerFaults,
  ...departureFaults,
  ...duplicateFaults,
  ...messageFaults,
  ...readAtomicFaults,
  ...replyFaults,
  ...reportFaults,
  ...secondLifeFaults,
  ...sequenceFaults,
  ...stateFaults,
];
