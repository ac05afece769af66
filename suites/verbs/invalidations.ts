import fc from 'fast-check';
import { inject, packet, recvs, settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { PacketPlan, Step } from '../scenario.ts';
import { query, scenarios } from './parts.ts';
import {
  allocate,
  bind,
  closed,
  deallocate,
  deregister,
  open,
  opening,
  regionsOf,
  request,
  rightsOf,
} from './windows.ts';

/** What the R_Key of a SEND names: mostly a window that is bound. */
const named = [
  ...repeated('bound', 8),
  ...repeated('nothing', 4),
  ...repeated('gone', 2),
  ...repeated('region', 2),
  'unbound',
] as const;
type Named = (typeof named)[number];

const keys: Readonly<Record<Named, NonNullable<PacketPlan['invalidate']>>> = {
  bound: { window: 0 },
  nothing: 'none',
  unbound: { window: 0 },
  gone: { window: 0 },
  region: closed,
};

function repeated<const T extends string>(word: T, times: number): T[] {
  return Array.from({ length: times }, () => word);
}

/** What comes behind the SEND. */
const ends = ['request', 'request', 'deregister', 'bind', 'send'] as const;

function send(tail: string, more: Partial<PacketPlan> = {}): Step {
  return inject(packet(`SEND_${tail}`, { payload: { mtus: 0, bytes: 8 }, ...more }));
}

export const invalidations: SuiteProperty = {
  id: 'verbs/invalidations',
  suite: 'verbs',
  requires: ['memory-windows', 'send-with-invalidate'],
  says: 'A SEND with invalidate takes its R_Key away and is reported with it, or is refused where the QP may not do that.',
  arbitrary: (profile) => {
    const rights = rightsOf(profile);
    return scenarios(
      profile,
      'responder',
      ['RC'],
      opening(rights).chain((opened) =>
        fc.record({
          opened: fc.constant(opened),
          right: fc.constantFrom(...opened.access),
          names: fc.constantFrom(...named),
          used: fc.boolean(),
          before: fc.boolean(),
          long: fc.boolean(),
          ackReq: fc.boolean(),
          at: fc.constantFrom(...ends),
        }),
      ),
      (c, { opened, right, names, used, before, long, ackReq, at }) => {
        const uses = request(right, opened.offset);
        const invalidate = { invalidate: keys[names], ackReq };
        const behind: Readonly<Record<(typeof ends)[number], Step[]>> = {
          request: uses,
          deregister: [deregister, ...uses],
          bind: [bind(open, opened), settle, ...uses],
          send: [send('ONLY'), settle],
        };
        return {
          regions: regionsOf(profile, c),
          steps: [
            allocate,
            ...(names === 'unbound' ? [] : [bind(open, opened), settle]),
            ...recvs(4, 2 * c.mtu),
            ...(used && names !== 'unbound' ? uses : []),
            ...(before ? [send('ONLY')] : []),
            ...(names === 'gone' ? [settle, deallocate] : []),
            ...(long ? [send('FIRST', { payload: { mtus: 1, bytes: 0 } })] : []),
            send(long ? 'LAST_WITH_INVALIDATE' : 'ONLY_WITH_INVALIDATE', invalidate),
            settle,
            ...behind[at],
            query,
          ],
        };
      },
    );
  },
  aims: [
    'rc-invalidation-refused',
    'rc-receive-invalidated',
    'rc-report-invalidation',
    'rc-window-access-denied',
    'rc-send-complete-asked',
  ],
};
