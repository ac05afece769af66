import fc from 'fast-check';
import { damagedParts, otherSources } from '../arbitraries/faults.ts';
import { settle } from '../arbitraries/packets.ts';
import { onGrid, range, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { PacketDefect, Step } from '../scenario.ts';
import { everyJob, jobs } from './jobs.ts';
import { exchange } from './exchange.ts';
import { answer } from './parts.ts';

/** Defects for which a response is dropped silently. */
export function headerDefect(): fc.Arbitrary<PacketDefect> {
  // Each of the kinds about as often as any other.
  return fc.oneof(
    {
      weight: 5,
      arbitrary: fc.constantFrom<PacketDefect>(
        { kind: 'icrc' },
        { kind: 'dest-qp' },
        ...otherSources,
        { kind: 'short' },
        { kind: 'pkey', value: 0x8001 },
      ),
    },
    fc.integer({ min: 1, max: 15 }).map((value): PacketDefect => ({ kind: 'tver', value })),
    fc.constantFrom('UC', 'UD', 'RD', 'XRC').map((service): PacketDefect => ({ kind: 'service', service })),
    {
      weight: damagedParts.length,
      arbitrary: fc.constantFrom(...damagedParts).map((part): PacketDefect => ({ kind: 'frame', part })),
    },
  );
}

/** Each of them once. */
const headerDefects: Grid<PacketDefect> = {
  name: 'defect of the response',
  cells: () => [
    ...(['icrc', 'dest-qp', 'short'] as const).map((kind) => ({ kind })),
    ...otherSources,
    { kind: 'pkey', value: 0x8001 },
    ...(['UC', 'UD', 'RD', 'XRC'] as const).map((service) => ({ kind: 'service' as const, service })),
    ...damagedParts.map((part) => ({ kind: 'frame' as const, part })),
    ...range(1, 15).map((value) => ({ kind: 'tver' as const, value })),
  ],
};

const ignoredFields = ['resv6', 'resv7', 'fecn', 'becn', 'traffic-class', 'hop-limit', 'src-port'] as const;

/** The answers of a work request, those with a turn marked given the defect. */
function withDefect(steps: readonly Step[], defect: PacketDefect): Step[] {
  return steps.map((step) =>
    step.do === 'respond' ? { do: 'respond', packet: { ...step.packet, defect } } : step,
  );
}

export const defects: SuiteProperty = {
  id: 'rc-requester/response-defects',
  suite: 'rc-requester',
  says: 'A response that is damaged on its way, or no response for this QP, is dropped as if it had been lost.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        all: jobs(profile, everyJob, 3),
        defects: fc.array(onGrid(headerDefects, profile, headerDefect()), { minLength: 3, maxLength: 3 }),
      },
      jobs: ({ all }) => all,
      parts: (work, { defects }) => ({
        steps: work.wrs.flatMap((_, n) => {
          const defect = defects[n];
          const sound = answer(work, n);
          return defect === undefined ? sound : [...withDefect(sound, defect), settle, ...sound];
        }),
      }),
    }),
  grids: [headerDefects],
  aims: [
    'rc-response-bad-icrc',
    'rc-response-transport-version',
    'rc-response-service-mismatch',
    'rc-response-foreign-source',
    'rc-response-pkey',
    'rc-send-unacknowledged',
  ],
};

const ignoredGrid: Grid<(typeof ignoredFields)[number]> = {
  name: 'field of the response',
  cells: () => ignoredFields,
};

export const ignored: SuiteProperty = {
  id: 'rc-requester/response-ignored-fields',
  suite: 'rc-requester',
  says: 'Fields that a receiver must not look at make no difference to a response.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        all: jobs(profile, everyJob, 4),
        fields: fc.array(onGrid(ignoredGrid, profile, fc.constantFrom(...ignoredFields)), {
          minLength: 4,
          maxLength: 4,
        }),
        msnOffset: fc.constantFrom(0, 0, 1, -1, 0x7fffff),
      },
      jobs: ({ all }) => all,
      parts: (work, { fields, msnOffset }) => ({
        steps: work.wrs
          .flatMap((_, n) => withDefect(answer(work, n), { kind: 'ignored', field: fields[n] ?? 'resv6' }))
          .map((step): Step =>
            step.do === 'respond' && msnOffset !== 0
              ? { do: 'respond', packet: { ...step.packet, msnOffset } }
              : step,
          ),
      }),
    }),
  grids: [ignoredGrid],
  aims: ['rc-response-admitted'],
};
