import fc from 'fast-check';
import { damagedParts, otherSource, otherSources } from '../arbitraries/faults.ts';
import { at, inject, recvs, settle } from '../arbitraries/packets.ts';
import { unreliable, type Service } from '../arbitraries/unreliable.ts';
import { statePaths } from '../arbitraries/state-paths.ts';
import { onGrid, range, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { PacketDefect, Step } from '../scenario.ts';
import { amplyFor, packetsOfProbe, probe } from './probe.ts';

/** Names of the suites, and the capability that each is for. */
export const suiteOf = { UC: 'uc', UD: 'ud' } as const;

/** Defects of the transport header that no QP of a service is to see anything of. */
function headerDefect(service: Service): fc.Arbitrary<PacketDefect> {
  const others = (['RC', 'UC', 'UD', 'RD', 'XRC'] as const).filter((other) => other !== service);
  return fc.oneof(
    fc.integer({ min: 1, max: 15 }).map((value): PacketDefect => ({ kind: 'tver', value })),
    fc
      .constantFrom(0x1234, 0x7ffe, 0xfffe, 0x8000, 0)
      .map((value): PacketDefect => ({ kind: 'pkey', value })),
    fc.constant<PacketDefect>({ kind: 'dest-qp' }),
    // Of a datagram anybody may be the sender.
    ...(service === 'UC' ? [otherSource()] : []),
    fc.constantFrom(...others).map((other): PacketDefect => ({ kind: 'service', service: other })),
  );
}

/** Each of them once. */
function headerDefects(service: Service): Grid<PacketDefect> {
  const others = (['RC', 'UC', 'UD', 'RD', 'XRC'] as const).filter((other) => other !== service);
  const all: readonly PacketDefect[] = [
    { kind: 'dest-qp' },
    ...(service === 'UC' ? otherSources : []),
    ...others.map((other) => ({ kind: 'service' as const, service: other })),
    ...[0x1234, 0x7ffe, 0xfffe, 0x8000, 0].map((value) => ({ kind: 'pkey' as const, value })),
    ...range(1, 15).map((value) => ({ kind: 'tver' as const, value })),
  ];
  return { name: 'defect of the packet', cells: () => all };
}

/** Damage that no port lets through. */
const frameDefects: readonly PacketDefect[] = [
  { kind: 'icrc' },
  { kind: 'short' },
  ...damagedParts.map((part): PacketDefect => ({ kind: 'frame', part })),
];
const frameGrid: Grid<PacketDefect> = { name: 'damage of the frame', cells: () => frameDefects };

function dropped(
  service: Service,
  name: string,
  says: string,
  grid: Grid<PacketDefect>,
  dice: fc.Arbitrary<PacketDefect>,
  aims: readonly string[],
): SuiteProperty {
  const suite = suiteOf[service];
  return {
    id: `${suite}/${name}`,
    suite,
    requires: [suite],
    says,
    arbitrary: (profile) =>
      unreliable(
        service,
        'responder',
        profile,
        fc.record({
          before: fc.option(probe(service, profile), { nil: undefined }),
          all: fc.array(
            fc.record({
              spoiled: probe(service, profile),
              defect: onGrid(grid, profile, dice),
              which: fc.nat(2),
              offset: fc.constantFrom(0, 1, -1),
            }),
            { minLength: 1, maxLength: 3 },
          ),
          after: probe(service, profile),
        }),
        ({ mtu }, { before, all, after }) => ({
          steps: [
            ...recvs(6, amplyFor(mtu)),
            ...(before === undefined ? [] : packetsOfProbe(before, mtu).map(inject)),
            ...all.flatMap(({ spoiled, defect: drawn, which, offset }) => {
              const packets = packetsOfProbe(spoiled, mtu);
              const odd = Math.min(which, packets.length - 1);
              return packets.map((p, i) => inject(i === odd ? at({ ...p, defect: drawn }, offset) : p));
            }),
            settle,
            ...packetsOfProbe(after, mtu).map(inject),
            settle,
          ],
        }),
      ),
    grids: [grid],
    aims: aims.map((rule) => `${suite}-${rule}`),
  };
}

export function defectsDropped(service: Service): SuiteProperty {
  return dropped(
    service,
    'defects-dropped',
    'A packet that is not for the QP, by its service, number, P_Key or sender, is dropped silently, and leaves no trace.',
    headerDefects(service),
    headerDefect(service),
    [
      'drop-transport-version',
      'drop-unknown-qp',
      'drop-service-mismatch',
      'drop-pkey',
      ...(service === 'UC' ? ['drop-foreign-source'] : []),
    ],
  );
}

export function framesDropped(service: Service): SuiteProperty {
  return dropped(
    service,
    'frames-dropped',
    'A damaged frame is dropped silently, and leaves no trace in the QP.',
    frameGrid,
    fc.constantFrom(...frameDefects),
    ['drop-bad-icrc'],
  );
}

const ignored = [
  'resv6',
  'resv7',
  'fecn',
  'becn',
  'traffic-class',
  'hop-limit',
  'src-port',
  'mig-req',
] as const;

const ignoredGrid: Grid<(typeof ignored)[number]> = { name: 'field of the packet', cells: () => ignored };

export function ignoredFields(service: Service): SuiteProperty {
  const suite = suiteOf[service];
  return {
    id: `${suite}/ignored-fields`,
    suite,
    requires: [suite],
    says: 'Fields that a receiver must ignore change nothing.',
    arbitrary: (profile) =>
      unreliable(
        service,
        'responder',
        profile,
        fc.array(
          fc.record({
            sent: probe(service, profile),
            field: onGrid(ignoredGrid, profile, fc.constantFrom(...ignored)),
          }),
          {
            minLength: 1,
            maxLength: 3,
          },
        ),
        ({ mtu }, all) => ({
          steps: [
            ...recvs(all.length, amplyFor(mtu)),
            ...all.flatMap(({ sent, field }) =>
              packetsOfProbe(sent, mtu).map((p) => inject({ ...p, defect: { kind: 'ignored', field } })),
            ),
            settle,
          ],
        }),
      ),
    grids: [ignoredGrid],
  };
}

export function states(service: Service): SuiteProperty {
  const suite = suiteOf[service];
  return {
    id: `${suite}/qp-states`,
    suite,
    requires: [suite],
    says: 'A QP receives in RTR, RTS and SQD, and drops what comes in RESET, INIT and ERR; ERR flushes what was posted.',
    arbitrary: (profile) =>
      unreliable(
        service,
        'responder',
        profile,
        fc.record({
          before: fc.array(probe(service, profile), { maxLength: 2 }),
          path: fc.constantFrom(...statePaths),
          receives: fc.nat(3),
          each: fc.boolean(),
          after: fc.array(probe(service, profile), { minLength: 1, maxLength: 3 }),
        }),
        ({ mtu }, { before, path, receives, each, after }) => {
          const sent = after.flatMap((p) => packetsOfProbe(p, mtu).map(inject));
          return {
            steps: [
              ...recvs(receives, amplyFor(mtu)),
              ...before.flatMap((p) => packetsOfProbe(p, mtu).map(inject)),
              settle,
              ...path.flatMap((state, i): Step[] => [
                { do: 'modify_qp', at: 'responder', state },
                ...(each && i < path.length - 1 ? [...sent.slice(0, 1), settle] : []),
              ]),
              ...recvs(1, amplyFor(mtu)),
              ...sent,
              settle,
            ],
          };
        },
      ),
    aims: [`${suite}-drop-state`, 'flush-receive-in-error'],
  };
}
