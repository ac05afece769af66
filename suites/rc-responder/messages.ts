import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { fullAccess, hasAtomics, regionLength } from '../arbitraries/base.ts';
import { everyKind, message, type Message, type MessageKind } from '../arbitraries/message.ts';
import { inject, packet, settle } from '../arbitraries/packets.ts';
import type { Size } from '../arbitraries/scalars.ts';
import { cellOf, pairs, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import { play, scenarios, spare, turns } from './parts.ts';

/** 0, 1, and what is one byte less than whole MTUs, as long, and one byte more. */
const sizes: readonly Size[] = [
  { mtus: 0, bytes: 0 },
  { mtus: 0, bytes: 1 },
  ...[1, 2].flatMap((mtus) => [-1, 0, 1].map((bytes) => ({ mtus, bytes }))),
];

/** What the first message of a case is. */
type First = Pick<Message, 'kind' | 'size' | 'place'>;

/** Every kind of message in every length, at either end of the region. */
function lengths(kinds: readonly MessageKind[]): Grid<First> {
  const isAtomic = (kind: MessageKind): boolean => kind === 'fetch-add' || kind === 'cmp-swap';
  const cells = (profile: Profile): First[] =>
    kinds
      .filter((kind) => hasAtomics(profile) || !isAtomic(kind))
      .flatMap((kind) =>
        pairs(isAtomic(kind) ? sizes.slice(0, 1) : sizes, ['start', 'end'] as const)
          // a SEND goes to no place in particular
          .filter(([, place]) => place === 'start' || !kind.startsWith('send'))
          .map(([size, place]) => ({ kind, size, place })),
      );
  return { name: 'kind of message, length and end of the region', cells, every: 2 };
}

/** READs that are answered in hundreds of packets: how many. */
const longReads: Grid<number> = {
  name: 'responses to a READ',
  cells: () => [128, 255, 256, 257, 300],
  every: 3,
};

function messages(name: string, says: string, kinds: readonly MessageKind[], aims: string[]): SuiteProperty {
  const grid = lengths(kinds);
  return {
    id: `rc-responder/${name}`,
    suite: 'rc-responder',
    says,
    arbitrary: (profile) =>
      scenarios(
        profile,
        fc.record({
          all: turns(message(profile, kinds), 4),
          spare: spare(),
          cell: cellOf(grid, profile),
          responses: cellOf(longReads, profile),
        }),
        ({ mtu }, { all, spare, cell, responses }) => {
          const turned = all.map((turn, i) =>
            i === 0 && cell !== undefined ? { ...turn, message: { ...turn.message, ...cell } } : turn,
          );
          const steps = play(turned, mtu, spare);
          if (responses === undefined) return { steps };
          const length = responses * mtu;
          const target = { region: 1, offset: 0, length };
          const access = fullAccess(profile);
          return {
            regions: [
              { length: regionLength(mtu), access, fill: 1 },
              { length, access, fill: 2 },
            ],
            steps: [...steps, settle, inject(packet('RDMA_READ_REQUEST', { target })), settle],
          };
        },
      ),
    grids: name === 'read' ? [grid, longReads] : [grid],
    aims,
  };
}

export const sends = messages(
  'send',
  'SENDs of any length, alone or in flight together, fill one receive WQE each and are acknowledged.',
  ['send', 'send-imm'],
  [
    'rc-send-packet-asked',
    'rc-send-complete-asked',
    'rc-receive-completes',
    'rc-receive-order',
    'rc-receive-length',
  ],
);

export const writes = messages(
  'write',
  'RDMA WRITEs of any length at either end of a region write exactly their bytes and are acknowledged.',
  ['write', 'write-imm'],
  ['rc-write-packet-asked', 'rc-write-complete-asked', 'rc-write-immediate-asked', 'rc-memory-written'],
);

export const reads = messages(
  'read',
  'RDMA READs of any length are answered by the memory asked for, in packets that fill the path MTU.',
  ['read', 'write'],
  ['rc-read-executed', 'rc-read-data'],
);

export const mixed = messages(
  'mixed',
  'Messages of all kinds in flight together are carried out and answered in the order of their PSNs.',
  everyKind,
  ['rc-msn-counts-messages', 'rc-ack-credits', 'rc-response-header', 'rc-response-addressee'],
);
