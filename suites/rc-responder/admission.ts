import fc from 'fast-check';
import { otherSource, otherSources } from '../arbitraries/faults.ts';
import { everyKind, message, send } from '../arbitraries/message.ts';
import { at, inject, recv, recvs, settle } from '../arbitraries/packets.ts';
import { onGrid, range, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { PacketDefect } from '../scenario.ts';
import { packetsOf } from '../arbitraries/message.ts';
import { scenarios } from './parts.ts';

function silentDefect(): fc.Arbitrary<PacketDefect> {
  return fc.oneof(
    fc.constant<PacketDefect>({ kind: 'icrc' }),
    fc.integer({ min: 1, max: 15 }).map((value): PacketDefect => ({ kind: 'tver', value })),
    fc
      .constantFrom(0x1234, 0x7ffe, 0xfffe, 0x8000, 0)
      .map((value): PacketDefect => ({ kind: 'pkey', value })),
    fc.constant<PacketDefect>({ kind: 'dest-qp' }),
    otherSource(),
    // UC has most of the operations of RC, so that a device may well take its packets.
    {
      weight: 2,
      arbitrary: fc
        .constantFrom<'UC' | 'UD' | 'RD' | 'XRC'>('UC', 'UC', 'UD', 'RD', 'XRC')
        .map((service): PacketDefect => ({ kind: 'service', service })),
    },
    fc.constant<PacketDefect>({ kind: 'short' }),
  );
}

/** Each of them once. */
const silentDefects: Grid<PacketDefect> = {
  name: 'defect of the request',
  cells: () => [
    ...(['icrc', 'dest-qp', 'short'] as const).map((kind) => ({ kind })),
    ...otherSources,
    ...[0x1234, 0x7ffe, 0xfffe, 0x8000, 0].map((value) => ({ kind: 'pkey' as const, value })),
    ...(['UC', 'UD', 'RD', 'XRC'] as const).map((service) => ({ kind: 'service' as const, service })),
    ...range(1, 15).map((value) => ({ kind: 'tver' as const, value })),
  ],
};

const ignored: readonly PacketDefect[] = (
  ['resv6', 'resv7', 'fecn', 'becn', 'traffic-class', 'hop-limit', 'src-port', 'mig-req'] as const
).map((field) => ({ kind: 'ignored', field }));
const ignoredGrid: Grid<PacketDefect> = { name: 'field of the request', cells: () => ignored };

export const defectsDropped: SuiteProperty = {
  id: 'rc-responder/defects-dropped',
  suite: 'rc-responder',
  says: 'A packet that fails header validation is dropped silently, at any PSN, and leaves no trace in the QP.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: fc.boolean(),
        all: fc.array(
          fc.record({
            message: message(profile, everyKind, 1),
            defect: onGrid(silentDefects, profile, silentDefect()),
            offset: fc.constantFrom(0, 1, -1),
          }),
          { minLength: 1, maxLength: 3, size: 'max' },
        ),
        after: message(profile, everyKind, 1),
      }),
      ({ mtu }, { before, all, after }) => ({
        steps: [
          ...recvs(3, mtu + 64),
          ...(before ? all.slice(0, 1).flatMap((drawn) => send(drawn.message, mtu)) : []),
          ...all.flatMap(({ message: spoiled, defect, offset }) => [
            ...packetsOf(spoiled, mtu)
              .slice(0, 1)
              .map((p) => inject(at({ ...p, defect }, offset))),
            settle,
          ]),
          ...send(after, mtu),
        ],
      }),
    ),
  grids: [silentDefects],
  aims: [
    'rc-drop-bad-icrc',
    'rc-drop-transport-version',
    'rc-drop-unknown-qp',
    'rc-drop-service-mismatch',
    'rc-drop-foreign-source',
    'rc-drop-pkey',
  ],
};

export const ignoredFields: SuiteProperty = {
  id: 'rc-responder/ignored-fields',
  suite: 'rc-responder',
  says: 'Fields that a receiver must ignore change nothing.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        messages: fc.array(
          fc.record({
            message: message(profile, everyKind, 1),
            defect: onGrid(ignoredGrid, profile, fc.constantFrom(...ignored)),
          }),
          {
            minLength: 1,
            maxLength: 4,
          },
        ),
      }),
      ({ mtu }, { messages }) => ({
        steps: messages.flatMap(({ message, defect }) => [
          recv(mtu + 64),
          ...packetsOf(message, mtu).map((p) => inject({ ...p, defect })),
          settle,
        ]),
      }),
    ),
  grids: [ignoredGrid],
  aims: ['rc-write-complete-asked', 'rc-send-complete-asked'],
};
