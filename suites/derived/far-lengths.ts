import fc from 'fast-check';
import { fullAccess } from '../arbitraries/base.ts';
import { everyKind, message, packetsOf, send, type Message } from '../arbitraries/message.ts';
import { inject, packet, recv, recvs, settle } from '../arbitraries/packets.ts';
import { writeAccess } from '../arbitraries/unreliable.ts';
import { inRows, onGrid, pairs, range, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { Scenario } from '../scenario.ts';
import { scenarios } from '../rc-responder/parts.ts';
import { responders, ucMessage } from '../unreliable/uc-parts.ts';
import { packetsOfLong } from './long.ts';

/** Powers of two by which a RETH announces more than comes: nothing to a device that keeps fewer bits. */
const more: Grid<['write' | 'write-imm', number]> = {
  name: 'kind of WRITE, and how many bytes more its RETH announces',
  cells: () => pairs(['write', 'write-imm'] as const, [2 ** 16, 2 ** 8, 2 ** 12]),
  every: 2,
};

export const announcedFar: SuiteProperty = {
  id: 'rc-responder/announced-far-more',
  suite: 'rc-responder',
  says: 'A WRITE that announces a power of two more than it brings is refused, though the lower bits of both lengths are the same.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        one: onGrid(
          more,
          profile,
          fc.tuple(
            fc.constantFrom('write' as const, 'write-imm' as const),
            fc.constantFrom(2 ** 16, 2 ** 16, 2 ** 8, 2 ** 12),
          ),
        ),
        like: message(profile, ['write'], 2),
        rests: fc.boolean(),
        after: message(profile, everyKind, 1),
      }),
      ({ mtu }, { one: [kind, by], like, rests, after }) => {
        const m: Message = { ...like, kind, place: 'start' };
        const plans = packetsOf(m, mtu).map((plan) =>
          plan.target === undefined
            ? plan
            : { ...plan, target: { ...plan.target, length: plan.target.length + by } },
        );
        return {
          regions: [{ length: 2 ** 16 + 3 * mtu, access: fullAccess(profile), fill: 1 }],
          steps: [
            ...recvs(3, 3 * mtu),
            ...plans.flatMap((plan) => [inject(plan), ...(rests ? [settle] : [])]),
            settle,
            ...send(after, mtu),
            settle,
          ],
        };
      },
    ),
  grids: [more],
  aims: ['rc-length-wrong', 'rc-report-length-bound', 'rc-report-length-unbound'],
};

const kinds = ['send', 'write-imm', 'write', 'send-imm'] as const;

export const ucLongMessages: SuiteProperty = {
  id: 'uc/long-messages',
  suite: 'uc',
  requires: ['uc'],
  says: 'A message of more than 2^16 bytes is carried out to its last byte, and its completion tells all of them; with a packet lost it is given up.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        kind: fc.constantFrom(...kinds),
        // 256 packets are 2^16 bytes where the path MTU is 256
        count: fc.constantFrom(257, 300, 256, 128),
        rest: fc.constantFrom(8, 1, 256, 255),
        lost: fc.option(fc.integer({ min: 1, max: 127 }), { nil: undefined, freq: 4 }),
        after: ucMessage(profile, 2),
      }),
      ({ mtu }, { kind, count, rest, lost, after }) => {
        const plans = packetsOfLong(kind, count, rest, mtu);
        return {
          regions: [{ length: count * mtu, access: writeAccess, fill: 1 }],
          steps: [
            recv(count * mtu),
            recv(3 * mtu),
            ...plans.flatMap((plan, i) =>
              i === lost ? [] : [inject({ ...plan, psn: { from: 'start' as const, offset: i } })],
            ),
            settle,
            ...(lost === undefined ? send(after, mtu) : []),
            settle,
          ],
        };
      },
    ).map((scenario): Scenario =>
      scenario.mtu > 1024 && profile.pathMtus.includes(1024) ? { ...scenario, mtu: 1024 } : scenario,
    ),
  aims: ['uc-receive-length', 'unreliable-memory-written', 'uc-message-lost-packet'],
};

/** The highest bit says who is a full member of the partition. */
const rows = inRows(range(0, 14).toReversed(), 5);
const bits: Grid<readonly number[]> = {
  name: 'bits of the P_Key that differ, one by one',
  cells: () => rows,
};

export const pkeyBits: SuiteProperty = {
  id: 'rc-responder/pkey-bits',
  suite: 'rc-responder',
  says: 'A request whose P_Key differs from that of the QP in a single bit is dropped, whichever bit that is.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        row: onGrid(bits, profile, fc.constantFrom(...rows)),
        limited: fc.boolean(),
        flawed: message(profile, everyKind, 1),
        after: message(profile, everyKind, 1),
      }),
      ({ mtu }, { row, limited, flawed, after }) => {
        const own = limited ? 0x7fff : 0xffff;
        const [first] = packetsOf(flawed, mtu);
        return {
          steps: [
            ...recvs(2, 2 * mtu),
            ...row.flatMap((bit) =>
              first === undefined
                ? []
                : [inject({ ...first, defect: { kind: 'pkey', value: own ^ (1 << bit) } }), settle],
            ),
            ...send(after, mtu),
            inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } })),
            settle,
          ],
        };
      },
    ),
  grids: [bits],
  aims: ['rc-drop-pkey', 'rc-memory-refused'],
};
