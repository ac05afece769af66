import fc from 'fast-check';
import { inject, packet, recvs, settle } from '../../arbitraries/packets.ts';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { PacketPlan, Step } from '../../scenario.ts';
import { query, scenarios } from '../../verbs/parts.ts';
import {
  allocate,
  bind,
  closed,
  open,
  regionsOf,
  request,
  rightsOf,
  type Opening,
  type Right,
} from '../../verbs/windows.ts';

/** Why a SEND that names the key of a window is not carried out. */
const reasons = ['it comes again', 'a packet before it is missing', 'nobody waits for it'] as const;
type Reason = (typeof reasons)[number];

const unexecuted: Grid<Reason> = {
  name: 'why a SEND with invalidate is not carried out',
  cells: () => [...reasons],
};

const payload = { mtus: 0, bytes: 16 };

type Named = NonNullable<PacketPlan['invalidate']>;

function naming(invalidate: Named, more: Partial<PacketPlan> = {}): Step {
  return inject(packet('SEND_ONLY_WITH_INVALIDATE', { payload, invalidate, ...more }));
}

/** How it comes, and what goes before it. */
function coming(reason: Reason, named: Named, mtu: number): Step[] {
  switch (reason) {
    case 'it comes again':
      return [
        ...recvs(2, mtu),
        inject(packet('SEND_ONLY', { payload })),
        settle,
        naming(named, { psn: { from: 'next', offset: -1 } }),
      ];
    case 'a packet before it is missing':
      return [...recvs(2, mtu), naming(named, { psn: { from: 'next', offset: 1 } })];
    case 'nobody waits for it':
      return [naming(named)];
  }
}

/** A request for 8 bytes by the R_Key of a region. */
function directly(right: Right, offset: number): Step[] {
  return request(right, offset).map((step) =>
    step.do === 'inject'
      ? { ...step, packet: { ...step.packet, target: { region: closed, offset, length: 8 } } }
      : step,
  );
}

export const unexecutedInvalidations: SuiteProperty = {
  id: 'verbs/unexecuted-invalidations',
  suite: 'verbs',
  requires: ['memory-windows', 'send-with-invalidate'],
  says: 'A SEND with invalidate that is not carried out leaves the window or the region that it names open.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      ['RC'],
      fc.record({
        reason: anyCell(unexecuted, profile),
        right: fc.constantFrom(...rightsOf(profile)),
        used: fc.boolean(),
        window: fc.boolean(),
      }),
      (c, { reason, right, used, window }) => {
        const opened: Opening = { offset: 16, length: 64, access: [right] };
        const uses = window ? request(right, opened.offset) : directly(right, opened.offset);
        return {
          regions: regionsOf(profile, c),
          steps: [
            allocate,
            bind(open, opened),
            settle,
            ...(used ? uses : []),
            ...coming(reason, window ? { window: 0 } : closed, c.mtu),
            settle,
            ...uses,
            query,
          ],
        };
      },
    ),
  grids: [unexecuted],
  aims: ['rc-duplicate-send-write-asked', 'rc-request-ahead', 'rc-receiver-not-ready'],
};
