import fc from 'fast-check';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { everyJob, jobs, packetsOf } from './jobs.ts';
import {
  answer,
  answerFrom,
  begun,
  finish,
  post,
  requestsFrom,
  respond,
  scenarios,
  sent,
  workOf,
  wrPsn,
} from './parts.ts';
import { timingOf } from './timing.ts';

export const answered: SuiteProperty = {
  id: 'rc-requester/answered',
  suite: 'rc-requester',
  says: 'Work requests that are answered, one by one or several by one response, soon or late, complete once and in order.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        all: jobs(profile, everyJob, 6),
        way: fc.constantFrom('each', 'coalesced', 'apart'),
        late: fc.boolean(),
      }),
      ({ mtu }, { all, way, late }) => {
        const work = workOf(all, mtu);
        const { wrs } = work;
        const pause: Step[] = late ? [{ do: 'sleep', us: timingOf(profile).virtual ? 1000 : 100_000 }] : [];
        const steps =
          way === 'apart'
            ? wrs.flatMap((wr, n) => [
                post(wr),
                ...sent(profile, packetsOf(wr, mtu)),
                ...pause,
                ...answer(work, n),
              ])
            : [...begun(profile, work), ...pause, ...answerFrom(work, 0, 0, way === 'coalesced')];
        return { steps: [...steps, ...finish(profile)] };
      },
    ),
  aims: [
    'rc-send-completes',
    'rc-send-completes-in-order',
    'rc-send-completion-describes',
    'rc-ack-acknowledges',
    'rc-response-data',
    'rc-request-header',
    'rc-request-addressee',
    'rc-request-opcode',
    'rc-request-target',
    'rc-request-payload',
    'rc-request-bare',
    'rc-request-solicited',
    'rc-requests-in-order',
    'rc-request-skipped',
    'rc-send-queue-goes-on',
    'rc-progress-within-request',
  ],
};

export const invalidating: SuiteProperty = {
  id: 'rc-requester/invalidating',
  suite: 'rc-requester',
  requires: ['send-with-invalidate'],
  says: 'A SEND with invalidate carries the R_Key of its work request in its last packet.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        all: jobs(profile, ['send-inv', 'send-inv', 'send', 'write'], 3),
        coalesced: fc.boolean(),
        again: fc.boolean(),
      }),
      ({ mtu }, { all, coalesced, again }) => {
        const work = workOf(all, mtu);
        const repeat: Step[] = again
          ? [respond({ kind: 'nak', code: 0 }, wrPsn(0)), ...sent(profile, requestsFrom(work))]
          : [];
        const steps = [...begun(profile, work), ...repeat, ...answerFrom(work, 0, 0, coalesced)];
        return { steps: [...steps, ...finish(profile)] };
      },
    ),
  aims: ['rc-request-payload', 'rc-repeat-same', 'rc-request-opcode', 'rc-send-completes'],
};
