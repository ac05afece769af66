import fc from 'fast-check';
import { inject, packet } from '../../arbitraries/packets.ts';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';
import { post, query, receives, scenarios, settle, to, wrOf } from '../../verbs/parts.ts';

const at = 'responder';

/** What comes to an armed CQ and is not solicited. */
const passing = ['nothing', 'message', 'messages', 'send'] as const;
/** What is. */
const solicited = ['message', 'failed send', 'flushed receive'] as const;

const awaited: Grid<[(typeof passing)[number], (typeof solicited)[number]]> = {
  name: 'what passes a CQ that is armed for solicited completions, and the one that brings its event',
  cells: () => pairs(passing, solicited),
};

function message(asks: boolean): Step {
  return inject({ ...packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } }), solicited: asks });
}

export const solicitedAwaited: SuiteProperty = {
  id: 'verbs/solicited-awaited',
  suite: 'verbs',
  requires: ['cq-events'],
  says: 'A CQ that is armed for solicited completions stays so, whatever else comes, until the first one that is solicited or reports an error.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      ['UC', 'UD'],
      fc.record({ cell: anyCell(awaited, profile), apart: fc.boolean(), rests: fc.boolean() }),
      ({ service, mtu }, { cell: [passes, comes], apart, rests }) => {
        const send = (localFault?: 'lkey'): Step =>
          post(at, wrOf({ length: 8, signaled: true }, localFault && { localFault }));
        const unsolicited: Readonly<Record<(typeof passing)[number], Step[]>> = {
          nothing: [],
          message: [message(false)],
          messages: [message(false), settle, message(false)],
          send: [send()],
        };
        const events: Readonly<Record<(typeof solicited)[number], Step>> = {
          message: message(true),
          'failed send': send('lkey'),
          'flushed receive': to(at, 'IBV_QPS_ERR'),
        };
        const queues = apart ? (['receive', 'send'] as const) : (['receive'] as const);
        return {
          ...(apart && { cqs: 'apart' as const }),
          steps: [
            ...receives(at, service, 3, mtu + 8),
            settle,
            ...queues.map((queue): Step => ({ do: 'req_notify_cq', queue, solicitedOnly: true })),
            ...unsolicited[passes],
            ...(rests ? [settle] : []),
            events[comes],
            settle,
            query,
          ],
        };
      },
    ),
  grids: [awaited],
  aims: ['cq-event-due-solicited', 'cq-event-due-error', 'cq-event-solicited-only'],
};
