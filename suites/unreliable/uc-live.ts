import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { fault } from '../arbitraries/faults.ts';
import { recv, settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { Fault, Scenario } from '../scenario.ts';
import { post, request, roomAsked, wrOfRequest } from './requests.ts';
import { responders } from './uc-parts.ts';

function live(profile: Profile, faults: fc.Arbitrary<Fault[]>): fc.Arbitrary<Scenario> {
  return responders(
    profile,
    fc.record({
      all: fc.array(request('UC', profile), { minLength: 1, maxLength: 6, size: 'max' }),
      faults,
    }),
    ({ mtu }, { all, faults: drawn }) => ({
      regions: [{ length: 4 * mtu, access: ['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_REMOTE_WRITE'], fill: 1 }],
      faults: drawn,
      steps: [
        ...all.flatMap((r) => {
          const room = roomAsked(r, mtu);
          return room === undefined ? [] : [recv(room)];
        }),
        ...all.map((r) => post(wrOfRequest(r, mtu))),
        settle,
      ],
    }),
  );
}

export const livePeer: SuiteProperty = {
  id: 'uc/live-peer',
  suite: 'uc',
  requires: ['uc'],
  says: 'With a conformant requester at the other end and a wire without faults, every message arrives once.',
  arbitrary: (profile) => live(profile, fc.constant([])),
  aims: ['uc-receive-completes', 'uc-receive-length'],
};

export const livePeerFaults: SuiteProperty = {
  id: 'uc/live-peer-faults',
  suite: 'uc',
  requires: ['uc'],
  says: 'With packets lost, doubled, late, out of order or damaged on the way, a message arrives once or not at all.',
  arbitrary: (profile) => live(profile, fc.array(fault({ drops: 3 }), { minLength: 1, maxLength: 4 })),
  aims: ['uc-message-lost-packet', 'uc-drop-bad-icrc'],
};
