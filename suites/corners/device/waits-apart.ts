import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { rnrMicroseconds } from '../../../spec/constants.ts';
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
import { rnrCodes, rnrUs } from '../../rc-requester/timing.ts';
import type { Member, Step } from '../../scenario.ts';

interface Waiting {
  member: Member;
  /** steps until it is to wait */
  begins: number;
  /** what the RNR NAK says, in microseconds */
  us: number;
}

/** A requester that the responder is not ready for. */
function waiting(profile: Profile): fc.Arbitrary<Waiting> {
  return fc
    .record({
      chosen: base(profile),
      refused: job(profile, ['send', 'write-imm', 'send-imm'], { mostMtus: 1 }),
      followers: jobs(profile, everyJob, 1, { mostMtus: 1 }),
      code: fc.constantFrom(...rnrCodes.cells(profile)),
    })
    .map(({ chosen, refused, followers, code }) => {
      const work = workOf([refused, ...followers], chosen.mtu);
      const begin = [...begun(profile, work), respond({ kind: 'rnr', timer: code }, wrPsn(0))];
      const steps = [
        ...begin,
        { do: 'await' as const, packets: requestsFrom(work), us: rnrUs(profile, code) },
        ...answerFrom(work),
        ...finish(profile),
      ];
      const parts = { rnrRetry: 6, retryCnt: 7, steps };
      return {
        member: asMember(requesterScenario(profile, chosen, parts)),
        begins: begin.length,
        us: rnrMicroseconds[code] ?? 0,
      };
    });
}

export const waitsApart: SuiteProperty = {
  id: 'device/waits-apart',
  suite: 'device',
  qps: 3,
  says: 'Each of several QPs waits as long as its own RNR NAK says, whether the waits of others are over sooner or later.',
  arbitrary: (profile) =>
    fc.array(waiting(profile), { minLength: 2, maxLength: 3, size: 'max' }).map((all) => {
      // who may go on first is looked at first
      const next = [...all.entries()].toSorted(([, a], [, b]) => a.us - b.us).map(([who]) => who);
      return sideBySide(
        all.map(({ member }) => member),
        { order: [...oneByOne(all), ...next] },
      );
    }),
  aims: ['rc-rnr-wait', 'rc-rnr-wait-over', 'rc-rnr-wait-endless'],
};

/** A QP is destroyed while others wait. */
export const waitsKept: SuiteProperty = {
  id: 'device/waits-kept',
  suite: 'device',
  requires: ['destroy-calls'],
  qps: 2,
  says: 'A wait for the receiver goes on when another QP of the device is destroyed.',
  arbitrary: (profile) =>
    fc.tuple(waiting(profile), base(profile)).map(([{ member, begins }, other]) => {
      const steps: Step[] = [{ do: 'destroy', object: 'qp' }];
      const members = [asMember(requesterScenario(profile, other, { steps }))];
      const order = [...Array<number>(begins).fill(0), 0, 1];
      const [first, rest] = [member.steps.slice(0, begins), member.steps.slice(begins)];
      const paused: Step[] = [...first, { do: 'sleep', us: 5 }, ...rest];
      return { ...member, steps: paused, beside: { members, order } };
    }),
  aims: ['rc-rnr-wait', 'destroy-qp'],
};
