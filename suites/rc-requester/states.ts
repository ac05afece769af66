import fc from 'fast-check';
import type { QpState } from '../../spec/verbs.ts';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { everyJob, job, jobs, wrOf } from './jobs.ts';
import { exchange } from './exchange.ts';
import {
  afterTimeout,
  answer,
  answerFrom,
  answerUpTo,
  finish,
  postAll,
  requestsFrom,
  respond,
  scenarios,
  sent,
  workOf,
  wrPsn,
} from './parts.ts';
import { patientTimeout, shortTimeout } from './timing.ts';

const to = (state: QpState): Step => ({ do: 'modify_qp', at: 'requester', state });

export const drained: SuiteProperty = {
  id: 'rc-requester/drain',
  suite: 'rc-requester',
  says: 'In SQD what was begun is finished, retries included, nothing new begins, and RTS takes up the rest.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        begun: jobs(profile, everyJob, 3, { mostMtus: 2 }),
        held: jobs(profile, everyJob, 2, { mostMtus: 1 }),
        timeout: patientTimeout(profile),
        setback: fc.constantFrom('none', 'nak', 'timeout'),
      },
      jobs: ({ begun }) => begun,
      parts: (work, { begun, held, timeout, setback }, { mtu }) => {
        const whole = workOf([...begun, ...held], mtu);
        const packets = requestsFrom(work);
        const again: Step[] =
          setback === 'nak'
            ? [respond({ kind: 'nak', code: 0 }, wrPsn(0)), ...sent(profile, packets)]
            : setback === 'timeout'
              ? [afterTimeout(profile, timeout, packets)]
              : [];
        return {
          retryCnt: 7,
          ...(setback === 'timeout' && { timeout }),
          steps: [
            to('IBV_QPS_SQD'),
            ...postAll({ wrs: whole.wrs.slice(work.wrs.length), mtu }),
            ...again,
            ...answerFrom(work),
            settle,
            to('IBV_QPS_RTS'),
            ...sent(profile, requestsFrom(whole, work.wrs.length)),
            ...answerFrom(whole, work.wrs.length),
          ],
        };
      },
    }),
  aims: ['rc-request-drained', 'rc-send-queue-goes-on', 'rc-timeout-overdue'],
};

const paths: QpState[][] = [
  ['IBV_QPS_ERR'],
  ['IBV_QPS_RESET'],
  ['IBV_QPS_SQD', 'IBV_QPS_ERR'],
  ['IBV_QPS_ERR', 'IBV_QPS_RESET', 'IBV_QPS_INIT', 'IBV_QPS_RTR'],
  ['IBV_QPS_RESET', 'IBV_QPS_INIT', 'IBV_QPS_RTR', 'IBV_QPS_RTS'],
];

export const abandoned: SuiteProperty = {
  id: 'rc-requester/qp-states',
  suite: 'rc-requester',
  says: 'ERR flushes what is under way and RESET forgets it; neither sends on, and a new life begins with its own PSNs.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        all: jobs(profile, everyJob, 4, { mostMtus: 2 }),
        answered: fc.nat(2),
        path: fc.constantFrom(...paths),
        timeout: shortTimeout(profile),
        anew: jobs(profile, everyJob, 2, { mostMtus: 1 }),
      },
      jobs: ({ all }) => all,
      parts: (work, { answered, path, timeout, anew }, { mtu }) => {
        const next = workOf(anew, mtu);
        const alive = path.at(-1) === 'IBV_QPS_RTS';
        return {
          timeout,
          steps: [
            ...work.wrs.slice(0, answered).flatMap((_, n) => answer(work, n)),
            ...path.map(to),
            // answers that come after the end, and the time-out that must not
            ...(alive ? [] : answerFrom(work)),
            afterTimeout(profile, timeout),
            ...postAll(next),
            ...(alive ? sent(profile, requestsFrom(next)) : []),
            ...answerFrom(next),
          ],
        };
      },
    }),
  aims: ['rc-response-state', 'rc-requester-at-rest', 'rc-request-unposted', 'rc-request-completed-again'],
};

export const localFault: SuiteProperty = {
  id: 'rc-requester/local-fault',
  suite: 'rc-requester',
  says: 'A work request with an invalid local key fails in its turn: what is before completes, what is behind is flushed.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 2 }),
        bad: job(profile, everyJob, { mostMtus: 2 }),
        behind: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 2 }),
      }),
      ({ mtu }, { before, bad, behind }) => {
        const plans = [...before, { ...bad, inline: false }, ...behind].map((j) => wrOf(j, mtu));
        const work = {
          wrs: plans.map((wr, n) => (n === before.length ? { ...wr, badLkey: true } : wr)),
          mtu,
        };
        return {
          steps: [
            ...postAll(work),
            settle,
            ...answerUpTo(work, before.length),
            settle,
            ...answerFrom(work, before.length),
            ...finish(profile),
          ],
        };
      },
    ),
  aims: ['rc-send-failed', 'rc-send-flushed'],
};
