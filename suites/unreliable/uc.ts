import { beyondPort } from './beyond-port.ts';
import { unreliableDestroyed } from '../midway/destroyed.ts';
import { callsMidway } from '../midway/unreliable.ts';
import type { SuiteProperty } from '../property.ts';
import { defectsDropped, framesDropped, ignoredFields, states } from './admission.ts';
import { tooLong as sendsTooLong } from './long.ts';
import { sendErrors } from './send-errors.ts';
import { ghosts, sending } from './sending.ts';
import {
  access,
  badReceive,
  freed,
  opcodeSequence,
  opcodeUnknown,
  payloadLength,
  receiveLength,
} from './uc-faults.ts';
import { livePeer, livePeerFaults } from './uc-live.ts';
import { loss, messages, notReady, psnWalk } from './uc-messages.ts';
import { sharedLoss } from './uc-srq.ts';

/** What is claimed of a device at either end of an unreliable connection. */
export const uc: readonly SuiteProperty[] = [
  messages,
  loss,
  sharedLoss,
  psnWalk,
  opcodeSequence,
  opcodeUnknown,
  notReady,
  access,
  freed,
  receiveLength,
  beyondPort,
  payloadLength,
  badReceive,
  defectsDropped('UC'),
  framesDropped('UC'),
  ignoredFields('UC'),
  states('UC'),
  livePeer,
  livePeerFaults,
  sending('UC'),
  callsMidway('UC'),
  unreliableDestroyed('UC'),
  sendErrors('UC'),
  sendsTooLong('UC'),
  ghosts('UC'),
];
