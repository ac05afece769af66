import type { SuiteProperty } from '../property.ts';
import { access, accessInside, zeroLength } from './access.ts';
import { defectsDropped, ignoredFields } from './admission.ts';
import { atomics, misaligned } from './atomic.ts';
import {
  duplicates,
  oldAtomics,
  overtakenDuplicates,
  partialReads,
  refusedDuplicates,
} from './duplicates.ts';
import { scatterLists } from '../lists/scatter.ts';
import { responderDestroyed } from '../midway/destroyed.ts';
import { callsMidway } from '../midway/responder.ts';
import { announcedLength, padding, payloadLength, payloadWithoutPlace, receiveLength } from './length.ts';
import { established } from './established.ts';
import { framesDropped } from './frames.ts';
import { changedMidway } from '../midway/region.ts';
import { freedDuplicates, freedMidway, senselessDuplicates } from './freed.ts';
import { ghosts } from './ghosts.ts';
import { livePeer, livePeerFaults } from './live.ts';
import { badReceive } from './local-errors.ts';
import { readsMidway } from './midway.ts';
import { pathMigration } from '../path-migration/responder.ts';
import { mixed, reads, sends, writes } from './messages.ts';
import { opcodePairs } from './opcodes/pairs.ts';
import { opcodeSequence, opcodeUnknown } from './opcodes/sequence.ts';
import { gaps, walk } from './psn.ts';
import { repeats } from './repeats.ts';
import { resources } from './resources.ts';
import { notReady } from './rnr.ts';
import { gapAndNotReady, secondLife } from './second-life.ts';
import { states } from './states.ts';
import { tailLoss } from './tail-loss.ts';

/** What is claimed of a device as responder of a reliable connection. */
export const rcResponder: readonly SuiteProperty[] = [
  defectsDropped,
  framesDropped,
  ignoredFields,
  sends,
  writes,
  reads,
  mixed,
  atomics,
  misaligned,
  gaps,
  walk,
  duplicates,
  overtakenDuplicates,
  partialReads,
  oldAtomics,
  refusedDuplicates,
  repeats,
  freedDuplicates,
  freedMidway,
  changedMidway,
  senselessDuplicates,
  ghosts,
  tailLoss,
  notReady,
  opcodeSequence,
  opcodeUnknown,
  opcodePairs,
  access,
  accessInside,
  readsMidway,
  zeroLength,
  payloadLength,
  announcedLength,
  receiveLength,
  payloadWithoutPlace,
  padding,
  resources,
  badReceive,
  states,
  callsMidway,
  responderDestroyed,
  scatterLists,
  secondLife,
  gapAndNotReady,
  established,
  pathMigration,
  livePeer,
  livePeerFaults,
];
