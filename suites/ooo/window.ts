import fc from 'fast-check';
import { settle } from '../arbitraries/packets.ts';
import { anyCell, pairs, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step, WrPlan } from '../scenario.ts';
import { message, packetsOf, receivesOf, type Message } from './messages.ts';
import { arrival, cyclic, order } from './order.ts';
import { common, limitsOf, scenarios } from './parts.ts';
import { posts } from './requester.ts';

/** Packets that a scenario sends at most, however wide the window or the cap is. */
const mostPackets = 160;

export const windowMoves: SuiteProperty = {
  ...common,
  id: 'ooo/window-moves',
  says: 'A window that moves on by more than its length takes each packet for what it is, whatever came in its place before.',
  arbitrary: (profile) => {
    const { window } = limitsOf(profile);
    return scenarios(
      profile,
      'responder',
      fc.record({
        drawn: fc.array(message(profile, ['write', 'write', 'send', 'write-imm'], 1), {
          minLength: 1,
          maxLength: 4,
          size: 'max',
        }),
        more: fc.integer({ min: 1, max: 12 }),
        chosen: order(Math.max(1, Math.min(8, window - 1))),
      }),
      ({ mtu }, { drawn, more, chosen }) => {
        const count = Math.min(Math.ceil(1.2 * window) + more, mostPackets);
        const all = Array.from({ length: count }, (_, i): Message => ({
          ...(cyclic(drawn, i) ?? drawn[0]!),
          size: { mtus: 0, bytes: 4 },
          place: i / count,
        }));
        return { steps: [...receivesOf(all, mtu), ...arrival(packetsOf(all, mtu), chosen), settle] };
      },
    );
  },
  aims: ['ooo-arrival-new', 'ooo-ack-cumulative', 'ooo-memory-whole', 'ooo-completion-owed'],
};

export const capFilled: SuiteProperty = {
  ...common,
  id: 'ooo/requester-cap-filled',
  says: 'As many packets leave as the cap allows while nothing is acknowledged, and as many more as are acknowledged then.',
  arbitrary: (profile) => {
    const { cap } = limitsOf(profile);
    return scenarios(
      profile,
      'requester',
      fc.record({
        lengths: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4, size: 'max' }),
        sends: fc.array(fc.boolean(), { minLength: 1, maxLength: 3, size: 'max' }),
        more: fc.integer({ min: -2, max: 8 }),
        acknowledged: fc.option(fc.nat(5), { nil: undefined }),
      }),
      ({ mtu }, { lengths, sends, more, acknowledged }) => {
        const total = Math.min(Math.max(1, cap + more), mostPackets);
        const wrs: WrPlan[] = [];
        for (let sent = 0, i = 0; sent < total; i++) {
          const packets = Math.min(cyclic(lengths, i) ?? 1, total - sent);
          wrs.push({
            opcode: cyclic(sends, i) === true ? 'IBV_WR_SEND' : 'IBV_WR_RDMA_WRITE',
            length: packets * mtu,
            region: 0,
            // Apart, so that no fence holds one back for another.
            offset: sent * mtu,
            signaled: true,
          });
          sent += packets;
        }
        const upTo = Math.min(acknowledged ?? 0, total - 1, cap - 1);
        const acks: Step[] =
          acknowledged === undefined
            ? []
            : [
                {
                  do: 'respond',
                  packet: { reply: { kind: 'ack' }, psn: { from: 'start', offset: upTo } },
                },
                settle,
              ];
        return {
          scripted: true,
          regions: [{ length: total * mtu, access: ['IBV_ACCESS_REMOTE_WRITE'], fill: 1 }],
          steps: [...posts(wrs), { do: 'await', packets: Math.min(total, cap), us: 50 }, settle, ...acks],
        };
      },
    );
  },
  aims: ['ooo-send-owed', 'ooo-window-full', 'ooo-window-open'],
};

type Rto = ReturnType<typeof limitsOf>['rto'];

/** How long nobody answers, in nanoseconds: behind one timeout of either kind, or several. */
const waits = {
  highs: ({ low, high }: Rto): number => 4.5 * high + low,
  lows: ({ low }: Rto): number => 4.5 * low,
  high: ({ high }: Rto): number => 1.5 * high,
  low: ({ low }: Rto): number => 1.5 * low,
};

const silences: Grid<[keyof typeof waits, number]> = {
  name: 'how long nobody answers, and timeout',
  cells: () => pairs(['highs', 'lows', 'high', 'low'] as const, [14, 0, 1]),
};

export const silence: SuiteProperty = {
  ...common,
  id: 'ooo/requester-silence',
  says: 'Where nobody answers, the oldest packet is sent again after the timeout that goes with the number of packets in flight.',
  arbitrary: (profile) => {
    const { cap, rto } = limitsOf(profile);
    return scenarios(
      profile,
      'requester',
      fc.record({
        more: fc.constantFrom(0, -1, 1, -2, 3),
        single: fc.boolean(),
        cell: anyCell(silences, profile),
        retryCnt: fc.constantFrom(3, 1, 7, 0),
      }),
      ({ mtu }, { more, single, cell: [waited, timeout], retryCnt }) => {
        const wait = Math.ceil(waits[waited](rto) / 1000);
        const packets = Math.max(1, Math.min(rto.few + more, cap, mostPackets));
        const length = single ? mtu : packets * mtu;
        const wr: WrPlan = { opcode: 'IBV_WR_SEND', length, region: 0, offset: 0, signaled: true };
        return {
          scripted: true,
          timeout,
          retryCnt,
          steps: [
            ...posts(Array.from({ length: single ? packets : 1 }, () => wr)),
            { do: 'await', packets, us: 50 },
            { do: 'sleep', us: wait },
            settle,
          ],
        };
      },
    );
  },
  grids: [silences],
  aims: [
    'ooo-timer-high-early',
    'ooo-timer-low-early',
    'ooo-timer-low-overdue',
    'ooo-timer-high-overdue',
    'ooo-timer-disabled',
    'ooo-failed-retries',
  ],
};
