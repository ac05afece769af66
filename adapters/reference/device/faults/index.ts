import { arrivingFaults } from './arriving.ts';
import { callFaults } from './calls.ts';
import { carryFaults } from './carries.ts';
import { eventFaults } from './events.ts';
import { gidFaults } from './port/gids.ts';
import { inBetweenFaults } from './in-between.ts';
import { inUseFaults } from './in-use.ts';
import { inPageFaults } from './in-pages.ts';
import { longListFaults } from './long-lists.ts';
import { linkFaults } from './port/link.ts';
import { meanwhileFaults } from './meanwhile.ts';
import { memoryFaults } from './memory.ts';
import { midwayFaults } from './midway.ts';
import { neighbourFaults } from './neighbours.ts';
import { queueFaults } from './queues.ts';
import { reregistrationFaults } from './reregistration.ts';
import { routeFaults } from './port/routes.ts';
import { sharedAttributeFaults } from './shared-attributes.ts';
import { sharedReceiveFaults } from './shared-receives.ts';
import { twoAtOnceFaults } from './two-at-once.ts';
import { windowFaults } from './windows.ts';
import { withoutLinkFaults } from './port/without-link.ts';

/** What mutants do wrong in what all machines share. */
export const deviceFaults = [
  ...arrivingFaults,
  ...callFaults,
  ...carryFaults,
  ...eventFaults,
  ...gidFaults,
  ...linkFaults,
  ...twoAtOnceFaults,
  ...withoutLinkFaults,
  ...inBetweenFaults,
  ...inUseFaults,
  ...inPageFaults,
  ...longListFaults,
  ...meanwhileFaults,
  ...memoryFaults,
  ...midwayFaults,
  ...neighbourFaults,
  ...queueFaults,
  ...reregistrationFaults,
  ...routeFaults,
  ...sharedAttributeFaults,
  ...sharedReceiveFaults,
  ...windowFaults,
];
