import fc from 'fast-check';
import { inject, packet } from '../arbitraries/packets.ts';
import { cellOf, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import { timingOf } from '../rc-requester/timing.ts';
import type { PacketPlan, Step } from '../scenario.ts';
import { post, query, receive, receives, scenarios, settle, to, wrOf } from './parts.ts';
import type { Service } from './parts.ts';

const every: readonly Service[] = ['RC', 'UC', 'UD'];
const at = 'responder';

type Queue = Extract<Step, { do: 'req_notify_cq' }>['queue'];

/** A message that takes a receive WQE; a datagram is always a SEND of one packet. */
interface Message {
  solicited: boolean;
  form: 'send' | 'long-send' | 'write-imm';
}

/** What comes to the CQs between two rests. */
type Round =
  | { kind: 'nothing' }
  | { kind: 'messages'; messages: Message[] }
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

/** Forms of a solicited message for which a CQ is armed that waits for solicited ones alone. Dice seldom bring all of that together. */
const awaited: Grid<Message['form']> = {
  name: 'awaited messages',
  cells: () => ['long-send', 'write-imm'],
  every: 2,
};

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
        .array(
          fc.record({
            solicited: fc.boolean(),
            form: fc.oneof(
              { weight: 2, arbitrary: fc.constant<Message['form']>('send') },
              fc.constantFrom<Message['form']>('long-send', 'write-imm'),
            ),
          }),
          { minLength: 1, maxLength: 3 },
        )
        .map((messages): Round => ({ kind: 'messages', messages })),
    },
    { weight: 2, arbitrary: fc.constant<Round>({ kind: 'send' }) },
    fc.constant<Round>({ kind: 'nothing' }),
  );
}

/** The packets of a message of 8 bytes, or of 8 bytes more than the path MTU. The last one asks for the event. */
function packetsOf(service: Service, { solicited, form }: Message): PacketPlan[] {
  const payload = { mtus: 0, bytes: 8 };
  if (service === 'UD' || form === 'send') return [{ ...packet('SEND_ONLY', { payload }), solicited }];
  if (form === 'long-send')
    return [
      packet('SEND_FIRST', { payload: { mtus: 1, bytes: 0 } }),
      { ...packet('SEND_LAST', { payload }), solicited },
    ];
  const target = { region: 0, offset: 0, length: 8, rkey: 'good' as const };
  return [{ ...packet('RDMA_WRITE_ONLY_WITH_IMMEDIATE', { payload, target, immediate: 7 }), solicited }];
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
        form: cellOf(awaited, profile),
        rounds: fc.array(
          fc.record({ round: round(), armed: fc.option(armed(), { nil: undefined, freq: 5 }) }),
          { minLength: 1, maxLength: 4 },
        ),
        last: fc.option(
          fc.record({ armed: armed(), sends: fc.nat(2), receives: fc.integer({ min: 1, max: 2 }) }),
          { nil: undefined, freq: 2 },
        ),
      }),
      ({ service, mtu }, { apart, form, rounds, last }) => {
        const us = timingOf(profile).prompt;
        const sent = (): Step => post(at, wrOf({ length: 8, signaled: true }));
        const comes = (what: Round): Step[] => {
          switch (what.kind) {
            case 'nothing':
              return [];
            case 'messages':
              return what.messages.flatMap((message) => packetsOf(service, message).map(inject));
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
              ? what.messages.map(() => receive(at, service, mtu + 8))
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
        const begin: Step[] =
          form === undefined
            ? []
            : play(
                { kind: 'messages', messages: [{ solicited: true, form }] },
                { queue: 'receive', solicitedOnly: [true], when: 'before', sends: false },
              );
        const end: Step[] =
          last === undefined
            ? []
            : play({ kind: 'errors', sends: last.sends, receives: last.receives }, last.armed);
        return {
          ...(apart && { cqs: 'apart' as const }),
          steps: [...begin, ...rounds.flatMap((one) => play(one.round, one.armed)), ...end, query],
        };
      },
    ),
  grids: [awaited],
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
