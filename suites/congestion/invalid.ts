import fc from 'fast-check';
import { damagedParts } from '../arbitraries/faults.ts';
import { packet, recv, settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { scenarios } from '../rc-responder/parts.ts';
import type { PacketDefect, PacketPlan, Step } from '../scenario.ts';
import { cnp, coming, pauseOf } from './parts.ts';

const bytes = 16;

const target = { region: 0, offset: 0, length: bytes };
const write: PacketPlan = packet('RDMA_WRITE_ONLY', { payload: { mtus: 0, bytes }, target });
const send: PacketPlan = packet('SEND_ONLY', { payload: { mtus: 0, bytes } });

/** What makes a packet that says CE one that no CNP may tell of. */
const defects: readonly PacketDefect[] = [
  { kind: 'icrc' },
  { kind: 'dest-qp' },
  ...damagedParts.map((part): PacketDefect => ({ kind: 'frame', part })),
  { kind: 'tver', value: 1 },
  { kind: 'pkey', value: 0x1234 },
];

export const invalidMarked: SuiteProperty = {
  id: 'congestion/marked-invalid',
  suite: 'congestion',
  requires: ['rcm'],
  says: 'Of packets that are damaged, for nobody or no RoCEv2 packets no CNP tells, even if they say CE.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        all: fc.array(
          fc.record({ defect: fc.constantFrom(...defects), pause: pauseOf(profile), sends: fc.boolean() }),
          { minLength: 1, maxLength: 4 },
        ),
        sound: fc.boolean(),
      }),
      (_, { all, sound }) => ({
        steps: [
          recv(bytes),
          ...all.flatMap(({ defect, pause, sends }): Step[] => [
            coming({ ...(sends ? send : write), defect }, 3),
            ...pause,
          ]),
          settle,
          ...(sound ? [coming(send, 3), settle] : []),
        ],
      }),
    ),
  aims: ['cc-no-cnp-for-broken', 'cc-no-cnp-for-foreign', 'cc-cnp-for-doubtful', 'cc-cnp-due'],
};

export const fecnAlone: SuiteProperty = {
  id: 'congestion/fecn',
  suite: 'congestion',
  requires: ['rcm'],
  says: 'FECN of the BTH is no sign of congestion; the ECN bits of the IP header are.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.array(
        fc.record({
          bits: fc.constantFrom<0 | 1 | 2 | 3>(2, 1, 0, 3),
          field: fc.constantFrom<'fecn' | 'becn'>('fecn', 'becn'),
          pause: pauseOf(profile),
        }),
        { minLength: 1, maxLength: 5 },
      ),
      (_, all) => ({
        steps: [
          ...all.flatMap(({ bits, field, pause }): Step[] => [
            coming({ ...write, defect: { kind: 'ignored', field } }, bits),
            ...pause,
          ]),
          settle,
        ],
      }),
    ),
  aims: ['cc-no-cnp-for-fecn', 'cc-no-cnp-unmarked'],
};

export const markedNotifications: SuiteProperty = {
  id: 'congestion/marked-cnps',
  suite: 'congestion',
  requires: ['rcm'],
  says: 'CNPs change nothing at a responder, and draw no CNP even if they met congestion themselves.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        all: fc.array(
          fc.record({
            bits: fc.constantFrom<0 | 1 | 2 | 3>(3, 1, 2, 0),
            nobody: fc.boolean(),
            pause: pauseOf(profile),
            sends: fc.boolean(),
          }),
          { minLength: 1, maxLength: 5 },
        ),
      }),
      (_, { all }) => ({
        steps: [
          ...all.map(() => recv(bytes)),
          ...all.flatMap(({ bits, nobody, pause, sends }): Step[] => [
            cnp({ ecn: bits, ...(nobody && { qp: 'nobody' as const }) }),
            ...pause,
            ...(sends ? [coming(send, 2)] : []),
          ]),
          settle,
          coming(send, 2),
          settle,
        ],
      }),
    ),
  aims: ['cc-no-cnp-for-cnp', 'cc-cnp-consumed', 'cc-cnp-noticed', 'cc-cnp-for-nobody'],
};
