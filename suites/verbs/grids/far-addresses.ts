import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { fullAccess, hasAtomics } from '../../arbitraries/base.ts';
import { inject, packet } from '../../arbitraries/packets.ts';
import { anyCell, cellOf, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { answer, type Work } from '../../rc-requester/parts.ts';
import type { PacketPlan, RegionPlan, Step, WrPlan } from '../../scenario.ts';
import {
  chosen,
  headerBytes,
  post,
  query,
  scenarios,
  settle,
  verbsScenario,
  type Chosen,
  type Service,
} from '../parts.ts';

/** Bytes of each region: two of the longest packets. */
const length = 8192;

/**
 * Where a region lies: at either end of the address space, with an address in its middle that some arithmetic stumbles over, or with its
 * first byte within a page.
 */
const homes = ['end', '2^32', '2^63', 'zero', 'beyond 2^48', 'within a page'] as const;
type Home = (typeof homes)[number];

const starts: Readonly<Record<Home, bigint>> = {
  end: (1n << 64n) - BigInt(length),
  '2^32': (7n << 32n) - BigInt(length / 2),
  '2^63': (1n << 63n) - BigInt(length / 2),
  zero: 0n,
  'beyond 2^48': 0xfedc_ba98_7654_3000n,
  'within a page': 0x7_0000_0800n,
};

function homesOf({ capabilities }: Profile): readonly Home[] {
  return capabilities.includes('iova-in-page') ? homes : homes.filter((home) => home !== 'within a page');
}

/** What is named of a region: from its first byte, to its last, or around its middle; or beyond it, so that it is refused. */
const within = ['first', 'last', 'middle'] as const;
const beyond = ['before', 'behind', 'across the end'] as const;
const parts = [...within, ...beyond] as const;
type Part = (typeof parts)[number];

function offsetOf(part: Part, bytes: number): number {
  switch (part) {
    case 'first':
      return 0;
    case 'last':
      return length - bytes;
    case 'middle':
      return length / 2 - Math.floor(bytes / 2);
    case 'before':
      return -bytes;
    case 'behind':
      return length;
    case 'across the end':
      return length - bytes + Math.max(1, Math.floor(bytes / 2));
  }
}

const operations = ['write', 'long-write', 'read', 'long-read', 'atomic'] as const;
type Operation = (typeof operations)[number];

/** Bytes that an operation names; multiples of 8 around a path MTU where it is long. */
function bytesOf(operation: Operation, mtu: number, short: number): number {
  switch (operation) {
    case 'write':
    case 'read':
      return Math.min(short, mtu);
    case 'long-write':
    case 'long-read':
      return Math.min(length, mtu + 8);
    case 'atomic':
      return 8;
  }
}

interface Use {
  operation: Operation;
  part: Part;
  short: number;
  /** default: the first */
  region?: number;
}

/** A device without ATOMICs is tried with WRITEs. */
function known(profile: Profile, service: Service, operation: Operation): Operation {
  if (service === 'UC')
    return operation === 'long-read' || operation === 'long-write' ? 'long-write' : 'write';
  return operation === 'atomic' && !hasAtomics(profile) ? 'write' : operation;
}

function use(): fc.Arbitrary<Use> {
  return fc.record({
    operation: fc.constantFrom(...operations),
    part: fc.constantFrom(...within),
    short: fc.constantFrom(8, 1, 64, 4096),
  });
}

/** Packets of a request for a part of the region, and its offset aligned for an ATOMIC. */
function request(profile: Profile, { service, mtu }: Chosen, asked: Use): Step[] {
  const operation = known(profile, service, asked.operation);
  const bytes = bytesOf(operation, mtu, asked.short);
  const offset = offsetOf(asked.part, bytes);
  const aligned = operation === 'atomic' ? offset - (((offset % 8) + 8) % 8) : offset;
  const target = { region: asked.region ?? 0, offset: aligned, length: bytes };
  const steps = (...plans: PacketPlan[]): Step[] => [...plans.map(inject), settle];
  switch (operation) {
    case 'write':
      return steps(packet('RDMA_WRITE_ONLY', { payload: { mtus: 0, bytes }, target }));
    case 'long-write':
      return steps(
        packet('RDMA_WRITE_FIRST', { payload: { mtus: 1, bytes: 0 }, target }),
        packet('RDMA_WRITE_LAST', { payload: { mtus: 0, bytes: bytes - mtu } }),
      );
    case 'read':
    case 'long-read':
      return steps(packet('RDMA_READ_REQUEST', { target }));
    case 'atomic':
      return steps(packet('FETCH_ADD', { target, atomic: { compare: '0', swapOrAdd: '3' } }));
  }
}

type Place = [[Home, Operation], Part];

const touched: Grid<Place> = {
  name: 'where a region lies, what is done to it, and to which part of it',
  cells: (profile) => pairs(pairs(homesOf(profile), operations), within),
};

/** Where an address that is too high has lower bits that are not. */
const wraps = [
  ['end', 'across the end'],
  ['end', 'behind'],
  ['zero', 'before'],
] as const;

const refused: Grid<Place> = {
  name: 'request beyond a region at an end of the address space',
  every: 2,
  // an ATOMIC lies across nothing
  cells: () =>
    operations
      .filter((operation) => operation !== 'atomic')
      .flatMap((operation) => wraps.map(([home, part]): Place => [[home, operation], part])),
};

function region(profile: Profile, service: Service, home: Home): RegionPlan {
  const access = fullAccess(profile).filter(
    (flag) => service === 'RC' || flag !== 'IBV_ACCESS_REMOTE_ATOMIC',
  );
  return { length, access, fill: 3, iova: String(starts[home]) };
}

export const farMemory: SuiteProperty = {
  id: 'verbs/far-memory',
  suite: 'verbs',
  requires: ['iova'],
  says: 'Requests for memory at any address of 64 bits touch what they name, and are refused beyond either end of it.',
  arbitrary: (profile) =>
    fc
      .record({
        drawn: chosen(profile, ['RC', 'UC']),
        first: anyCell(touched, profile),
        cell: cellOf(refused, profile),
        refusal: fc.tuple(
          fc.tuple(fc.constantFrom(...homesOf(profile)), fc.constantFrom(...operations)),
          fc.constantFrom(...beyond),
        ),
        short: fc.constantFrom(8, 1, 64, 4096),
        more: fc.array(use(), { maxLength: 1 }),
        paged: use(),
      })
      .map(({ drawn, first: [[home, operation], part], cell, refusal, short, more, paged }) => {
        // a UC QP tells nobody what it has refused
        const c: Chosen = cell === undefined ? drawn : { ...drawn, service: 'RC' };
        const [[lastHome, lastOperation], lastPart] = cell ?? refusal;
        const homes = [...new Set([home, lastHome, homesOf(profile).at(-1) ?? home])];
        const at = (one: Home, use: Use): Step[] =>
          request(profile, c, { ...use, region: Math.max(0, homes.indexOf(one)) });
        return verbsScenario(profile, 'responder', c, {
          regions: homes.map((one) => region(profile, c.service, one)),
          steps: [
            ...at(home, { operation, part, short }),
            ...more.flatMap((one) => at(lastHome, one)),
            ...at(homesOf(profile).at(-1) ?? home, paged),
            ...at(lastHome, { operation: lastOperation, part: lastPart, short }),
            query,
          ],
        });
      }),
  grids: [touched, refused],
  aims: ['rc-remote-access-denied', 'rc-memory-written', 'rc-read-executed', 'rc-atomic-executed'],
};

const targets: Grid<Place> = {
  name: 'where memory of the far end lies',
  cells: (profile) => pairs(pairs(homesOf(profile), operations), parts),
};

const opcodes: Readonly<Record<Operation, WrPlan['opcode']>> = {
  write: 'IBV_WR_RDMA_WRITE',
  'long-write': 'IBV_WR_RDMA_WRITE',
  read: 'IBV_WR_RDMA_READ',
  'long-read': 'IBV_WR_RDMA_READ',
  atomic: 'IBV_WR_ATOMIC_FETCH_AND_ADD',
};

export const farTargets: SuiteProperty = {
  id: 'verbs/far-targets',
  suite: 'verbs',
  says: 'Requests name memory of the far end at any address of 64 bits as the work request does.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      ['RC', 'UC'],
      fc.record({
        cell: anyCell(targets, profile),
        short: fc.constantFrom(8, 1, 64, 4096),
        behind: fc.array(use(), { maxLength: 2 }),
      }),
      ({ service, mtu }, { cell: [[home, operation], part], short, behind }) => {
        const wrs = [{ operation, part, short }, ...behind].map((one): WrPlan => {
          const kind = known(profile, service, one.operation);
          const bytes = bytesOf(kind, mtu, one.short);
          const offset = offsetOf(one.part, bytes);
          return {
            opcode: opcodes[kind],
            length: bytes,
            region: 0,
            // nobody refuses it here, but nothing may lie beyond the address space
            offset: Math.min(length - bytes, Math.max(0, offset - (kind === 'atomic' ? offset % 8 : 0))),
            signaled: true,
            ...(kind === 'atomic' && { swapOrAdd: '1' }),
          };
        });
        const work: Work = { wrs, mtu };
        return {
          regions: [region(profile, service, home)],
          steps: [
            ...wrs.flatMap((wr, n): Step[] => [
              post('requester', wr),
              settle,
              ...(service === 'RC' ? [...answer(work, n), settle] : []),
            ]),
            query,
          ],
        };
      },
    ),
  grids: [targets],
  aims: ['rc-request-target', 'uc-write-target'],
};

/** How work requests use far memory: what they send, or what they receive. */
const buffers: Grid<[Home, 'send' | 'receive' | 'read' | 'bounds']> = {
  name: 'where the memory of work requests lies, and what it is for',
  cells: (profile) => pairs(homesOf(profile), ['send', 'receive', 'read', 'bounds'] as const),
};

export const farBuffers: SuiteProperty = {
  id: 'verbs/far-buffers',
  suite: 'verbs',
  requires: ['iova'],
  says: 'Work requests send from, and receive into, memory at any address of 64 bits.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      ['RC', 'UC', 'UD'],
      fc.record({
        cell: anyCell(buffers, profile),
        lengths: fc.array(fc.constantFrom(8, 1, 100, 4095, 4096, 4097, 8192), { minLength: 1, maxLength: 3 }),
        sges: fc.integer({ min: 1, max: 3 }),
      }),
      ({ service, mtu }, { cell: [home, kind], lengths, sges }) => {
        // one that fails has a single packet: a device may wait for acknowledgements before it looks at the next
        const most = service === 'UD' || kind === 'bounds' ? mtu : length;
        const fits = lengths.map((bytes) => Math.min(bytes, most));
        const wrs = fits.map((bytes): WrPlan => ({
          opcode: kind === 'read' && service === 'RC' ? 'IBV_WR_RDMA_READ' : 'IBV_WR_SEND',
          length: bytes,
          region: 0,
          offset: 0,
          signaled: true,
          sges: Math.min(sges, bytes),
        }));
        const last = wrs.length - 1;
        const faulty = wrs.map((wr, i): WrPlan =>
          kind === 'bounds' && i === last ? { ...wr, localFault: 'bounds' } : wr,
        );
        const work: Work = { wrs, mtu };
        const small = Math.min(64, ...fits);
        const sending = faulty.flatMap((wr, n): Step[] => [
          post('requester', wr),
          settle,
          ...(service === 'RC' && !(kind === 'bounds' && n === last) ? [...answer(work, n), settle] : []),
        ]);
        return {
          regions: service === 'UD' ? [] : [{ length, access: fullAccess(profile), fill: 3 }],
          plan:
            home === 'within a page'
              ? { firstByte: String(starts[home]) }
              : { lastByte: String(starts[home] + BigInt(length) - 1n) },
          steps: [
            { do: 'query_port' },
            ...(kind === 'receive'
              ? fits.flatMap((bytes): Step[] => [
                  { do: 'post_recv', at: 'requester', length: headerBytes[service] + bytes, sges },
                  inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: small } })),
                  settle,
                ])
              : sending),
            query,
          ],
        };
      },
    ),
  grids: [buffers],
  aims: ['rc-request-payload', 'unreliable-request-payload', 'send-out-of-bounds'],
};
