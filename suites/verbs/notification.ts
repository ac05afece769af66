import fc from 'fast-check';
import { inject, packet } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { timingOf } from '../rc-requester/timing.ts';
import type { Step } from '../scenario.ts';
import { post, query, receives, scenarios, settle, to, wrOf } from './parts.ts';
import type { Service } from './parts.ts';

const every: readonly Service[] = ['RC', 'UC', 'UD'];
const at = 'responder';

type Queue = Extract<Step, { do: 'req_notify_cq' }>['queue'];

/** What comes to the CQs between two rests. */
type Round =
  | { kind: 'nothing' }
  | { kind: 'messages'; solicited: boolean[] }
  | { kind: 'send' }
  | { kind: 'errors'; sends: number; receives: number };

/** How a CQ is armed in a round: when, and how often. */
interface Armed {
  queue: Queue;
  /** for each call, whether it asks for solicited completions alone */
  solicitedOnly: boolean[];
  when: 'before' | 'under-way' | 'with-completions';
  /** something is sent behind the calls */
  sends: boolean;
}

function armed(): fc.Arbitrary<Armed> {
  return fc.record({
    queue: fc.constantFrom<Queue>('receive', 'send'),
    solicitedOnly: fc.array(fc.boolean(), { minLength: 1, maxLength: 2 }),
    when: fc.oneof(
      { weight: 4, arbitrary: fc.constant('before' as const) },
      fc.constantFrom('under-way' as const, 'with-completions' as const),
    ),
    sends: fc.boolean(),
  });
}

function round(): fc.Arbitrary<Round> {
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .array(fc.boolean(), { minLength: 1, maxLength: 3 })
        .map((solicited): Round => ({ kind: 'messages', solicited })),
    },
    { weight: 2, arbitrary: fc.constant<Round>({ kind: 'send' }) },
    fc.constant<Round>({ kind: 'nothing' }),
  );
}

function arming({ queue, solicitedOnly }: Armed): Step[] {
  return solicitedOnly.map((only) => ({
    do: 'req_notify_cq' as const,
    queue,
    ...(only && { solicitedOnly: true as const }),
  }));
}

export const notification: SuiteProperty = {
  id: 'verbs/notification',
  suite: 'verbs',
  requires: ['cq-events'],
  says: 'A CQ that is armed brings one event for the next completion that software waits for, and none before or behind it.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      every,
      fc.record({
        apart: fc.boolean(),
        rounds: fc.array(
          fc.record({ round: round(), armed: fc.option(armed(), { nil: undefined, freq: 5 }) }),
          { minLength: 1, maxLength: 4 },
        ),
        last: fc.option(
          fc.record({ armed: armed(), sends: fc.nat(2), receives: fc.integer({ min: 1, max: 2 }) }),
          { nil: undefined, freq: 2 },
        ),
      }),
      ({ service }, { apart, rounds, last }) => {
        const us = timingOf(profile).prompt;
        const sent = (): Step => post(at, wrOf({ length: 8, signaled: true }));
        const comes = (what: Round): Step[] => {
          switch (what.kind) {
            case 'nothing':
              return [];
            case 'messages':
              return what.solicited.map((solicited) =>
                inject({ ...packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } }), solicited }),
              );
            case 'send':
              // nobody answers here, so that an RC QP would wait for ever
              return service === 'RC' ? [] : [sent()];
            case 'errors':
              return [to(at, 'IBV_QPS_ERR'), ...Array.from({ length: what.sends }, sent)];
          }
        };
        const play = (what: Round, how: Armed | undefined): Step[] => {
          const prepared =
            what.kind === 'messages'
              ? receives(at, service, what.solicited.length)
              : what.kind === 'errors'
                ? receives(at, service, what.receives)
                : [];
          if (how === undefined) return [...prepared, settle, ...comes(what), settle];
          const arms = arming(how);
          const behind = how.sends && service !== 'RC' && what.kind !== 'errors' ? [sent()] : [];
          switch (how.when) {
            case 'before':
              return [...prepared, settle, ...arms, ...comes(what), settle];
            case 'under-way':
              return [...prepared, settle, ...comes(what), ...arms, ...behind, settle];
            case 'with-completions':
              return [...prepared, settle, ...comes(what), { do: 'sleep', us }, ...arms, ...behind, settle];
          }
        };
        const end: Step[] =
          last === undefined
            ? []
            : play({ kind: 'errors', sends: last.sends, receives: last.receives }, last.armed);
        return {
          ...(apart && { cqs: 'apart' as const }),
          steps: [...rounds.flatMap((one) => play(one.round, one.armed)), ...end, query],
        };
      },
    ),
  aims: [
    'cq-event-unasked',
    'cq-event-once',
    'cq-event-due',
    'cq-event-due-error',
    'cq-event-due-solicited',
    'cq-event-solicited-only',
    'cq-event-new',
  ],
};
