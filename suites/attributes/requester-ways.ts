import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { onGrid, pairs, type Grid } from '../grid.ts';
import { dataJobs, job } from '../rc-requester/jobs.ts';
import {
  answerFrom,
  begun,
  finish,
  mostReads,
  postAll,
  requestsFrom,
  scenarios,
  sent,
  workOf,
  type Base,
  type Parts,
} from '../rc-requester/parts.ts';
import { notReady } from '../rc-requester/rnr.ts';
import { exhaustionUs, shortRnrCode, shortTimeout, timingOf } from '../rc-requester/timing.ts';
import type { SuiteProperty } from '../property.ts';
import type { AttrPlan, Role, Step } from '../scenario.ts';
import { stateOf, wayTo, type Change } from './parts.ts';

const at: Role = 'requester';

/** Attributes of a requester that show in what it sends. */
const retries = ['rnr_retry', 'retry_cnt', 'timeout'] as const;
const depth = ['max_rd_atomic'] as const;
/** Transitions that take them. */
const ways = ['SQD-SQD', 'RTR-RTS'] as const;
type Attribute = (typeof retries)[number] | (typeof depth)[number];
type Way = (typeof ways)[number];

const set: Grid<[Attribute, Way]> = {
  name: 'attribute of a requester, and transition that sets it anew',
  cells: () => pairs(retries, ways),
};

const depthSet: Grid<[Attribute, Way]> = {
  name: 'transition that sets max_rd_atomic anew',
  cells: () => pairs(depth, ways),
};

/** Calls that set attributes of a QP in RTS anew, and end in RTS. */
function calls(way: Way, attr: AttrPlan): Step[] {
  const changes: Readonly<Record<Way, Change[]>> = {
    'SQD-SQD': [...wayTo('SQD'), { attr }, { state: stateOf('RTS') }],
    'RTR-RTS': [...wayTo('RTR'), { state: stateOf('RTS'), attr }],
  };
  return [...changes[way].map((change): Step => ({ do: 'modify_qp', at, ...change })), { do: 'query_qp' }];
}

interface Drawn {
  cell: [Attribute, Way];
  timeout: number;
  before: number;
  behind: number;
  code: number;
  used: boolean;
  one: Parameters<typeof workOf>[0][number];
  reads: Parameters<typeof workOf>[0];
}

/** What shows the attribute: silence, a peer that is not ready, or more READs and ATOMICs than may be under way. */
function parts(profile: Profile, { mtu }: Base, drawn: Drawn): Parts {
  const { cell, timeout, before, behind, code, used, reads, one } = drawn;
  const [attribute, way] = cell;
  const deep = attribute === 'max_rd_atomic';
  // what is done before, in the same life
  const first = used && way !== 'RTR-RTS' ? [deep ? (reads[0] ?? one) : one] : [];
  const done = workOf(first, mtu);
  const n = first.length;
  const work = workOf([...first, ...(deep ? reads : [one])], mtu);
  const begins = [...begun(profile, done), ...answerFrom(done), { do: 'settle' } as const];
  const posts = postAll({ wrs: work.wrs.slice(n), mtu });
  const goesOut = (packets: number): Step[] => sent(profile, packets);
  switch (attribute) {
    case 'timeout':
    case 'retry_cnt': {
      const most = timingOf(profile).virtual ? 7 : 2;
      const former = Math.min(before, most);
      const retryCnt = attribute === 'retry_cnt' ? Math.min(behind, most) : former;
      const attr = attribute === 'timeout' ? { timeout } : { timeout, retry_cnt: retryCnt };
      return {
        retryCnt: former,
        steps: [
          ...begins,
          ...calls(way, attr),
          ...posts,
          ...goesOut(requestsFrom(work, n)),
          ...finish(profile, exhaustionUs(profile, timeout, retryCnt)),
        ],
      };
    }
    case 'rnr_retry':
      return {
        rnrRetry: before,
        steps: [
          ...begins,
          ...calls(way, { rnr_retry: behind }),
          ...posts,
          ...goesOut(requestsFrom(work, n)),
          ...Array.from({ length: behind + 1 }, () => notReady(profile, work, n, code)).flat(),
          ...finish(profile),
        ],
      };
    case 'max_rd_atomic': {
      const most = mostReads(profile);
      // more before than behind, and the other way round now and then
      const [former, slots] = [Math.min(most, 3 + before), Math.min(most, 1 + (behind % 5))];
      return {
        maxRdAtomic: former,
        maxDestRdAtomic: most,
        steps: [
          ...begins,
          ...calls(way, { max_rd_atomic: slots }),
          ...posts,
          ...goesOut(Math.min(slots, reads.length)),
          ...answerFrom(work, n).flatMap((step): Step[] => [step, { do: 'settle' }]),
          ...finish(profile),
        ],
      };
    }
  }
}

function property(
  about: Pick<SuiteProperty, 'id' | 'says' | 'aims'>,
  grid: Grid<[Attribute, Way]>,
  among: readonly Attribute[],
): SuiteProperty {
  return {
    ...about,
    suite: 'parameters',
    arbitrary: (profile) =>
      scenarios(
        profile,
        fc.record({
          cell: onGrid(grid, profile, fc.tuple(fc.constantFrom(...among), fc.constantFrom(...ways))),
          timeout: shortTimeout(profile),
          before: fc.nat(7),
          behind: fc.nat(6),
          code: shortRnrCode(),
          used: fc.constantFrom(true, true, true, false),
          one: job(profile, dataJobs, { mostMtus: 1, signaled: true }),
          reads: fc.array(job(profile, ['read', 'fetch-add', 'cmp-swap'], { mostMtus: 1, signaled: true }), {
            minLength: 4,
            maxLength: 8,
            size: 'max',
          }),
        }),
        (base, drawn) => parts(profile, base, drawn),
      ),
    grids: [grid],
  };
}

export const requesterWays = property(
  {
    id: 'parameters/requester-ways',
    says: 'Timeout and retries go by what was set last, whichever transition has set it.',
    aims: [
      'rc-retry-exhausted',
      'rc-timeout-early',
      'rc-rnr-retry-exhausted',
      'qp-requester-parameters-accepted',
    ],
  },
  set,
  retries,
);

export const readDepthChanged = property(
  {
    id: 'parameters/read-depth-changed',
    says: 'As many READs and ATOMICs are under way as the max_rd_atomic that was set last, whichever transition has set it.',
    aims: ['rc-reads-outstanding'],
  },
  depthSet,
  depth,
);
