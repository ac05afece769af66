import fc from 'fast-check';
import { sharesReceives } from '../arbitraries/shared.ts';
import { inject, packet } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { timingOf } from '../rc-requester/timing.ts';
import type { Role, Step } from '../scenario.ts';
import { post, query, receives, scenarios, settle, to, wrOf } from './parts.ts';

const at: Role = 'responder';

/** When software asks for the end of what is in use: at rest, with completions in the CQ, or with the event of a CQ or an SRQ to come. */
const moments = ['at rest', 'completions', 'armed', 'limit'] as const;

export const refusedDestruction: SuiteProperty = {
  id: 'verbs/refused-destruction',
  suite: 'verbs',
  requires: ['destroy-calls'],
  says: 'A CQ or an SRQ that is in use stays as it is when software asks for its end, with all that it holds.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      ['RC', 'UC', 'UD'],
      fc.record({
        shared: fc.constantFrom(true, true, false),
        apart: fc.boolean(),
        objects: fc.shuffledSubarray<'cq' | 'srq'>(['cq', 'srq'], { minLength: 1 }),
        moment: fc.constantFrom(...moments),
        before: fc.integer({ min: 1, max: 3 }),
        behind: fc.integer({ min: 1, max: 3 }),
        spare: fc.nat(2),
        fails: fc.boolean(),
      }),
      ({ service }, { shared, apart, objects, moment, before, behind, spare, fails }) => {
        const srq = shared && sharesReceives(profile, service);
        const events = profile.capabilities.includes('cq-events');
        const arrival = inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } }));
        const arrivals = (count: number): Step[] => Array.from({ length: count }, () => arrival);
        const asks: Readonly<Record<(typeof moments)[number], Step[]>> = {
          'at rest': [],
          completions: [...arrivals(1), { do: 'sleep', us: timingOf(profile).prompt }],
          armed: events ? [{ do: 'req_notify_cq', queue: 'receive' }] : [],
          limit: srq ? [{ do: 'modify_srq', limit: behind + spare }] : [],
        };
        return {
          srq,
          ...(apart && { cqs: 'apart' as const }),
          plan: { maxRecvWr: before + behind + spare + 1 },
          steps: [
            ...receives(at, service, before + behind + spare + 1),
            settle,
            ...arrivals(before),
            settle,
            ...asks[moment],
            ...objects.map((object): Step => ({ do: 'destroy', object })),
            ...(srq ? ([{ do: 'query_srq' }] satisfies Step[]) : []),
            ...arrivals(behind),
            settle,
            ...(service === 'RC' ? [] : [post(at, wrOf({ length: 8, signaled: true })), settle]),
            ...(fails ? [to(at, 'IBV_QPS_ERR'), settle] : []),
            query,
          ],
        };
      },
    ),
  aims: [
    'destroy-cq-used',
    'destroy-srq-used',
    'rc-receive-completes',
    'uc-receive-completes',
    'ud-receive-completes',
    'srq-limit-reached',
  ],
};
