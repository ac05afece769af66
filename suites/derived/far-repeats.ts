import fc from 'fast-check';
import { fullAccess, hasAtomics } from '../arbitraries/base.ts';
import { everyKind, message, packetsOf, psnsOf, send, type Message } from '../arbitraries/message.ts';
import { inject, packet, recvs, settle } from '../arbitraries/packets.ts';
import { onGrid, pairs, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { PacketPlan, Step } from '../scenario.ts';
import { scenarios } from '../rc-responder/parts.ts';

/** How far a PSN is from that of a request: powers of two, which are nothing to a device that keeps fewer bits. */
const distances = [-(2 ** 16), -(2 ** 8), 2 ** 16, -(2 ** 20), -(2 ** 12), 2 ** 8, -(2 ** 22)] as const;

const kinds = ['read', 'fetch-add', 'cmp-swap', 'send', 'write', 'write-imm'] as const;

const apart: Grid<[Message['kind'], number]> = {
  name: 'kind of request, and how far away its PSN comes once more',
  cells: (profile) =>
    pairs(
      kinds.filter((kind) => hasAtomics(profile) || !['fetch-add', 'cmp-swap'].includes(kind)),
      distances,
    ),
};

export const farRepeats: SuiteProperty = {
  id: 'rc-responder/far-repeats',
  suite: 'rc-responder',
  says: 'A request whose PSN has its lower bits in common with one that was carried out is none of its repeats.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        one: onGrid(
          apart,
          profile,
          fc.tuple(fc.constantFrom(...kinds.slice(0, 1), ...kinds.slice(3)), fc.constantFrom(...distances)),
        ),
        like: message(profile, ['send'], 2),
        between: fc.array(message(profile, everyKind, 1), { maxLength: 1 }),
        looks: fc.boolean(),
        after: message(profile, everyKind, 1),
      }),
      ({ mtu }, { one: [kind, by], like, between, looks, after }) => {
        const m: Message = { ...like, kind };
        const own = packetsOf(m, mtu);
        const placed = own.map((plan, i): PacketPlan => ({ ...plan, psn: { from: 'start', offset: i } }));
        const far = own.map((plan, i): PacketPlan => ({
          ...plan,
          ackReq: true,
          psn: { from: 'start', offset: i + by },
        }));
        const behind = psnsOf(m, mtu);
        const later = between.flatMap((b) => packetsOf(b, mtu));
        const look = packet('RDMA_READ_REQUEST', { target: { region: 0, offset: 0, length: 8 } });
        return {
          regions: [{ length: 3 * mtu, access: fullAccess(profile), fill: 1 }],
          steps: [
            ...recvs(4, 3 * mtu),
            ...placed.map(inject),
            settle,
            ...later.map((plan, i) => inject({ ...plan, psn: { from: 'start', offset: behind + i } })),
            settle,
            ...far.map(inject),
            settle,
            ...(looks ? [inject(look), settle] : []),
            ...send(after, mtu),
            settle,
          ] satisfies Step[],
        };
      },
    ),
  grids: [apart],
  aims: [
    'rc-duplicate-atomic-unrecorded',
    'rc-duplicate-read-unrecorded',
    'rc-duplicate-send-write-asked',
    'rc-request-ahead',
  ],
};
