import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { asMember, oneByOne, sideBySide } from '../../beside.ts';
import type { SuiteProperty } from '../../property.ts';
import { answeredJobs, jobs } from '../../rc-requester/jobs.ts';
import { answerFrom, base, begun, finish, requesterScenario, workOf } from '../../rc-requester/parts.ts';
import type { Member } from '../../scenario.ts';

/** A requester that has as many READs and ATOMICs unanswered as it may, and only then gets its answers. */
function requester(profile: Profile): fc.Arbitrary<{ member: Member; begins: number }> {
  return fc
    .record({
      chosen: base(profile),
      work: jobs(profile, answeredJobs, 2, { mostMtus: 1, signaled: true }),
    })
    .map((drawn) => {
      const work = workOf(drawn.work, drawn.chosen.mtu);
      const begin = begun(profile, work);
      const parts = { maxRdAtomic: work.wrs.length, retryCnt: 7 };
      const steps = [...begin, ...answerFrom(work), ...finish(profile)];
      const member = asMember(requesterScenario(profile, drawn.chosen, { ...parts, steps }));
      return { member, begins: begin.length };
    });
}

export const readSlotsApart: SuiteProperty = {
  id: 'device/read-slots-apart',
  suite: 'device',
  qps: 3,
  says: 'Each QP has max_rd_atomic READs and ATOMICs of its own unanswered, however many others have.',
  arbitrary: (profile) =>
    fc.array(requester(profile), { minLength: 2, maxLength: 3, size: 'max' }).map((all) => {
      // each sends all that it may before any is answered
      return sideBySide(
        all.map(({ member }) => member),
        { order: oneByOne(all) },
      );
    }),
  aims: ['rc-send-queue-goes-on', 'rc-reads-outstanding'],
};
