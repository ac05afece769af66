import fc from 'fast-check';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { exchange } from '../../rc-requester/exchange.ts';
import { dataJobs, everyJob, job, jobs } from '../../rc-requester/jobs.ts';
import { answerFrom, answerUpTo, requestsFrom, respond, wrPsn } from '../../rc-requester/parts.ts';
import { evenly, rnrUs, timingOf } from '../../rc-requester/timing.ts';
import type { Step } from '../../scenario.ts';
import { query } from '../../verbs/parts.ts';

const at = 'requester';

const callNames = [
  'query_qp',
  'query_device',
  'post_recv',
  'req_notify_cq',
  'resize_cq',
  'attributes',
] as const;

const calls: Grid<(typeof callNames)[number]> = {
  name: 'call while a requester waits for the receiver',
  cells: () => callNames,
};

function stepOf(call: (typeof callNames)[number]): Step {
  switch (call) {
    case 'query_qp':
    case 'query_device':
      return { do: call };
    case 'post_recv':
      return { do: 'post_recv', at, length: 8, midway: true };
    case 'req_notify_cq':
      return { do: 'req_notify_cq', queue: 'send' };
    case 'resize_cq':
      return { do: 'resize_cq', queue: 'send', cqe: 64 };
    case 'attributes':
      return { do: 'modify_qp', at, attr: { min_rnr_timer: 3 }, midway: true };
  }
}

/** Software calls while a requester waits. */
export const callsInWait: SuiteProperty = {
  id: 'rc-requester/calls-in-rnr-wait',
  suite: 'rc-requester',
  says: 'A wait for the receiver goes on whatever software asks, arms or changes meanwhile.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        before: jobs(profile, everyJob, 1, { mostMtus: 1 }),
        refused: job(profile, dataJobs, { mostMtus: 2, signaled: true }),
        called: fc.array(anyCell(calls, profile), { minLength: 1, maxLength: 3, size: 'max' }),
        // longer than the calls take, and short enough to be sat out
        code: timingOf(profile).virtual ? evenly(6, 31) : evenly(18, 20),
      },
      jobs: ({ before, refused }) => [...before, refused],
      parts: (work, { before, called, code }) => {
        const n = before.length;
        return {
          rnrRetry: 6,
          retryCnt: 7,
          steps: [
            ...answerUpTo(work, n),
            respond({ kind: 'rnr', timer: code }, wrPsn(n)),
            { do: 'sleep', us: 5 },
            ...called.map(stepOf),
            { do: 'await', packets: requestsFrom(work, n), us: rnrUs(profile, code) },
            ...answerFrom(work, n),
            query,
          ],
        };
      },
    }),
  grids: [calls],
  aims: ['rc-rnr-wait', 'rc-rnr-wait-over'],
};
