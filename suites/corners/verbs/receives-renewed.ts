import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { inject, packet } from '../../arbitraries/packets.ts';
import { sharesReceives } from '../../arbitraries/shared.ts';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';
import { headerBytes, post, query, scenarios, wrOf, settle, type Service } from '../../verbs/parts.ts';

const at = 'responder';

/** The queue that receives are posted to. */
const queues: Grid<'own' | 'shared'> = {
  name: 'receive queue that is filled again and again',
  cells: (profile) => (profile.capabilities.includes('srq') ? ['own', 'shared'] : ['own']),
};

/** Bytes of each element. */
const each = 64;

function receive(service: Service, sges: number): Step {
  return { do: 'post_recv', at, length: sges * each + headerBytes[service], sges };
}

function send(bytes: number): Step[] {
  return [inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes } })), settle];
}

function services(profile: Profile, queue: 'own' | 'shared'): Service[] {
  const all = ['RC', 'UC', 'UD'] as const;
  return all.filter((service) => queue === 'own' || sharesReceives(profile, service));
}

export const receivesRenewed: SuiteProperty = {
  id: 'verbs/receives-renewed',
  suite: 'verbs',
  says: 'A receive has the elements of its own list, whatever stood in its place of the queue before.',
  arbitrary: (profile) =>
    anyCell(queues, profile).chain((queue) =>
      scenarios(
        profile,
        at,
        services(profile, queue),
        fc.record({
          room: fc.integer({ min: 1, max: 3 }),
          long: fc.integer({ min: 2, max: 4 }),
          short: fc.integer({ min: 1, max: 2 }),
          // a device may make more room than it was asked for
          rounds: fc.integer({ min: 2, max: 6 }),
          beyond: fc.constantFrom(1, 32, each),
        }),
        ({ service }, { room, long, short, rounds, beyond }) => {
          const few = Math.min(short, long - 1);
          const full = Array.from({ length: room * rounds }, (): Step[] => [
            receive(service, long),
            ...send(long * each),
          ]);
          return {
            srq: queue === 'shared',
            plan: { maxRecvWr: room, maxSge: long },
            steps: [
              ...full.flat(),
              receive(service, few),
              ...send(few * each),
              receive(service, few),
              ...send(few * each + beyond),
              query,
            ],
          };
        },
      ),
    ),
  grids: [queues],
  aims: ['rc-send-too-long', 'rc-receive-completes', 'uc-receive-completes', 'ud-receive-completes'],
};

export const sendsRenewed: SuiteProperty = {
  id: 'verbs/sends-renewed',
  suite: 'verbs',
  says: 'A message has the elements of its own list, whatever stood in its place of the send queue before.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      ['UC', 'UD'],
      fc.record({
        room: fc.integer({ min: 1, max: 3 }),
        long: fc.integer({ min: 2, max: 4 }),
        rounds: fc.integer({ min: 2, max: 6 }),
        few: fc.integer({ min: 1, max: 3 }),
      }),
      (_, { room, long, rounds, few }) => {
        const sent = (sges: number): Step[] => [
          post('requester', wrOf({ length: sges * each, signaled: true }, { sges })),
          settle,
        ];
        const full = Array.from({ length: room * rounds }, () => sent(long)).flat();
        return {
          plan: { maxSendWr: room, maxSge: long },
          steps: [...full, ...sent(Math.min(few, long - 1)), query],
        };
      },
    ),
  aims: ['unreliable-request-length', 'unreliable-request-payload'],
};
