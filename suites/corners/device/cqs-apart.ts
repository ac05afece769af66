import fc from 'fast-check';
import { inject, packet } from '../../arbitraries/packets.ts';
import { asMember, sideBySide } from '../../beside.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';
import {
  chosen,
  query,
  receives,
  settle,
  verbsScenario,
  type Chosen,
  type Service,
} from '../../verbs/parts.ts';

const at = 'responder';
const services: readonly Service[] = ['RC', 'UC', 'UD'];

function message(solicited: boolean): Step {
  return inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 }, solicited }));
}

/** One CQ of a device overflows. */
export const overflowBeside: SuiteProperty = {
  id: 'device/cq-overflow-beside',
  suite: 'device',
  qps: 3,
  says: 'A CQ in error leaves QPs alone that complete to others.',
  arbitrary: (profile) =>
    fc
      .record({
        over: chosen(profile, services),
        others: fc.array(chosen(profile, services), { minLength: 1, maxLength: 2, size: 'max' }),
        cqe: fc.integer({ min: 1, max: 4 }),
        beyond: fc.integer({ min: 1, max: 3 }),
      })
      .map(({ over, others, cqe, beyond }) => {
        // some devices have made room for more than they were asked for
        const count = cqe + beyond + 40;
        const begin = [...receives(at, over.service, count), settle];
        const steps = [...begin, ...Array.from({ length: count }, () => message(false)), settle, query];
        const one = asMember(verbsScenario(profile, at, over, { cqe, steps }));
        const used = (c: Chosen): Step[] => [
          ...receives(at, c.service, 2),
          settle,
          message(false),
          settle,
          message(false),
          settle,
          query,
        ];
        const members = others.map((c) => asMember(verbsScenario(profile, at, c, { steps: used(c) })));
        const before = members.flatMap((_, i) => [i + 1, i + 1, i + 1, i + 1]);
        return { ...one, beside: { members, order: [...before, ...steps.map(() => 0)] } };
      }),
  aims: ['flush-uncaused', 'rc-state-kept', 'qp-fatal-of-others'],
};

/** A CQ that several QPs complete to overflows. */
export const overflowTogether: SuiteProperty = {
  id: 'device/cq-overflow-together',
  suite: 'device',
  qps: 3,
  says: 'A CQ in error fails each QP that completes to it, and says so of each.',
  arbitrary: (profile) =>
    fc
      .record({
        all: fc.array(chosen(profile, services), { minLength: 2, maxLength: 3, size: 'max' }),
        cqe: fc.integer({ min: 1, max: 4 }),
        beyond: fc.integer({ min: 1, max: 3 }),
      })
      .map(({ all, cqe, beyond }) => {
        const count = cqe + beyond + 40;
        const made = all.map((c, who) => {
          const steps =
            who === 0
              ? [
                  ...receives(at, c.service, count),
                  settle,
                  ...Array.from({ length: count }, () => message(false)),
                  settle,
                  query,
                ]
              : [...receives(at, c.service, 1), settle, query];
          return asMember(verbsScenario(profile, at, c, { cqe, steps }));
        });
        const [, ...posts] = made.keys();
        const order = [...posts, ...(made[0]?.steps ?? []).map(() => 0)];
        return sideBySide(made, { order, share: ['cq'] });
      }),
  aims: ['cq-error-spreads', 'cq-overflow-reported', 'state-after-fatal-event'],
};

/** Messages of several QPs come to CQs that are armed for solicited ones. */
export const notificationsBeside: SuiteProperty = {
  id: 'device/notifications-beside',
  suite: 'device',
  requires: ['cq-events'],
  qps: 2,
  says: 'A CQ that is armed for solicited completions brings an event for those whose own message asks for it, whatever others ask for.',
  arbitrary: (profile) =>
    fc
      .record({
        all: fc.tuple(chosen(profile, services), chosen(profile, services)),
        solicited: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
        share: fc.boolean(),
        rests: fc.boolean(),
      })
      .map(({ all, solicited, share, rests }) => {
        const arm: Step = { do: 'req_notify_cq', queue: 'receive', solicitedOnly: true };
        const made = all.map((c, who) => {
          const begin = receives(at, c.service, 3);
          // in turns, so that each message stands behind one of the other QP
          const turn = (i: number): Step[] => {
            const asks = who === 0 ? solicited[i] === true : solicited[i] !== true;
            return [arm, message(asks), ...(rests ? [settle] : [])];
          };
          const steps = [...begin, settle, ...turn(0), ...turn(1), ...turn(2), settle, query];
          return { member: asMember(verbsScenario(profile, at, c, { steps })), begins: begin.length + 1 };
        });
        const [first, second] = made;
        if (first === undefined || second === undefined) throw new Error('two QPs are made');
        const begins = [first, second].flatMap(({ begins: n }, who) => Array<number>(n).fill(who));
        const length = rests ? 3 : 2;
        const turns = [0, 1, 2].flatMap(() => [0, 1].flatMap((who) => Array<number>(length).fill(who)));
        const beside = { members: [second.member], order: [...begins, ...turns] };
        return { ...first.member, beside: share ? { ...beside, share: ['cq' as const] } : beside };
      }),
  aims: ['cq-event-due-solicited', 'cq-event-solicited-only'],
};
