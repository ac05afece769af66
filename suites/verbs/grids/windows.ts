import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { recvs, inject, packet } from '../../arbitraries/packets.ts';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';
import { post, query, scenarios, settle, wrOf } from '../parts.ts';
import {
  allocate,
  bind,
  deallocate,
  deregister,
  open,
  regionsOf,
  request,
  rightsOf,
  type Opening,
  type Right,
} from '../windows.ts';

const types = [1, 2] as const;

/** What a window opens: each right alone, each pair, all; none is left out. */
function rightSets(profile: Profile): Right[][] {
  const all = rightsOf(profile);
  const sets = Array.from({ length: 2 ** all.length - 1 }, (_, bits) =>
    all.filter((_, i) => ((bits + 1) >> i) % 2 === 1),
  );
  return sets;
}

/** Where the window lies in its region, in bytes; and where a request lies in the window. */
const spans = ['begin', 'end', 'inside', 'all'] as const;
const places = [
  'first',
  'around end',
  'last',
  'before',
  'longer',
  'behind',
  'around begin',
  'last byte behind',
] as const;
/** Those that begin or end in the window, and are not all of it within. */
const cut: readonly Place[] = ['around begin', 'around end', 'longer', 'last byte behind'];

type Span = (typeof spans)[number];
type Place = (typeof places)[number];

function opened(span: Span, region: number, access: Right[]): Opening {
  switch (span) {
    case 'begin':
      return { offset: 0, length: 24, access };
    case 'inside':
      return { offset: 64, length: 32, access };
    case 'end':
      return { offset: region - 16, length: 16, access };
    case 'all':
      return { offset: 0, length: region, access };
  }
}

function offsetOf(place: Place, { offset, length }: Opening): number {
  switch (place) {
    case 'first':
      return offset;
    case 'last':
      return offset + length - 8;
    case 'before':
      return offset - 8;
    case 'behind':
      return offset + length;
    case 'longer':
      return offset + length - 16;
    case 'last byte behind':
      return offset + length - 7;
    case 'around begin':
      return offset - 4;
    case 'around end':
      return offset + length - 4;
  }
}

const uses: Grid<[[1 | 2, Span], Place]> = {
  name: 'type of the window, where it lies in its region, and where a request lies in it',
  // by turns there is more of the region behind the window, and nothing
  cells: () => {
    const openings = pairs(types, spans);
    return places.flatMap((_, turn) =>
      places.flatMap((place, i) => {
        const opening = openings[(turn + i) % openings.length];
        return opening === undefined ? [] : [[opening, place] as [[1 | 2, Span], Place]];
      }),
    );
  },
};

const granted: Grid<[1 | 2, Right[]]> = {
  name: 'type of the window, and rights that it grants',
  cells: (profile) => pairs(types, rightSets(profile)),
};

/** A window of type 1 where the device has such, or of type 2. */
function allocating(profile: Profile, type: 1 | 2): Step {
  return type === 1 && profile.capabilities.includes('memory-windows-1')
    ? { do: 'alloc_mw', type: 'IBV_MW_TYPE_1' }
    : allocate;
}

export const windowUses: SuiteProperty = {
  id: 'verbs/window-uses',
  suite: 'verbs',
  requires: ['memory-windows'],
  says: 'A window of either type grants each of its rights to each of its bytes, and to none beside it.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      ['RC'],
      fc.record({
        use: anyCell(uses, profile),
        access: fc.constantFrom(...rightSets(profile)),
        right: fc.nat(2),
      }),
      (c, { use: [[type, span], place], access: drawn, right }) => {
        const regions = regionsOf(profile, c);
        // an ATOMIC is for 8 bytes at a multiple of 8
        const fit = drawn.filter((one) => !cut.includes(place) || one !== 'IBV_ACCESS_REMOTE_ATOMIC');
        const access: Right[] = fit.length > 0 ? drawn : [...drawn, 'IBV_ACCESS_REMOTE_READ'];
        const window = opened(span, regions[open]?.length ?? 0, access);
        const last = fit[right % Math.max(1, fit.length)] ?? 'IBV_ACCESS_REMOTE_READ';
        return {
          regions,
          steps: [
            allocating(profile, type),
            bind(open, window),
            settle,
            ...access.flatMap((one) => request(one, window.offset + 8)),
            ...request(last, offsetOf(place, window), 'current', place === 'longer' ? 32 : 8),
            query,
          ],
        };
      },
    ),
  grids: [uses],
  aims: ['rc-window-access-denied', 'rc-memory-written', 'rc-read-executed'],
};

export const windowRights: SuiteProperty = {
  id: 'verbs/window-rights',
  suite: 'verbs',
  requires: ['memory-windows'],
  says: 'A window that is bound anew grants the rights of its last binding, by its last key, and no others.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      ['RC'],
      fc.record({
        cell: anyCell(granted, profile),
        before: fc.option(fc.constantFrom(...rightSets(profile)), { nil: undefined, freq: 4 }),
        /** a window of type 2 is bound again where it was ended; one of type 1 also as it is */
        ended: fc.boolean(),
        empty: fc.boolean(),
        moved: fc.boolean(),
        last: fc.nat(2),
      }),
      (c, { cell: [asked, access], before, ended, empty, moved, last }) => {
        const regions = regionsOf(profile, c);
        const type = profile.capabilities.includes('memory-windows-1') ? asked : 2;
        const first: Opening = { offset: 128, length: 64, access: before ?? [] };
        const window: Opening = { offset: moved ? 512 : 128, length: 32, access };
        const closing: Step[] =
          type === 2
            ? [
                post(
                  'responder',
                  wrOf({ length: 0, signaled: true }, { opcode: 'IBV_WR_LOCAL_INV', ends: 0 }),
                ),
              ]
            : ended
              ? [bind(open, { ...first, length: 0, access: [] })]
              : [];
        const denied = rightsOf(profile).filter((right) => !access.includes(right));
        const refused = denied[last % Math.max(1, denied.length)];
        return {
          regions,
          steps: [
            allocating(profile, type),
            ...(before === undefined
              ? []
              : [
                  bind(open, first),
                  settle,
                  ...before.flatMap((one) => request(one, first.offset)),
                  ...closing,
                  settle,
                ]),
            bind(open, window),
            settle,
            ...access.flatMap((one) => request(one, window.offset + 24)),
            ...(empty && type === 1 ? [bind(open, { ...window, length: 0, access: [] }), settle] : []),
            ...(refused === undefined
              ? request(access[0] ?? 'IBV_ACCESS_REMOTE_WRITE', moved ? first.offset : window.offset + 32)
              : request(refused, window.offset)),
            query,
          ],
        };
      },
    ),
  grids: [granted],
  aims: ['rc-window-access-denied', 'bind-without-right'],
};

/** How a window stops to open anything, and what comes by its key then. */
const endings = ['local-inv', 'send-inv', 'long-send-inv', 'dealloc', 'dealloc, deregister'] as const;

const ended: Grid<[[(typeof endings)[number], Right], Right]> = {
  name: 'how a window ends, what was done by it, and what is tried by its key then',
  cells: (profile) => pairs(pairs(endings, rightsOf(profile)), rightsOf(profile)),
};

export const windowEnds: SuiteProperty = {
  id: 'verbs/window-ends',
  suite: 'verbs',
  requires: ['memory-windows', 'send-with-invalidate'],
  says: 'By the key of a window that was invalidated or given back nothing can be done, whatever was done by it before.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      ['RC'],
      fc.record({
        cell: anyCell(ended, profile),
        again: fc.boolean(),
        signaled: fc.boolean(),
        sends: fc.nat(1),
      }),
      (c, { cell: [[end, used], tried], again, signaled, sends }) => {
        const window: Opening = { offset: 64, length: 64, access: rightsOf(profile) };
        const invalidate = { window: 0 };
        const send = (tail: string, more = {}): Step =>
          inject(packet(`SEND_${tail}`, { payload: { mtus: 0, bytes: 8 }, ...more }));
        const ways: Readonly<Record<typeof end, Step[]>> = {
          'local-inv': [
            post('responder', wrOf({ length: 0, signaled }, { opcode: 'IBV_WR_LOCAL_INV', ends: 0 })),
          ],
          'send-inv': [send('ONLY_WITH_INVALIDATE', { invalidate })],
          'long-send-inv': [
            send('FIRST', { payload: { mtus: 1, bytes: 0 } }),
            send('LAST_WITH_INVALIDATE', { invalidate }),
          ],
          dealloc: [deallocate],
          'dealloc, deregister': [deallocate, deregister],
        };
        return {
          regions: regionsOf(profile, c),
          steps: [
            allocate,
            bind(open, window),
            settle,
            ...recvs(4, 2 * c.mtu),
            ...request(used, window.offset),
            ...ways[end],
            settle,
            ...Array.from({ length: sends }, () => send('ONLY')),
            settle,
            ...(again && !end.startsWith('dealloc')
              ? [bind(open, { ...window, access: [used] }), settle, ...request(used, window.offset + 8)]
              : []),
            ...request(tried, window.offset, again && !end.startsWith('dealloc') ? 'former' : 'current'),
            query,
          ],
        };
      },
    ),
  grids: [ended],
  aims: ['rc-window-access-denied', 'rc-receive-invalidated', 'dealloc-mw'],
};
