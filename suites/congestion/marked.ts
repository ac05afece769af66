import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { datagram, datagramBytes, datagramPacket, grhBytes } from '../arbitraries/datagram.ts';
import {
  everyKind,
  lengthOf,
  message,
  packetsOf,
  receivesFor,
  takesReceive,
} from '../arbitraries/message.ts';
import { recv, settle } from '../arbitraries/packets.ts';
import { unreliable } from '../arbitraries/unreliable.ts';
import type { SuiteProperty } from '../property.ts';
import { scenarios } from '../rc-responder/parts.ts';
import type { PacketPlan, Step } from '../scenario.ts';
import { ucMessage } from '../unreliable/uc-parts.ts';
import { coming, ecn, pauseOf } from './parts.ts';

const aims = [
  'cc-cnp-due',
  'cc-no-cnp-unmarked',
  'cc-cnp-prompt',
  'cc-cnp-spaced',
  'cc-cnp-combined',
  'cc-cnp-header',
  'cc-cnp-becn',
  'cc-cnp-pkey',
  'cc-cnp-qp',
  'cc-cnp-address',
  'cc-cnp-body',
  'cc-cnp-icrc',
  'cc-cnp-not-ce',
  'cc-cnp-ect',
];

/** ECN bits of a packet, and how long the next one takes to come. */
interface Mark {
  bits: 0 | 1 | 2 | 3;
  pause: Step[];
}

function marks(profile: Profile): fc.Arbitrary<Mark[]> {
  const mark = fc.record({ bits: ecn(), pause: pauseOf(profile) });
  return fc.array(mark, { minLength: 1, maxLength: 12, size: 'max' });
}

/** The packets one after the other, marked in turn. */
function marked(packets: readonly PacketPlan[], each: readonly Mark[]): Step[] {
  return packets.flatMap((packet, i): Step[] => {
    const mark = each[i % each.length];
    return [coming(packet, mark?.bits ?? 3), ...(mark?.pause ?? [])];
  });
}

export const markedRequests: SuiteProperty = {
  id: 'congestion/marked-requests',
  suite: 'congestion',
  requires: ['rcm'],
  says: 'Requests that met congestion are carried out like others, and a CNP in each interval tells their source.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        all: fc.array(message(profile, everyKind), { minLength: 1, maxLength: 4, size: 'max' }),
        each: marks(profile),
      }),
      ({ mtu }, { all, each }) => ({
        steps: [
          ...all
            .filter((m) => takesReceive(m.kind))
            .map((m) => recv(m.kind === 'write-imm' ? 0 : lengthOf(m, mtu))),
          ...marked(
            all.flatMap((m) => packetsOf(m, mtu)),
            each,
          ),
          settle,
        ],
      }),
    ),
  aims: [...aims, 'cc-marked-request', 'cc-ect0-sent'],
};

export const markedUnreliable: SuiteProperty = {
  id: 'congestion/marked-unreliable',
  suite: 'congestion',
  requires: ['rcm', 'uc'],
  says: 'UC packets that met congestion are received like others, and a CNP in each interval tells their source.',
  arbitrary: (profile) =>
    unreliable(
      'UC',
      'responder',
      profile,
      fc.record({
        all: fc.array(ucMessage(profile), { minLength: 1, maxLength: 4, size: 'max' }),
        each: marks(profile),
      }),
      ({ mtu }, { all, each }) => ({
        steps: [
          ...receivesFor(all, mtu),
          ...marked(
            all.flatMap((m) => packetsOf(m, mtu)),
            each,
          ),
          settle,
        ],
      }),
    ),
  aims: [...aims, 'cc-marked-uc'],
};

export const markedDatagrams: SuiteProperty = {
  id: 'congestion/marked-datagrams',
  suite: 'congestion',
  requires: ['rcm', 'ud'],
  says: 'Datagrams that met congestion are received like others; a CNP names the QP that the datagram came from, each at its time.',
  arbitrary: (profile) =>
    unreliable(
      'UD',
      'responder',
      profile,
      fc.array(fc.record({ sent: datagram(), bits: ecn(), pause: pauseOf(profile), other: fc.boolean() }), {
        minLength: 1,
        maxLength: 8,
        size: 'max',
      }),
      ({ mtu }, all) => ({
        steps: [
          ...all.map(({ sent }) => recv(grhBytes + datagramBytes(sent, mtu))),
          ...all.flatMap(({ sent, bits, pause, other }): Step[] => [
            coming(datagramPacket(sent, mtu, other ? { source: 'second' } : {}), bits),
            ...pause,
          ]),
          settle,
        ],
      }),
    ),
  aims: [...aims, 'cc-marked-ud'],
};
