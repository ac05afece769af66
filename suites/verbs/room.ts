import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { fewElements } from '../lists/values.ts';
import type { SuiteProperty } from '../property.ts';
import { timingOf } from '../rc-requester/timing.ts';
import type { Role, Step } from '../scenario.ts';
import { post, query, receives, rts, scenarios, sends, settle, to, wrOf } from './parts.ts';

const at: Role = 'requester';

/** A life of the QP that ends in flushes: how many, and to which sizes the CQ is resized before and while they are in it. */
function life() {
  return fc.record({
    sent: sends(4, 1),
    receives: fc.nat(4),
    before: fc.option(fc.integer({ min: 4, max: 16 }), { nil: undefined, freq: 2 }),
    while: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 2 }),
  });
}

export const resizing: SuiteProperty = {
  id: 'verbs/cq-resize',
  suite: 'verbs',
  requires: ['cq-resize'],
  says: 'A CQ that is resized has room for as many completions as were asked for, and loses none of those that it holds.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      ['RC', 'UC', 'UD'],
      fc.record({
        cqe: fc.integer({ min: 4, max: 12 }),
        queue: fc.constantFrom<'send' | 'receive'>('send', 'receive'),
        apart: fc.boolean(),
        lives: fc.array(life(), { minLength: 1, maxLength: 2 }),
      }),
      ({ service }, { cqe, queue, apart, lives }) => {
        const { prompt } = timingOf(profile);
        const resize = (entries: number): Step => ({ do: 'resize_cq', queue, cqe: entries });
        const play = (one: (typeof lives)[number]): Step[] => [
          ...(one.before === undefined ? [] : [resize(one.before)]),
          to(at, 'IBV_QPS_SQD'),
          ...one.sent.map((send) => post(at, wrOf(send))),
          ...receives(at, service, one.receives),
          to(at, 'IBV_QPS_ERR'),
          { do: 'sleep', us: prompt },
          ...one.while.map(resize),
          settle,
          query,
        ];
        const [first, ...others] = lives.map(play);
        const anew: Step[] = [to(at, 'IBV_QPS_RESET'), ...rts.map((state) => to(at, state))];
        return {
          cqe,
          ...(apart && { cqs: 'apart' as const }),
          steps: [...(first ?? []), ...others.flatMap((steps) => [...anew, ...steps])],
        };
      },
    ),
  aims: ['resize-cq-room', 'resize-cq-unpolled', 'create-cq-room'],
};

/** How many elements and inline bytes a work request of the scenario needs, so that the QP is asked for them. */
const needs = (profile: Profile) =>
  fc.record({
    sges: fewElements(profile),
    inline: fc.boolean(),
    room: fc.integer({ min: 1, max: 16 }),
    shared: fc.boolean(),
  });

export const room: SuiteProperty = {
  id: 'verbs/room',
  suite: 'verbs',
  requires: ['room-reports'],
  says: 'CQs, SRQs and queues of QPs have at least the room that was asked for.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      ['RC', 'UD'],
      needs(profile),
      ({ service }, { sges, inline, room: wqes, shared }) => ({
        cqe: wqes,
        srq: shared && profile.capabilities.includes('srq'),
        plan: { maxRecvWr: wqes, maxSendWr: wqes, maxSge: sges },
        steps: [
          to('responder', 'IBV_QPS_SQD'),
          post('responder', wrOf({ length: 8, signaled: true }, inline ? { inline: true } : { sges })),
          ...receives('responder', service, 1),
          settle,
          query,
        ],
      }),
    ),
  aims: ['create-cq-room', 'create-qp-room', 'create-qp-room-unused', 'create-srq-room'],
};
