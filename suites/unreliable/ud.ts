import { unreliableDestroyed } from '../midway/destroyed.ts';
import { callsMidway } from '../midway/unreliable.ts';
import type { SuiteProperty } from '../property.ts';
import { defectsDropped, framesDropped, ignoredFields, states } from './admission.ts';
import { tooLong as sendsTooLong } from './long.ts';
import { sendErrors } from './send-errors.ts';
import { ghosts, sending } from './sending.ts';
import { livePeer } from './ud-live.ts';
import { badReceive, datagrams, notReady, opcodeUnknown, qkeys, scattered, tooLong } from './ud-receiving.ts';

/** What is claimed of a device at either end of unreliable datagrams. */
export const ud: readonly SuiteProperty[] = [
  datagrams,
  scattered,
  qkeys,
  tooLong,
  notReady,
  opcodeUnknown,
  badReceive,
  defectsDropped('UD'),
  framesDropped('UD'),
  ignoredFields('UD'),
  states('UD'),
  livePeer,
  sending('UD'),
  callsMidway('UD'),
  unreliableDestroyed('UD'),
  sendErrors('UD'),
  sendsTooLong('UD'),
  ghosts('UD'),
];
