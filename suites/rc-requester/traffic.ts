import fc from 'fast-check';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { everyJob, jobs, packetsOf } from './jobs.ts';
import { answer, answerFrom, begun, finish, post, scenarios, sent, workOf } from './parts.ts';
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
    'rc-requests-in-order',
    'rc-request-skipped',
    'rc-send-queue-goes-on',
    'rc-progress-within-request',
  ],
};
