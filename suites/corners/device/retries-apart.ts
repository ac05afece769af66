import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { asMember, oneByOne, sideBySide } from '../../beside.ts';
import type { SuiteProperty } from '../../property.ts';
import { everyJob, job, jobs } from '../../rc-requester/jobs.ts';
import {
  answerFrom,
  base,
  begun,
  finish,
  requesterScenario,
  requestsFrom,
  respond,
  workOf,
  wrPsn,
} from '../../rc-requester/parts.ts';
import { rnrUs, shortRnrCode } from '../../rc-requester/timing.ts';
import type { Member, Step } from '../../scenario.ts';

interface Refused {
  member: Member;
  /** steps until the first refusal, and of each refusal */
  begins: number;
  rounds: number;
}

/** A requester that is refused as often as rnr_retry lets it be, and answered then. */
function refused(profile: Profile): fc.Arbitrary<Refused> {
  return fc
    .record({
      chosen: base(profile),
      first: job(profile, ['send', 'write-imm', 'send-imm'], { mostMtus: 1, signaled: true }),
      followers: jobs(profile, everyJob, 1, { mostMtus: 1 }),
      code: shortRnrCode(),
      rounds: fc.integer({ min: 1, max: 3 }),
    })
    .map(({ chosen, first, followers, code, rounds }) => {
      const work = workOf([first, ...followers], chosen.mtu);
      const begin = begun(profile, work);
      const round: Step[] = [
        respond({ kind: 'rnr', timer: code }, wrPsn(0)),
        { do: 'await', packets: requestsFrom(work), us: rnrUs(profile, code) },
      ];
      const steps = [
        ...begin,
        ...Array.from({ length: rounds }, () => round).flat(),
        ...answerFrom(work),
        ...finish(profile),
      ];
      const member = asMember(requesterScenario(profile, chosen, { rnrRetry: rounds, retryCnt: 7, steps }));
      return { member, begins: begin.length, rounds };
    });
}

/** Several requesters are refused in turn. */
export const retriesApart: SuiteProperty = {
  id: 'device/rnr-retries-apart',
  suite: 'device',
  qps: 3,
  says: 'Each QP has rnr_retry RNR NAKs of its own, however many others are given.',
  arbitrary: (profile) =>
    fc.array(refused(profile), { minLength: 2, maxLength: 3, size: 'max' }).map((all) => {
      const rounds = [0, 1, 2].flatMap((round) =>
        all.flatMap((one, who) => (round < one.rounds ? [who, who] : [])),
      );
      return sideBySide(
        all.map(({ member }) => member),
        { order: [...oneByOne(all), ...rounds] },
      );
    }),
  aims: ['rc-rnr-retry-counted', 'rc-rnr-retry-exhausted', 'rc-rnr-wait-over'],
};
