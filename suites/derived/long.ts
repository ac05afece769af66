import fc from 'fast-check';
import { fullAccess, regionLength } from '../arbitraries/base.ts';
import {
  dataPackets,
  everyKind,
  message,
  packetsOf,
  send,
  takesReceive,
  type Message,
} from '../arbitraries/message.ts';
import { inject, packet, recv, settle } from '../arbitraries/packets.ts';
import { onGrid, pairs, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { PacketPlan, Scenario, Step } from '../scenario.ts';
import { scenarios } from '../rc-responder/parts.ts';

const kinds = ['send', 'write', 'write-imm', 'send-imm', 'read'] as const;
type Kind = (typeof kinds)[number];

/** Packets of a message, or responses to a READ: at a path MTU of 256, 256 of them are 2^16 bytes. */
const counts = [257, 128, 300, 255, 256, 129, 100] as const;

const longOnes: Grid<[Kind, number]> = {
  name: 'kind of message, and its packets',
  cells: () => pairs(kinds, counts.slice(0, 3)),
};

/** The requests of a message of so many packets, the last one of `rest` bytes. */
export function packetsOfLong(kind: Kind, count: number, rest: number, mtu: number): PacketPlan[] {
  const target = { region: 0, offset: 0, length: (count - 1) * mtu + rest };
  if (kind === 'read') return [packet('RDMA_READ_REQUEST', { target })];
  return dataPackets({ kind, ackReq: 'last', immediate: 0x01020304 }, mtu, target.length, target, count);
}

/** What comes in the middle of a long message: nothing, a repeat of what came last, a packet beyond the next one, a rest. */
type Incident = 'none' | 'repeat' | 'gap' | 'rest';

export const longMessages: SuiteProperty = {
  id: 'rc-responder/long-messages',
  suite: 'rc-responder',
  says: 'A message of hundreds of packets is carried out to its last byte, and a READ is answered by as many.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        one: onGrid(longOnes, profile, fc.tuple(fc.constantFrom(...kinds), fc.constantFrom(...counts))),
        rest: fc.constantFrom(8, 1, 256, 255),
        incident: fc.constantFrom<Incident>('none', 'repeat', 'gap', 'rest'),
        at: fc.integer({ min: 1, max: 99 }),
        after: message(profile, everyKind, 1),
      }),
      ({ mtu }, { one: [kind, count], rest, incident, at: share, after }) => {
        const all = packetsOfLong(kind, count, rest, mtu).map(inject);
        const cut = Math.ceil((share * all.length) / 100);
        const repeated: Step = { do: 'reinject', back: Math.min(2, cut - 1) };
        const beyond = inject(
          packet('SEND_ONLY', { psn: { from: 'next', offset: 3 }, payload: { mtus: 0, bytes: 4 } }),
        );
        const between: Step[] =
          incident === 'none'
            ? []
            : incident === 'rest'
              ? [settle]
              : [settle, incident === 'gap' ? beyond : repeated, settle];
        return {
          regions: [{ length: count * mtu, access: fullAccess(profile), fill: 1 }],
          steps: [
            recv(count * mtu),
            recv(2 * mtu),
            ...all.slice(0, cut),
            ...between,
            ...all.slice(cut),
            settle,
            ...packetsOf(after, mtu, regionLength(mtu)).map(inject),
            settle,
          ],
        };
      },
    ).map((scenario): Scenario =>
      scenario.mtu > 1024 && profile.pathMtus.includes(1024) ? { ...scenario, mtu: 1024 } : scenario,
    ),
  grids: [longOnes],
  aims: ['rc-memory-written', 'rc-receive-length', 'rc-read-data', 'rc-send-complete-asked'],
};

/** Receive WQEs that are posted at a time, and room of the queue. */
const batch = 8;

/** Messages, beyond 2^6 and 2^8 of them. */
const totals = [70, 260, 130] as const;
/** Waits for rest in a case on a real clock, where each takes the response time. */
const mostRests = 40;

export const manyMessages: SuiteProperty = {
  id: 'rc-responder/many-messages',
  suite: 'rc-responder',
  says: 'Hundreds of messages are carried out one after the other, and counted, while the receive queue goes round.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        some: fc.array(message(profile, everyKind, 1), { minLength: 1, maxLength: 5, size: 'max' }),
        total: fc.constantFrom(...totals),
        // packets whose answers are waited for together
        each: profile.clock === 'virtual' ? fc.constantFrom(batch, 1, 3) : fc.constant(batch),
        again: fc.boolean(),
      }),
      ({ mtu, maxDestRdAtomic }, { some, total, each, again }) => {
        const small = some.map((m): Message => ({
          ...m,
          size: { mtus: 0, bytes: Math.max(0, m.size.bytes) },
        }));
        const together = Math.max(1, Math.min(each, maxDestRdAtomic));
        const most = profile.clock === 'virtual' ? total : Math.min(total, mostRests * together);
        const all = Array.from({ length: most }, (_, i) => small[i % small.length]).filter(
          (m) => m !== undefined,
        );
        const rounds = Array.from({ length: Math.ceil(total / together) }, (_, i) =>
          all.slice(i * together, (i + 1) * together),
        );
        return {
          steps: rounds.flatMap((round, i): Step[] => [
            ...round.filter(({ kind }) => takesReceive(kind)).map(() => recv(mtu)),
            ...round.flatMap((m) => send(m, mtu)),
            settle,
            ...(again && i % 16 === 15 ? [{ do: 'reinject' as const, back: 0 }, settle] : []),
          ]),
        };
      },
    ).map((scenario): Scenario => ({ ...scenario, responder: { ...scenario.responder, maxRecvWr: batch } })),
  aims: ['rc-msn-counts-messages', 'rc-receive-order', 'rc-ack-credits'],
};
