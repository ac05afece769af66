import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { pause, throughMidway, wayMidway, works } from './ways.ts';
import { settle } from '../arbitraries/packets.ts';
import { cut } from '../congestion/parts.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { everyJob, job, jobs } from '../rc-requester/jobs.ts';
import {
  afterTimeout,
  answer,
  answerFrom,
  finish,
  needsResponse,
  postAll,
  requestsFrom,
  respond,
  scenarios,
  sent,
  share,
  workOf,
  wrPsn,
} from '../rc-requester/parts.ts';
import { ackTimeoutUs, rnrUs, shortRnrCode, shortTimeout } from '../rc-requester/timing.ts';

/** Acknowledges all that was sent. */
const newest = respond({ kind: 'ack' }, { from: 'newest', offset: 0 });

/** A CNP, where the device has a reaction point: packets of the flow leave one by one from then on. */
function slowly(profile: Profile): Step[] {
  return profile.congestion?.dcqcn === undefined ? [] : [...cut(profile.congestion.dcqcn), settle];
}

/** What the far end has said when the calls come: a number of answers, or a refusal. */
interface Moment {
  answers: number;
  refusal: 'none' | 'rnr' | 'nak';
}

/** While requests leave, in the midst of answers, in an RNR wait, and while packets are sent again. */
function moment(): fc.Arbitrary<Moment> {
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant<Moment>({ answers: 0, refusal: 'none' }) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(1, 2, 4).map((answers): Moment => ({ answers, refusal: 'none' })),
    },
    { weight: 3, arbitrary: fc.constant<Moment>({ answers: 0, refusal: 'rnr' }) },
    { weight: 1, arbitrary: fc.constant<Moment>({ answers: 0, refusal: 'nak' }) },
  );
}

/** Calls that fall between the packets of messages, while answers are missing, in an RNR wait and while the ACK timer runs. */
export const callsMidway: SuiteProperty = {
  id: 'rc-requester/calls-midway',
  suite: 'rc-requester',
  says: 'ibv_modify_qp in the middle of a message ends it or lets it come to its end; no packet, wait or timer of it is in the life that follows.',
  share: 2,
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        all: jobs(profile, everyJob, 3, { mostMtus: 4 }),
        slow: fc.boolean(),
        seen: share(),
        moment: moment(),
        code: shortRnrCode(),
        path: wayMidway(),
        timeout: shortTimeout(profile),
        pause: pause(profile),
        aged: fc.boolean(),
        rest: fc.boolean(),
        silent: fc.boolean(),
        stale: fc.boolean(),
        anew: fc.array(job(profile, everyJob, { mostMtus: 1 }), { minLength: 1, maxLength: 2 }),
      }),
      (base, { all, slow, seen, moment, code, path, timeout, pause, aged, rest, silent, stale, anew }) => {
        const { answers, refusal } = moment;
        const { mtu } = base;
        const work = workOf(all, mtu);
        const next = workOf(anew, mtu);
        const whole = work.wrs.flatMap((_, n) => answer(work, n));
        const drained = path.at(-1) === 'IBV_QPS_SQD';
        const lives = works(path) && path.includes('IBV_QPS_RESET');
        const goesOn = works(path) && !lives;
        const refused: Step[] =
          refusal === 'none'
            ? []
            : [
                respond(
                  refusal === 'rnr' ? { kind: 'rnr', timer: code } : { kind: 'nak', code: 0 },
                  wrPsn(0),
                ),
              ];
        const refuses = refusal !== 'none';
        const packets = Math.floor((refuses ? 1 : seen) * requestsFrom(work));
        const silence: Step[] = [afterTimeout(profile, timeout)];
        const both = workOf([...all, ...anew], mtu);
        return {
          timeout,
          rnrRetry: 7,
          retryCnt: 7,
          steps: [
            ...(slow ? slowly(profile) : []),
            ...postAll(work),
            ...sent(profile, packets),
            ...whole.slice(0, answers),
            ...(refuses ? refused : []),
            ...pause,
            // what is left of an ACK timer is then shorter than the least that it may take; an RNR wait would be over
            ...(aged && refusal !== 'rnr'
              ? [{ do: 'sleep' as const, us: Math.ceil(1.5 * ackTimeoutUs(profile, timeout)) }]
              : []),
            ...throughMidway('requester', path),
            ...(rest ? [settle] : []),
            ...(stale && !lives ? whole.slice(answers) : []),
            ...(drained || goesOn
              ? [
                  ...(work.wrs.some(needsResponse) ? [] : [newest, settle]),
                  { do: 'await' as const, packets: requestsFrom(work), us: rnrUs(profile, code) },
                  ...answerFrom(work),
                ]
              : []),
            ...postAll(next),
            ...(lives
              ? [
                  ...sent(profile, requestsFrom(next)),
                  settle,
                  ...(silent ? silence : []),
                  ...answerFrom(next),
                ]
              : []),
            ...(goesOn ? [...sent(profile, requestsFrom(next)), ...answerFrom(both, work.wrs.length)] : []),
            ...silence,
            ...finish(profile),
          ],
        };
      },
    ),
  aims: [
    'rc-timeout-early',
    'rc-timeout-overdue',
    'rc-response-state',
    'rc-request-drained',
    'rc-send-queue-goes-on',
    'rc-send-flushed',
  ],
};
