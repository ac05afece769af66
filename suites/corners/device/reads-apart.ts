import fc from 'fast-check';
import { asMember, oneByOne, sideBySide } from '../../beside.ts';
import type { SuiteProperty } from '../../property.ts';
import { job } from '../../rc-requester/jobs.ts';
import { answerFrom, base, begun, finish, requesterScenario, workOf } from '../../rc-requester/parts.ts';

/** READs of one length are under way on several QPs of a PD. */
export const readsApart: SuiteProperty = {
  id: 'device/reads-apart',
  suite: 'device',
  qps: 3,
  says: 'What answers a READ goes to the memory of its own QP, also where others have READs of the same length under way.',
  arbitrary: (profile) =>
    fc
      .record({
        bases: fc.array(base(profile), { minLength: 2, maxLength: 3, size: 'max' }),
        asked: job(profile, ['read'], { mostMtus: 2, signaled: true }),
      })
      .map(({ bases, asked }) => {
        const mtu = bases[0]?.mtu ?? 1024;
        const made = bases.map((one) => {
          const work = workOf([asked], mtu);
          const begin = begun(profile, work);
          const steps = [...begin, ...answerFrom(work), ...finish(profile)];
          const member = asMember(requesterScenario(profile, { ...one, mtu }, { retryCnt: 7, steps }));
          return { member, begins: begin.length };
        });
        return sideBySide(
          made.map(({ member }) => member),
          { order: oneByOne(made), share: ['pd'] },
        );
      }),
  aims: ['rc-memory-fetched', 'rc-send-completes'],
};
