import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { base as responderBase, fullAccess, responderScenario } from '../../arbitraries/base.ts';
import { at, inject, packet, settle } from '../../arbitraries/packets.ts';
import { asMember, sideBySide } from '../../beside.ts';
import { cut, wide } from '../../congestion/parts.ts';
import { longest } from '../../congestion/rate.ts';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { everyJob, jobs } from '../../rc-requester/jobs.ts';
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
import { rnrUs } from '../../rc-requester/timing.ts';
import type { Member, Step } from '../../scenario.ts';
import { query } from '../../verbs/parts.ts';

/** What another QP is about to do when one goes to SQD. */
const duties = ['resend', 'wait', 'refuse', 'answer', 'refuse late'] as const;
type Duty = (typeof duties)[number];

const about: Grid<Duty> = {
  name: 'what a QP is about to do when another one goes to SQD',
  cells: ({ congestion }) => (congestion?.dcqcn === undefined ? duties.slice(0, 3) : duties),
};

interface Part {
  member: Member;
  /** steps in front of the call of the other QP */
  begins: number;
}

function requester(profile: Profile, duty: 'resend' | 'wait', rest: Step): fc.Arbitrary<Part> {
  return fc
    .record({
      chosen: base(profile),
      drawn: jobs(profile, ['send', 'write'], 2, { mostMtus: 2, signaled: true }),
    })
    .map(({ chosen, drawn }) => {
      const work = workOf(drawn, chosen.mtu);
      const code = 5;
      const packets = requestsFrom(work);
      const nak = respond(
        duty === 'wait' ? { kind: 'rnr', timer: code } : { kind: 'nak', code: 0 },
        wrPsn(0),
      );
      const begin = [...begun(profile, work), nak, rest];
      const steps: Step[] = [
        ...begin,
        { do: 'await', packets, us: rnrUs(profile, code) },
        settle,
        ...answerFrom(work),
        ...finish(profile),
      ];
      return {
        member: asMember(requesterScenario(profile, chosen, { retryCnt: 7, rnrRetry: 7, steps })),
        begins: begin.length,
      };
    });
}

/** A responder with a NAK to send, or with READ responses that its rate holds back, and behind them a NAK where it refuses late. */
function responder(profile: Profile, duty: Exclude<Duty, 'resend' | 'wait'>, rest: Step): fc.Arbitrary<Part> {
  const { congestion } = profile;
  return responderBase(profile).map((chosen) => {
    const read = inject(packet('RDMA_READ_REQUEST', { target: { region: 0, offset: 0, length: longest } }));
    const gap = inject(at(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } }), 2));
    const slow = congestion?.dcqcn === undefined || duty === 'refuse' ? [] : cut(congestion.dcqcn);
    const begin: Step[] = [
      ...slow,
      ...(duty === 'refuse' ? [] : [read]),
      ...(duty === 'answer' ? [] : [gap]),
      rest,
    ];
    const steps = [...begin, settle, settle, query];
    const regions = [{ length: longest, access: fullAccess(profile), fill: 1 }];
    const made = responderScenario(profile, { ...chosen, srq: false }, { regions, steps });
    return { member: asMember(wide(profile, made)), begins: begin.length };
  });
}

function other(profile: Profile, duty: Duty, us: number): fc.Arbitrary<Part> {
  const rest: Step = { do: 'sleep', us };
  return duty === 'resend' || duty === 'wait'
    ? requester(profile, duty, rest)
    : responder(profile, duty, rest);
}

/** A send queue is drained while another QP has something to send that waits. */
export const besideSqd: SuiteProperty = {
  id: 'device/beside-sqd',
  suite: 'device',
  qps: 2,
  says: 'A QP sends what it has to, whether others go to SQD meanwhile or not.',
  arbitrary: (profile) =>
    fc
      .record({
        duty: anyCell(about, profile),
        // what came has been looked at, and not been acted upon
        us: fc.constantFrom(1, 1, 2, 5),
        chosen: base(profile),
        drawn: jobs(profile, everyJob, 1, { mostMtus: 1 }),
      })
      .chain(({ duty, us, chosen, drawn }) =>
        other(profile, duty, us).map(({ member, begins }) => {
          const work = workOf(drawn, chosen.mtu);
          const begin = begun(profile, work);
          const steps: Step[] = [
            ...begin,
            { do: 'modify_qp', at: 'requester', state: 'IBV_QPS_SQD', midway: true },
            ...answerFrom(work),
            settle,
            query,
          ];
          const drains = asMember(requesterScenario(profile, chosen, { retryCnt: 7, steps }));
          const order = [...begin.map(() => 0), ...Array<number>(begins).fill(1), 0];
          return sideBySide([drains, member], { order });
        }),
      ),
  grids: [about],
  aims: ['rc-sequence-nak-retransmits', 'rc-rnr-wait-over', 'rc-request-ahead', 'rc-read-executed'],
};
