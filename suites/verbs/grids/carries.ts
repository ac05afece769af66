import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { fullAccess, hasAtomics } from '../../arbitraries/base.ts';
import { dataPackets } from '../../arbitraries/message.ts';
import { inject, packet } from '../../arbitraries/packets.ts';
import { onGrid, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { answer, type Work } from '../../rc-requester/parts.ts';
import type { PacketPlan, Step, WrPlan } from '../../scenario.ts';
import { post, query, scenarios, settle } from '../parts.ts';

/** An address whose lower 32 bits are 0, by its upper ones. */
function boundary(): fc.Arbitrary<bigint> {
  return fc.constantFrom(7n, 1n, 0xffffn, 0x8000_0000n).map((upper) => upper << 32n);
}

/** Bytes of a region on either side of the boundary: more than two of the longest packets. */
const half = 12_288;

/** Where the boundary lies in the memory that a request names: within its first packet, between two, within the second. */
const spots = ['within the first packet', 'between two packets', 'within the second packet'] as const;
type Spot = (typeof spots)[number];

function bytesBefore(spot: Spot, mtu: number): number {
  switch (spot) {
    case 'within the first packet':
      return mtu / 2;
    case 'between two packets':
      return mtu;
    case 'within the second packet':
      return mtu + mtu / 2;
  }
}

/** The packets of a SEND or WRITE, which asks for an acknowledgement at its end. */
function segments(kind: 'send' | 'write', length: number, mtu: number, offset = 0): PacketPlan[] {
  return dataPackets({ kind, ackReq: 'last' }, mtu, length, { region: 0, offset, length });
}

const operations = ['write', 'read'] as const;
const crossed: Grid<[(typeof operations)[number], Spot]> = {
  name: 'request that crosses a multiple of 2^32, and where',
  cells: () => pairs(operations, spots),
};

export const carries: SuiteProperty = {
  id: 'verbs/memory-across-4-gib',
  suite: 'verbs',
  requires: ['iova'],
  says: 'Requests whose memory crosses a multiple of 2^32 touch the bytes behind it as well as those before.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      ['RC', 'UC'],
      fc.record({
        cell: onGrid(crossed, profile, fc.tuple(fc.constantFrom(...operations), fc.constantFrom(...spots))),
        place: boundary(),
        packets: fc.constantFrom(2, 3),
        rest: fc.constantFrom(8, 1, 64),
        look: fc.boolean(),
      }),
      ({ service, mtu }, { cell: [asked, spot], place, packets, rest, look }) => {
        const operation = service === 'RC' ? asked : 'write';
        const offset = half - bytesBefore(spot, mtu);
        const bytes = packets * mtu + rest;
        const plans =
          operation === 'write'
            ? segments('write', bytes, mtu, offset)
            : [packet('RDMA_READ_REQUEST', { target: { region: 0, offset, length: bytes } })];
        const single = packet('RDMA_WRITE_ONLY', {
          payload: { mtus: 0, bytes: 64 },
          target: { region: 0, offset: half - 32, length: 64 },
        });
        const access = fullAccess(profile).filter(
          (flag) => service === 'RC' || flag !== 'IBV_ACCESS_REMOTE_ATOMIC',
        );
        const atomic = packet('FETCH_ADD', {
          target: { region: 0, offset: half, length: 8 },
          atomic: { compare: '0', swapOrAdd: '3' },
        });
        const atomics = service === 'RC' && hasAtomics(profile) ? [inject(atomic)] : [];
        return {
          regions: [{ length: 2 * half, access, fill: 3, iova: String(place - BigInt(half)) }],
          steps: [...plans.map(inject), settle, ...(look ? [inject(single), settle, ...atomics] : []), query],
        };
      },
    ),
  grids: [crossed],
  aims: ['rc-memory-written', 'rc-read-executed', 'rc-atomic-executed'],
};

/** How a work request uses memory that crosses the boundary, and in which of its packets that is. */
const uses: Grid<['send' | 'receive' | 'read', Spot]> = {
  name: 'use of a buffer that crosses a multiple of 2^32, and where',
  cells: () => pairs(['send', 'receive', 'read'] as const, spots),
};

/** Regions of work requests end a page behind the boundary. */
const page = 4096;

function received(bytes: number, mtu: number): Step[] {
  return [
    { do: 'post_recv', at: 'requester', length: bytes },
    ...segments('send', bytes, mtu).map(inject),
    settle,
  ];
}

function posted(profile: Profile, service: 'RC' | 'UC' | 'UD', wr: WrPlan, mtu: number): Step[] {
  const work: Work = { wrs: [wr], mtu };
  return [post('requester', wr), settle, ...(service === 'RC' ? [...answer(work, 0), settle] : [])];
}

export const carryingBuffers: SuiteProperty = {
  id: 'verbs/buffers-across-4-gib',
  suite: 'verbs',
  requires: ['iova'],
  says: 'Work requests whose memory crosses a multiple of 2^32 send from it, and receive into it, on both sides.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      ['RC', 'UC'],
      fc.record({
        cell: onGrid(
          uses,
          profile,
          fc.tuple(fc.constantFrom('send', 'receive', 'read'), fc.constantFrom(...spots)),
        ),
        place: boundary(),
      }),
      ({ service, mtu }, { cell: [asked, spot], place }) => {
        const use = asked === 'read' && service !== 'RC' ? 'send' : asked;
        const bytes = page + bytesBefore(spot, mtu);
        const wr: WrPlan = {
          opcode: use === 'read' ? 'IBV_WR_RDMA_READ' : 'IBV_WR_SEND',
          length: bytes,
          region: 0,
          offset: 0,
          signaled: true,
        };
        return {
          regions: [{ length: 4 * half, access: fullAccess(profile), fill: 3 }],
          plan: { lastByte: String(place + BigInt(page) - 1n) },
          steps: [
            { do: 'query_port' },
            ...(use === 'receive' ? received(bytes, mtu) : posted(profile, service, wr, mtu)),
            query,
          ],
        };
      },
    ),
  grids: [uses],
  aims: ['rc-request-payload', 'unreliable-request-payload', 'rc-memory-fetched'],
};
