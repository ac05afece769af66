import fc from 'fast-check';
import { lengthOf, message, send, type MessageKind } from '../arbitraries/message.ts';
import { settle } from '../arbitraries/packets.ts';
import { cellOf, pairs, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import { immediates, listLengths, listSizes } from './values.ts';
import type { Step } from '../scenario.ts';
import { scenarios } from '../rc-responder/parts.ts';

const lists: Grid<[MessageKind, number]> = {
  name: 'kind of message, and elements of the receive list, in six lengths',
  cells: (profile) => pairs(['send', 'send-imm', 'write-imm'], listLengths(profile)),
};

/** Messages of one kind in all lengths, into receive work requests whose room is in so many places. */
export const scatterLists: SuiteProperty = {
  id: 'rc-responder/scatter-lists',
  suite: 'rc-responder',
  says: 'A message fills the elements of a receive work request in their order, and its completion tells its length and its immediate value.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        like: message(profile, ['send', 'send-imm', 'write-imm'], 2),
        elements: fc.integer({ min: 1, max: 4 }),
        cell: cellOf(lists, profile),
        first: fc.nat(immediates.length - 1),
        // beyond what comes
        spare: fc.constantFrom(0, 1, 17),
      }),
      ({ mtu }, { like, elements: few, cell, first, spare }) => {
        const [kind, elements] = cell ?? [like.kind, few];
        const all = listSizes(elements).map((size, i) => ({
          ...like,
          kind,
          size,
          place: i % 2 === 0 ? ('start' as const) : ('end' as const),
          immediate: immediates[(first + i) % immediates.length] ?? 0,
        }));
        return {
          steps: [
            ...all.map((m): Step => {
              const length = lengthOf(m, mtu) + spare;
              return { do: 'post_recv', length, ...(elements > 1 && length > 0 && { sges: elements }) };
            }),
            ...all.flatMap((m) => send(m, mtu)),
            settle,
          ],
        };
      },
    ),
  grids: [lists],
  aims: ['rc-receive-completes', 'rc-receive-length', 'rc-receive-immediate', 'rc-memory-written'],
};
