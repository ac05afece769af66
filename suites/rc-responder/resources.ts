import fc from 'fast-check';
import { hasAtomics } from '../arbitraries/base.ts';
import { message, send } from '../arbitraries/message.ts';
import { recvs, settle } from '../arbitraries/packets.ts';
import { base, responderScenario } from '../arbitraries/base.ts';
import { cellOf, pairs, range, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';

const kinds = ['read', 'fetch-add', 'cmp-swap'] as const;

/** Depths, each filled with requests of one kind that nothing is waited for in between. */
const windows: Grid<[number, (typeof kinds)[number]]> = {
  name: 'max_dest_rd_atomic, filled with one kind of request',
  every: 2,
  cells: (profile) =>
    pairs(
      range(1, Math.min(16, profile.limits.maxDestRdAtomic)),
      hasAtomics(profile) ? kinds : kinds.slice(0, 1),
    ),
};

export const resources: SuiteProperty = {
  id: 'rc-responder/read-atomic-resources',
  suite: 'rc-responder',
  says: 'READs and ATOMICs up to max_dest_rd_atomic are all answered; with none allowed, all are refused.',
  arbitrary: (profile) =>
    fc
      .record({
        chosen: base(profile),
        depth: fc.constantFrom(0, 1, 2, 4),
        messages: fc.array(message(profile, kinds, 3), { minLength: 1, maxLength: 6, size: 'max' }),
        wait: fc.boolean(),
        cell: cellOf(windows, profile),
      })
      .map(({ chosen, cell, ...drawn }) => {
        const depth = cell?.[0] ?? drawn.depth;
        const [first] = drawn.messages;
        const full = cell !== undefined && first !== undefined;
        const messages = full
          ? Array.from({ length: depth }, () => ({ ...first, kind: cell[1] }))
          : drawn.messages;
        return responderScenario(
          profile,
          { ...chosen, maxDestRdAtomic: Math.min(depth, profile.limits.maxDestRdAtomic) },
          {
            steps: [
              // Left to be flushed once a request is refused.
              ...recvs(1, 8),
              ...messages.flatMap((m) => [...send(m, chosen.mtu), ...(drawn.wait && !full ? [settle] : [])]),
            ],
          },
        );
      }),
  grids: [windows],
  aims: ['rc-no-responder-resources', 'rc-responder-resources-exceeded', 'rc-report-resources'],
};
