import fc from 'fast-check';
import type { SuiteProperty } from '../property.ts';
import { inject, packet } from '../arbitraries/packets.ts';
import type { Step } from '../scenario.ts';
import { query, receive, scenarios, settle } from './parts.ts';

const asked: Step = { do: 'query_gid' };

/** An address that no QP uses comes and goes, with a message of a few bytes between. */
export const gids: SuiteProperty = {
  id: 'verbs/gids',
  suite: 'verbs',
  requires: ['gid-events'],
  says: 'An address that the port gets or loses is reported by an event and by ibv_query_gid, and leaves QPs as they are.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      ['RC', 'UC', 'UD'],
      fc.record({
        changes: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
        asks: fc.boolean(),
        arrives: fc.boolean(),
      }),
      ({ service }, { changes, asks, arrives }) => ({
        steps: [
          asked,
          receive('responder', service),
          ...[true, ...changes, false].flatMap((present): Step[] => [
            { do: 'gid', present },
            ...(asks ? [asked] : []),
            settle,
            asked,
          ]),
          settle,
          ...(arrives
            ? [inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } })), settle, query]
            : []),
        ],
      }),
    ),
  aims: [
    'gid-change-raised',
    'gid-change-undue',
    'gid-added-listed',
    'gid-removed-absent',
    'pkey-change-undue',
  ],
};
