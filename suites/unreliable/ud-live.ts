import fc from 'fast-check';
import { fault } from '../arbitraries/faults.ts';
import { recv, settle } from '../arbitraries/packets.ts';
import { unreliable } from '../arbitraries/unreliable.ts';
import type { SuiteProperty } from '../property.ts';
import { post, request, roomAsked, wrOfRequest } from './requests.ts';

export const livePeer: SuiteProperty = {
  id: 'ud/live-peer',
  suite: 'ud',
  requires: ['ud'],
  says: 'Of the datagrams of a conformant sender, those that reach the port undamaged and with the right Q_Key are received, each as often as it arrives.',
  arbitrary: (profile) =>
    unreliable(
      'UD',
      'responder',
      profile,
      fc.record({
        all: fc.array(request('UD', profile), { minLength: 1, maxLength: 6, size: 'max' }),
        faults: fc.array(fault(), { maxLength: 3 }),
        spare: fc.nat(3),
      }),
      ({ mtu }, { all, faults, spare }) => ({
        faults,
        steps: [
          ...all.map((r) => recv(roomAsked(r, mtu) ?? 0)),
          ...Array.from({ length: spare }, () => recv(40 + mtu)),
          ...all.map((r) => post(wrOfRequest(r, mtu))),
          settle,
        ],
      }),
    ),
  aims: ['ud-receive-source', 'ud-receive-grh'],
};
