import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { inject, packet, recv } from '../../arbitraries/packets.ts';
import { sharesReceives } from '../../arbitraries/shared.ts';
import { asMember, oneByOne, sideBySide } from '../../beside.ts';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';
import { chosen, query, settle, to, verbsScenario, type Service } from '../../verbs/parts.ts';

const at = 'responder';

const events = ['message', 'messages', 'failure', 'reset'] as const;
type Event = (typeof events)[number];

const meanwhile: Grid<Event> = {
  name: 'what happens to another QP of an SRQ while a message is under way',
  cells: () => events,
};

const message: Step[] = [inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } })), settle];

function stepsOf(event: Event): Step[] {
  switch (event) {
    case 'message':
      return message;
    case 'messages':
      return [...message, ...message];
    case 'failure':
      return [to(at, 'IBV_QPS_ERR'), settle];
    case 'reset':
      return [to(at, 'IBV_QPS_RESET'), settle];
  }
}

function users(profile: Profile, among: readonly Service[]): Service[] {
  return among.filter((service) => service === 'RC' || sharesReceives(profile, service));
}

/** A message of one QP is under way, something comes to another one, and the SRQ is filled up. */
export const srqInUse: SuiteProperty = {
  id: 'device/srq-in-use',
  suite: 'device',
  requires: ['srq'],
  qps: 2,
  says: 'A receive WQE that a message has begun with stays as it is, and the limit of its SRQ stays set, whatever comes to another QP.',
  arbitrary: (profile) =>
    fc
      .record({
        own: chosen(profile, users(profile, ['RC', 'UC'])),
        other: chosen(profile, users(profile, ['RC', 'UC', 'UD'])),
        event: anyCell(meanwhile, profile),
        posted: fc.integer({ min: 3, max: 4 }),
        later: fc.integer({ min: 1, max: 2 }),
        // most often it is still to be reached
        limit: fc.constantFrom(1, 2, 1, 3),
        more: fc.nat(4),
      })
      .map(({ own, other, event, posted, later, limit, more }) => {
        const receive = recv(2 * Math.max(own.mtu, other.mtu) + 64);
        const begin: Step[] = [
          ...Array.from({ length: posted }, () => receive),
          { do: 'modify_srq', limit },
          inject(packet('SEND_FIRST', { payload: { mtus: 1, bytes: 0 } })),
          settle,
        ];
        const rest: Step[] = [
          ...Array.from({ length: later }, () => receive),
          inject(packet('SEND_LAST', { payload: { mtus: 0, bytes: 16 } })),
          settle,
          ...Array.from({ length: more }, () => message).flat(),
          { do: 'query_srq' },
          query,
        ];
        const comes = stepsOf(event);
        const made = [
          {
            member: asMember(verbsScenario(profile, at, own, { srq: true, steps: [...begin, ...rest] })),
            begins: begin.length,
          },
          {
            member: asMember(verbsScenario(profile, at, other, { srq: true, steps: comes })),
            begins: comes.length,
          },
        ];
        return sideBySide(
          made.map(({ member }) => member),
          { order: oneByOne(made), share: ['srq'] },
        );
      }),
  grids: [meanwhile],
  aims: ['rc-receive-completes', 'rc-memory-written', 'srq-limit-reached', 'unreliable-receive-order'],
};
