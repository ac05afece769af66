import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { SuiteProperty } from '../property.ts';
import { everyJob, jobs } from '../rc-requester/jobs.ts';
import * as rc from '../rc-requester/parts.ts';
import type { Scenario } from '../scenario.ts';
import { post, query, scenarios, sends, servicesOf, settle, to, wrOf } from './parts.ts';

const at = 'requester';

/** A QP of UC or UD, or one whose peer never answers and is flushed. */
function unanswered(profile: Profile): fc.Arbitrary<Scenario> {
  return scenarios(
    profile,
    at,
    ['UC', 'UD', 'RC'],
    fc.record({ before: sends(5, 1), behind: sends(3), fails: fc.boolean() }),
    ({ service }, { before, behind, fails }) => {
      const posts = (list: typeof before) => list.map((send) => post(at, wrOf(send)));
      const flushes = fails || service === 'RC';
      return {
        plan: { sqSigAll: true },
        steps: [
          ...(service === 'RC' ? [] : [...posts(before), settle]),
          ...(flushes ? [to(at, 'IBV_QPS_ERR'), settle] : []),
          ...posts(behind),
          settle,
          query,
        ],
      };
    },
  );
}

/** A QP of RC whose peer answers everything. */
function answered(profile: Profile): fc.Arbitrary<Scenario> {
  return rc
    .scenarios(
      profile,
      fc.record({ all: jobs(profile, everyJob, 5, { mostMtus: 2 }), step: fc.boolean() }),
      ({ mtu }, { all, step }) => {
        const work = rc.workOf(all, mtu);
        return {
          steps: [
            ...rc.begun(profile, work),
            ...(step ? rc.answerFrom(work).flatMap((one) => [one, settle]) : rc.answerFrom(work)),
            ...rc.finish(profile),
          ],
        };
      },
    )
    .map((scenario) => ({ ...scenario, requester: { ...scenario.requester, sqSigAll: true as const } }));
}

export const signalAll: SuiteProperty = {
  id: 'verbs/signal-all',
  suite: 'verbs',
  says: 'On a QP that was made with sq_sig_all every work request completes, with IBV_SEND_SIGNALED or without.',
  arbitrary: (profile) =>
    servicesOf(profile).includes('RC')
      ? fc.oneof(answered(profile), unanswered(profile))
      : unanswered(profile),
  aims: ['rc-send-completes', 'unreliable-send-completes', 'flush-send-in-error', 'post-send-flushed'],
};
