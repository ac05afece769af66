import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { cnp } from '../../congestion/parts.ts';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { exchange } from '../../rc-requester/exchange.ts';
import { everyJob, jobs } from '../../rc-requester/jobs.ts';
import { answerFrom } from '../../rc-requester/parts.ts';
import { ackTimeoutUs, longestTimeoutUs, shortTimeout, timingOf } from '../../rc-requester/timing.ts';
import type { Step } from '../../scenario.ts';
import { query, settle } from '../../verbs/parts.ts';

const at = 'requester';

const names = ['attributes', 'query_qp', 'post_recv', 'req_notify_cq', 'resize_cq', 'cnp'] as const;
type Name = (typeof names)[number];

const disturbances: Grid<Name> = {
  name: 'what comes again and again while the ACK timer runs',
  cells: ({ congestion }: Profile) =>
    names.filter((name) => name !== 'cnp' || congestion?.dcqcn !== undefined),
};

function stepOf(name: Name): Step {
  switch (name) {
    case 'query_qp':
      return { do: 'query_qp' };
    case 'post_recv':
      return { do: 'post_recv', at, length: 8, midway: true };
    case 'req_notify_cq':
      return { do: 'req_notify_cq', queue: 'send' };
    case 'resize_cq':
      return { do: 'resize_cq', queue: 'send', cqe: 64 };
    case 'attributes':
      return { do: 'modify_qp', at, attr: { min_rnr_timer: 3 }, midway: true };
    case 'cnp':
      return cnp({ ecn: 1 });
  }
}

/** What is no answer comes so often that a timer which starts anew with it never runs out. */
export const timerUndisturbed: SuiteProperty = {
  id: 'rc-requester/timer-undisturbed',
  suite: 'rc-requester',
  says: 'The ACK timer runs out in its time, whatever software calls and whatever comes that is no answer.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        all: jobs(profile, everyJob, 2, { mostMtus: 1, signaled: true }),
        again: anyCell(disturbances, profile),
        timeout: timingOf(profile).virtual ? fc.constantFrom(8, 6, 10) : shortTimeout(profile),
        share: fc.constantFrom(0.6, 0.4, 0.8),
      },
      jobs: ({ all }) => all,
      parts: (work, { again, timeout, share }) => {
        const us = share * ackTimeoutUs(profile, timeout);
        const turns = Math.ceil(longestTimeoutUs(profile, timeout) / us) + 1;
        const one: Step[] = [{ do: 'sleep', us: Math.ceil(us) }, stepOf(again)];
        return {
          timeout,
          retryCnt: 7,
          steps: [...Array.from({ length: turns }, () => one).flat(), settle, ...answerFrom(work), query],
        };
      },
    }),
  grids: [disturbances],
  aims: ['rc-timeout-overdue', 'rc-timeout-early'],
};
