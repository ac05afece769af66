import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { inject, packet } from '../../arbitraries/packets.ts';
import { sharesReceives } from '../../arbitraries/shared.ts';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';
import { headerBytes, query, scenarios, settle, type Service } from '../../verbs/parts.ts';

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
