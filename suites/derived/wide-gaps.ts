import fc from 'fast-check';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { PacketPlan, Step, WrPlan } from '../scenario.ts';
import {
  dataKinds,
  everyKind,
  message,
  packetsOf,
  receivesOf,
  waits,
  type Message,
} from '../ooo/messages.ts';
import { cyclic, permuted } from '../ooo/order.ts';
import { common, limitsOf, ms, scenarios, smallestMtu } from '../ooo/parts.ts';
import { finished } from '../ooo/requester.ts';

/** Packets behind a gap at most, however wide the window is. */
const mostBehind = 80;

export const wideGaps: SuiteProperty = {
  ...common,
  id: 'ooo/wide-gaps',
  says: 'A packet that fills a gap has all packets behind it pass, up to a whole window of them, whatever they are and in whatever order they came.',
  arbitrary: (profile) => {
    const { window } = limitsOf(profile);
    return scenarios(
      profile,
      'responder',
      fc.record({
        drawn: fc.array(message(profile, [...dataKinds, ...everyKind], 3), {
          minLength: 1,
          maxLength: 4,
          size: 'max',
        }),
        fills: fc.constantFrom(1, 0.8, 0.5, 1),
        late: fc.array(fc.nat(12), { minLength: 1, maxLength: 5, size: 'max' }),
        rounds: fc.constantFrom(1, 2),
        again: fc.boolean(),
      }),
      ({ mtu, depth }, { drawn, fills, late, rounds, again }) => {
        const room = Math.max(2, Math.min(mostBehind, Math.floor(fills * window)));
        const all: Message[] = [];
        let reads = 0;
        for (let packets = 0, i = 0; packets < rounds * room; i++) {
          const m = cyclic(drawn, i);
          if (m === undefined) break;
          const short = { ...m, size: { ...m.size, mtus: Math.min(1, m.size.mtus) } };
          const one: Message = waits(m) && ++reads > depth ? { ...short, kind: 'write' } : short;
          all.push(one);
          packets = packetsOf(all, mtu).length;
        }
        const packets = packetsOf(all, mtu);
        const inject = (packet: PacketPlan): Step => ({ do: 'inject', packet });
        const steps = Array.from({ length: Math.ceil(packets.length / room) }, (_, i): Step[] => {
          const [first, ...behind] = packets.slice(i * room, (i + 1) * room);
          return [
            ...permuted(behind, { late }).map(inject),
            settle,
            ...(first === undefined ? [] : [inject(first)]),
            ...(again ? [{ do: 'reinject' as const, back: 1 }] : []),
            settle,
          ];
        }).flat();
        return { steps: [...receivesOf(all, mtu), ...steps] };
      },
    );
  },
  aims: ['ooo-ack-cumulative', 'ooo-completion-owed', 'ooo-memory-whole', 'ooo-arrival-new'],
};

/** Bytes of which the offset of a packet has more than 16 bits. */
const beyond16Bits = 2 ** 16;

export const oooLongRequests: SuiteProperty = {
  ...common,
  id: 'ooo/requester-long-messages',
  says: 'Packets of messages of more than 2^16 bytes say where they belong, and what comes back is placed there.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        kind: fc.constantFrom<WrPlan['opcode']>(
          'IBV_WR_RDMA_WRITE',
          'IBV_WR_SEND',
          'IBV_WR_RDMA_READ',
          'IBV_WR_RDMA_WRITE_WITH_IMM',
        ),
        more: fc.constantFrom(8, 1, 4096, 5000),
        followed: fc.boolean(),
      }),
      (_chosen, { kind, more, followed }) => {
        const mtu = Math.max(...profile.pathMtus);
        const length = beyond16Bits + Math.max(more, smallestMtu(profile));
        const wr: WrPlan = { opcode: kind, length, region: 0, offset: 0, signaled: true };
        const next: WrPlan = { ...wr, opcode: 'IBV_WR_SEND', length: 8 };
        return {
          mtu: mtu as (typeof profile.pathMtus)[number],
          regions: [
            {
              length,
              access: ['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_REMOTE_WRITE', 'IBV_ACCESS_REMOTE_READ'],
              fill: 1,
            },
          ],
          steps: finished(followed ? [wr, next] : [wr], 20 * ms),
        };
      },
    ),
  aims: ['ooo-request-offset', 'ooo-request-payload', 'ooo-memory-fetched'],
};
