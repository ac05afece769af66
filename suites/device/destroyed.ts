import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { base, responderScenario } from '../arbitraries/base.ts';
import { inject, packet, recvs, settle } from '../arbitraries/packets.ts';
import { asMember } from '../beside.ts';
import { timingOf } from '../rc-requester/timing.ts';
import type { SuiteProperty } from '../property.ts';
import type { Member, Scenario, Step } from '../scenario.ts';
import { query } from '../verbs/parts.ts';
import { membersOf, mostMembers, several, together } from './compose.ts';
import { onSrq } from './shared-receives.ts';

/** ibv_destroy_qp, at once or when everything is at rest. */
function destroyed(midway: boolean): Step {
  return { do: 'destroy', object: 'qp', ...(midway && { midway }) };
}

/** The same up to a step, where its QP is destroyed. */
function doomed(member: Member, place: number, midway: boolean): Member {
  const steps = member.steps.slice(0, place % (member.steps.length + 1));
  return { ...member, steps: [...steps, destroyed(midway), settle] };
}

function pause(profile: Profile): Step {
  return { do: 'sleep', us: timingOf(profile).prompt };
}

/** The same with a pause in which completions are in their CQ before a step at this place. */
function paused(profile: Profile, member: Member, place: number): Member {
  const at = place % (member.steps.length + 1);
  return { ...member, steps: [...member.steps.slice(0, at), pause(profile), ...member.steps.slice(at)] };
}

/** Receives of one QP are flushed into a CQ, and have not been taken when another one goes, or is reset, that shares it. */
function standing(properties: readonly SuiteProperty[], profile: Profile): fc.Arbitrary<Scenario> {
  const message = inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } }));
  const fails: Step = { do: 'modify_qp', at: 'responder', state: 'IBV_QPS_ERR', midway: true };
  return fc
    .record({
      one: membersOf(properties, profile),
      place: fc.nat(12),
      base: base(profile),
      received: fc.nat(2),
      left: fc.integer({ min: 1, max: 4 }),
      apart: fc.boolean(),
      goes: fc.constantFrom('destroyed', 'destroyed', 'reset'),
    })
    .map(({ one, place, base: chosen, received, left, apart, goes }) => {
      const steps = one.steps.slice(0, place % (one.steps.length + 1));
      const end: Step =
        goes === 'reset'
          ? { do: 'modify_qp', at: one.dut, state: 'IBV_QPS_RESET', midway: true }
          : destroyed(true);
      const cqs = apart && { cqs: 'apart' as const };
      const before = [
        ...recvs(received + left, 64),
        settle,
        ...Array.from({ length: received }, () => message),
        settle,
        fails,
      ];
      const parts = { steps: [...before, settle, query] };
      const neighbour = asMember(responderScenario(profile, { ...chosen, srq: false }, parts));
      const order = [...steps.map(() => 0), ...before.map(() => 1), 0];
      const beside = { members: [{ ...neighbour, ...cqs }], order, share: ['cq' as const] };
      return { ...one, ...cqs, steps: [...steps, end, settle], beside };
    });
}

/** A QP goes that shares a CQ and a PD with others, which go on. */
export function destroyedBeside(properties: readonly SuiteProperty[]): SuiteProperty {
  return {
    id: 'device/destroyed',
    suite: 'device',
    requires: ['destroy-calls'],
    says: 'A QP that is destroyed leaves the others alone: their timers, what they have sent, and their completions.',
    arbitrary: (profile) => {
      const mixed = together({
        members: fc
          .record({
            one: membersOf(properties, profile),
            others: several(membersOf(properties, profile), mostMembers - 1),
            place: fc.nat(40),
            pauses: fc.array(fc.nat(40), { minLength: mostMembers, maxLength: mostMembers }),
            midway: fc.boolean(),
          })
          .map(({ one, others, place, pauses, midway }) => [
            doomed(one, place, midway),
            ...others.map((other, i) => paused(profile, other, pauses[i] ?? 0)),
          ]),
        share: ['pd'],
        always: ['cq'],
      });
      return fc.oneof(standing(properties, profile), mixed);
    },
    qps: mostMembers,
    aims: ['destroy-qp', 'rc-receive-completes', 'rc-timeout-overdue', 'completion-in-order'],
  };
}

/** As many messages as an SRQ has WQEs come to the neighbour of a QP that took one of them and was destroyed: the last one finds none. */
function onTaken(profile: Profile): fc.Arbitrary<Scenario> {
  const begins = inject(packet('SEND_FIRST', { payload: { mtus: 1, bytes: 0 } }));
  const message = inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } }));
  return fc
    .record({
      base: base(profile),
      count: fc.integer({ min: 1, max: 4 }),
      early: fc.nat(2),
      midway: fc.boolean(),
      late: fc.nat(1),
    })
    .map(({ base: chosen, count, early, midway, late }) => {
      const whole = Math.min(early, count - 1);
      const comes = (messages: number): Step[] => Array.from({ length: messages }, () => message);
      const member = (steps: Step[]): Member =>
        asMember(responderScenario(profile, { ...chosen, srq: true }, { steps }));
      const posted = [...recvs(count, 2 * chosen.mtu), settle, ...comes(whole), settle];
      const behind = [
        ...comes(count - whole),
        settle,
        ...recvs(late, 2 * chosen.mtu),
        ...comes(late),
        settle,
        query,
      ];
      const gone = member([begins, settle, destroyed(midway), settle]);
      const order = [...posted.map(() => 1), 0, 0, 0, 0];
      return {
        ...gone,
        beside: { members: [member([...posted, ...behind])], order, share: ['srq' as const] },
      };
    });
}

/** A QP on an SRQ goes with a message that has not ended; its neighbours get the receive WQEs behind that of the message. */
export const destroyedOnSrq: SuiteProperty = {
  id: 'device/destroyed-on-srq',
  suite: 'device',
  requires: ['destroy-calls', 'srq'],
  says: 'A QP that is destroyed takes with it the receive WQE of a message that has not ended, and no other of its SRQ.',
  arbitrary: (profile: Profile): fc.Arbitrary<Scenario> => {
    const mixed = together({
      members: fc
        .record({
          one: onSrq(profile),
          others: fc.array(onSrq(profile), { minLength: 1, maxLength: 2, size: 'max' }),
          place: fc.nat(12),
          begun: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.boolean()),
          midway: fc.boolean(),
        })
        .map(({ one, others, place, begun, midway }) => {
          const steps = one.steps.slice(0, place % (one.steps.length + 1));
          const begins = begun ? [inject(packet('SEND_FIRST', { payload: { mtus: 1, bytes: 0 } }))] : [];
          const ended = [...steps, ...begins, ...(midway ? [] : [settle]), destroyed(midway), settle];
          return [{ ...one, steps: ended }, ...others];
        }),
      share: ['cq'],
      always: ['srq'],
    });
    return fc.oneof(onTaken(profile), mixed);
  },
  qps: mostMembers,
  aims: ['destroy-qp', 'rc-receive-completes', 'rc-receiver-not-ready', 'srq-limit-reached'],
};
