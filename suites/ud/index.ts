import type { SuiteProperty } from '../property.ts';
import { defectsDropped, framesDropped, ignoredFields, states } from '../unreliable/admission.ts';
import { tooLong as sendsTooLong } from '../unreliable/long.ts';
import { sendErrors } from '../unreliable/send-errors.ts';
import { ghosts, sending } from '../unreliable/sending.ts';
import { livePeer } from './live.ts';
import { badReceive, datagrams, notReady, opcodeUnknown, qkeys, scattered, tooLong } from './receiving.ts';

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
  sendErrors('UD'),
  sendsTooLong('UD'),
  ghosts('UD'),
];
