import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { asMember } from '../../beside.ts';
import type { SuiteProperty } from '../../property.ts';
import { everyJob, jobs } from '../../rc-requester/jobs.ts';
import { answerFrom, base, begun, finish, requesterScenario, workOf } from '../../rc-requester/parts.ts';
import type { Member, Step } from '../../scenario.ts';
import { query, settle } from '../../verbs/parts.ts';

interface Part {
  member: Member;
  begins: number;
}

const toSqd: Step = {
  do: 'modify_qp',
  at: 'requester',
  state: 'IBV_QPS_SQD',
  attr: { en_sqd_async_notify: true },
  midway: true,
};

/** A requester with work requests that are not answered yet; `drains`: its send queue is drained first. */
function requester(profile: Profile, drains: boolean): fc.Arbitrary<Part> {
  return fc
    .record({ chosen: base(profile), drawn: jobs(profile, everyJob, 2, { mostMtus: 1, signaled: true }) })
    .map(({ chosen, drawn }) => {
      const work = workOf(drawn, chosen.mtu);
      const begin = [...begun(profile, work), ...(drains ? [toSqd] : [])];
      const end = drains ? [settle, query] : finish(profile);
      const parts = { retryCnt: 7, steps: [...begin, ...answerFrom(work), ...end] };
      return { member: asMember(requesterScenario(profile, chosen, parts)), begins: begin.length };
    });
}

/** A send queue is drained while others of the device are full. */
export const drainedApart: SuiteProperty = {
  id: 'device/drained-apart',
  suite: 'device',
  qps: 3,
  says: 'A send queue in SQD is drained when its own requests are answered, whatever others have under way.',
  arbitrary: (profile) =>
    fc
      .tuple(
        requester(profile, true),
        fc.array(requester(profile, false), { minLength: 1, maxLength: 2, size: 'max' }),
      )
      .map(([one, others]) => {
        const order = [
          ...others.flatMap(({ begins }, i) => Array<number>(begins).fill(i + 1)),
          ...one.member.steps.map(() => 0),
        ];
        return { ...one.member, beside: { members: others.map(({ member }) => member), order } };
      }),
  aims: ['drained', 'drained-late', 'drained-too-early'],
};
