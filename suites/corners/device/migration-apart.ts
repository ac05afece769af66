import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { asMember } from '../../beside.ts';
import { alternate, load, staying } from '../../path-migration/requester.ts';
import type { SuiteProperty } from '../../property.ts';
import { everyJob, jobs } from '../../rc-requester/jobs.ts';
import { answerFrom, base, begun, finish, requesterScenario, workOf } from '../../rc-requester/parts.ts';
import type { Member, Step } from '../../scenario.ts';
import { query, settle } from '../../verbs/parts.ts';

interface Armed {
  member: Member;
  /** steps until it is armed */
  begins: number;
}

const migrated: Step = { do: 'modify_qp', at: 'requester', attr: { path_mig_state: 'IBV_MIG_MIGRATED' } };

/** A requester whose alternate path is armed; `goes`: it takes that path then. */
function armed(profile: Profile, goes: boolean): fc.Arbitrary<Armed> {
  return fc
    .record({
      chosen: base(profile),
      before: jobs(profile, everyJob, 1, { mostMtus: 1, signaled: true }),
      path: alternate(profile),
    })
    .map(({ chosen, before, path }) => {
      const work = workOf(before, chosen.mtu);
      const begin = [load(path, 14), ...begun(profile, work), ...staying(answerFrom(work)), settle, query];
      const steps = [...begin, ...(goes ? [migrated, settle] : []), query, ...finish(profile)];
      const parts = { retryCnt: 7, steps };
      return { member: asMember(requesterScenario(profile, chosen, parts)), begins: begin.length };
    });
}

/** One of several QPs that are armed migrates. */
export const migrationApart: SuiteProperty = {
  id: 'device/migration-apart',
  suite: 'device',
  qps: 3,
  says: 'A QP that migrates leaves the alternate paths of others armed.',
  requires: ['apm'],
  arbitrary: (profile) =>
    fc
      .tuple(
        armed(profile, true),
        fc.array(armed(profile, false), { minLength: 1, maxLength: 2, size: 'max' }),
      )
      .map(([one, others]) => {
        const all = [one, ...others];
        const begins = all.flatMap(({ begins: n }, who) => Array<number>(n).fill(who));
        const members = others.map(({ member }) => member);
        return { ...one.member, beside: { members, order: [...begins, 0, 0, 0] } };
      }),
  aims: ['rc-migration-queried', 'rc-migration-event-undue', 'rc-migration-called'],
};
