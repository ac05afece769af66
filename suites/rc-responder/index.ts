import type { SuiteProperty } from '../property.ts';
import { access, accessInside, zeroLength } from './access.ts';
import { defectsDropped, ignoredFields } from './admission.ts';
import { atomics, misaligned } from './atomic.ts';
import { duplicates, oldAtomics, partialReads, refusedDuplicates } from './duplicates.ts';
import { announcedLength, padding, payloadLength, receiveLength } from './length.ts';
import { framesDropped } from './frames.ts';
import { livePeer, livePeerFaults } from './live.ts';
import { badReceive } from './local-errors.ts';
import { mixed, reads, sends, writes } from './messages.ts';
import { opcodeSequence, opcodeUnknown } from './opcode-sequence.ts';
import { gaps, walk } from './psn.ts';
import { resources } from './resources.ts';
import { notReady } from './rnr.ts';
import { states } from './states.ts';

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
  partialReads,
  oldAtomics,
  refusedDuplicates,
  notReady,
  opcodeSequence,
  opcodeUnknown,
  access,
  accessInside,
  zeroLength,
  payloadLength,
  announcedLength,
  receiveLength,
  padding,
  resources,
  badReceive,
  states,
  livePeer,
  livePeerFaults,
];
