import fc from 'fast-check';
import { inject, packet } from '../../arbitraries/packets.ts';
import { sharesReceives } from '../../arbitraries/shared.ts';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';
import { receives, scenarios, settle, type Service } from '../../verbs/parts.ts';

const at = 'responder';
const every: readonly Service[] = ['RC', 'UC', 'UD'];

/** Kinds of messages that take a receive WQE. */
const kinds = [
  'WRITE with immediate',
  'long WRITE with immediate',
  'SEND with immediate',
  'long SEND',
] as const;
type Kind = (typeof kinds)[number];

const taking: Grid<Kind> = {
  name: 'kind of message that takes the receive WQE below the limit of an SRQ',
  cells: () => kinds,
};

function message(service: Service, kind: Kind, pathMtu: number): Step[] {
  const bytes = { mtus: 0, bytes: 8 };
  const mtu = { mtus: 1, bytes: 0 };
  const immediate = 7;
  // a datagram is one packet, and no WRITE
  if (service === 'UD' || kind === 'SEND with immediate')
    return [inject(packet('SEND_ONLY_WITH_IMMEDIATE', { payload: bytes, immediate }))];
  const target = { region: 0, offset: 0, length: 8 };
  switch (kind) {
    case 'WRITE with immediate':
      return [inject(packet('RDMA_WRITE_ONLY_WITH_IMMEDIATE', { payload: bytes, immediate, target }))];
    case 'long WRITE with immediate':
      return [
        inject(packet('RDMA_WRITE_FIRST', { payload: mtu, target: { ...target, length: pathMtu + 8 } })),
        inject(packet('RDMA_WRITE_LAST_WITH_IMMEDIATE', { payload: bytes, immediate })),
      ];
    case 'long SEND':
      return [
        inject(packet('SEND_FIRST', { payload: mtu })),
        inject(packet('SEND_LAST', { payload: bytes })),
      ];
  }
}

export const srqLimitKinds: SuiteProperty = {
  id: 'verbs/srq-limit-kinds',
  suite: 'verbs',
  requires: ['srq'],
  says: 'The limit of an SRQ counts what is left, whichever kind of message has taken a receive WQE.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      every.filter((service) => sharesReceives(profile, service)),
      fc.record({
        kind: anyCell(taking, profile),
        room: fc.integer({ min: 2, max: 4 }),
        above: fc.nat(1),
      }),
      ({ service, mtu }, { kind, room, above }) => {
        const limit = Math.max(1, room - above);
        return {
          srq: true,
          plan: { maxRecvWr: room },
          steps: [
            ...receives(at, service, room, 2 * mtu),
            { do: 'modify_srq', limit },
            ...Array.from({ length: room - limit }, () => [...message(service, kind, mtu), settle]).flat(),
            // one more takes the SRQ below its limit
            ...message(service, kind, mtu),
            settle,
            { do: 'query_srq' },
          ],
        };
      },
    ),
  grids: [taking],
  aims: ['srq-limit-reached', 'srq-limit-too-early', 'srq-limit-disarmed'],
};
