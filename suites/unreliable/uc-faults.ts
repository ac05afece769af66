import fc from 'fast-check';
import { localFault } from '../arbitraries/local-faults.ts';
import { lengthOf, packetsOf, send, type Message } from '../arbitraries/message.ts';
import { inject, packet, recv, recvs, settle } from '../arbitraries/packets.ts';
import { placedPackets } from '../arbitraries/placed-packets.ts';
import { writeAccess } from '../arbitraries/unreliable.ts';
import { sharesReceives } from '../arbitraries/shared.ts';
import { cellOf, inRows, pairs, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { PacketPlan, RegionPlan } from '../scenario.ts';
import { responders, ucMessage } from './uc-parts.ts';

const some = { mtus: 0, bytes: 8 };
const target = { region: 0, offset: 0, length: 8 };

const sound: readonly PacketPlan[] = [
  ...placedPackets,
  packet('RDMA_WRITE_ONLY_WITH_IMMEDIATE', { payload: some, immediate: 7, target }),
];

/** A packet in a message of a kind, behind its First. */
interface Odd {
  op: 'SEND' | 'RDMA_WRITE';
  packet: PacketPlan;
}

/** Every packet in a message of either kind, as many to a cell as a case tries. */
const sequences: Grid<readonly Odd[]> = {
  name: 'opcode in a message',
  cells: () =>
    inRows(
      pairs(['SEND', 'RDMA_WRITE'] as const, sound).map(([op, one]) => ({ op, packet: one })),
      4,
    ),
};

/** A First, the packet behind it, and the Last of the message; what its RETH announces is what comes, if the packet fits. */
function around({ op, packet: odd }: Odd, mtu: number): PacketPlan[] {
  const length = (odd.payload.mtus + 1) * mtu + 8;
  return [
    packet(`${op}_FIRST`, {
      payload: { mtus: 1, bytes: 0 },
      ...(op === 'RDMA_WRITE' && { target: { region: 0, offset: 0, length } }),
    }),
    odd,
    packet(`${op}_LAST`, { payload: some }),
  ];
}

export const opcodeSequence: SuiteProperty = {
  id: 'uc/opcode-sequence',
  suite: 'uc',
  requires: ['uc'],
  says: 'A packet that does not fit the message in progress ends it; only a First or Only begins another.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        row: cellOf(sequences, profile),
        begun: ucMessage(profile, 3),
        keep: fc.integer({ min: 1, max: 2 }),
        odd: fc.array(fc.constantFrom(...sound), { minLength: 1, maxLength: 4 }),
        rest: fc.boolean(),
        waits: fc.boolean(),
        after: ucMessage(profile, 2),
      }),
      ({ mtu }, { row = [], begun, keep, odd, rest, waits, after }) => {
        const start = packetsOf(begun, mtu);
        const kept = Math.min(keep, start.length - 1);
        return {
          steps: [
            ...row.flatMap((one) => [
              ...recvs(2, 4 * mtu),
              ...around(one, mtu)
                .slice(0, rest ? 3 : 2)
                .map(inject),
              settle,
            ]),
            ...recvs(6, 3 * mtu + 64),
            ...start.slice(0, kept).map(inject),
            ...(waits ? [settle] : []),
            ...odd.map(inject),
            ...(rest ? start.slice(kept).map(inject) : []),
            settle,
            ...send(after, mtu),
            settle,
          ],
        };
      },
    ),
  grids: [sequences],
  aims: ['uc-message-mixed', 'uc-restarts-in-message', 'uc-no-message', 'uc-receive-reused'],
};

/** Opcodes of the UC service that are no operation of it: READs, ATOMICs, responses, invalidation, reserved ones. */
const unknown = [0x2c, 0x2d, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x3c, 0x3d, 0x3f];

export const opcodeUnknown: SuiteProperty = {
  id: 'uc/opcode-unknown',
  suite: 'uc',
  requires: ['uc'],
  says: 'An opcode that the UC service does not have is dropped silently, and moves nothing.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        before: ucMessage(profile, 2),
        operation: fc.constantFrom(...unknown),
        bytes: fc.constantFrom(0, 4, 16, 28),
        offset: fc.constantFrom(0, 1),
        after: ucMessage(profile, 1),
      }),
      ({ mtu }, { before, operation, bytes, offset, after }) => ({
        steps: [
          ...recvs(3, 2 * mtu + 64),
          ...send(before, mtu),
          inject(packet(operation, { payload: { mtus: 0, bytes }, psn: { from: 'next', offset } })),
          settle,
          ...send(after, mtu),
          settle,
        ],
      }),
    ),
  aims: ['uc-reserved-opcode'],
};

type Wrong = 'rkey' | 'before' | 'beyond' | 'right' | 'pd' | 'qp-right';

function aimed(m: Message, wrong: Wrong): Message {
  if (wrong === 'rkey') return { ...m, rkey: 'bad' };
  return wrong === 'before' || wrong === 'beyond' ? { ...m, place: wrong } : m;
}

export const access: SuiteProperty = {
  id: 'uc/access',
  suite: 'uc',
  requires: ['uc'],
  says: 'A WRITE that the memory protection forbids changes no byte and draws no packet.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        message: ucMessage(profile, 3, ['write', 'write-imm']),
        wrong: fc.constantFrom<Wrong>(
          'rkey',
          'before',
          'beyond',
          'beyond',
          'right',
          'pd',
          'qp-right',
          'qp-right',
        ),
        after: ucMessage(profile, 2, ['send', 'send-imm']),
        receives: fc.integer({ min: 1, max: 3 }),
      }),
      ({ mtu }, { message, wrong, after, receives }) => {
        const region: RegionPlan = {
          length: 3 * mtu,
          access: wrong === 'right' ? ['IBV_ACCESS_LOCAL_WRITE'] : writeAccess,
          fill: 1,
          ...(wrong === 'pd' && { foreignPd: true }),
        };
        return {
          regions: [region],
          ...(wrong === 'qp-right' && { access: ['IBV_ACCESS_LOCAL_WRITE'] }),
          steps: [
            ...recvs(receives, 2 * mtu + 64),
            ...send(aimed(message, wrong), mtu),
            settle,
            ...send(after, mtu),
            settle,
          ],
        };
      },
    ),
  aims: [
    'uc-access-denied',
    'uc-access-denied-early',
    'uc-write-disabled',
    'uc-fault-access',
    'uc-fault-access-shared',
    'uc-fault-disabled',
    'uc-fault-unbound',
    'unreliable-memory-refused',
  ],
};

export const freed: SuiteProperty = {
  id: 'uc/deregistered',
  suite: 'uc',
  requires: ['uc'],
  says: 'A WRITE whose region goes away in its midst, or before it, writes no more and is given up.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        message: ucMessage(profile, 3, ['write', 'write-imm']),
        keep: fc.integer({ min: 0, max: 2 }),
        after: ucMessage(profile, 1, ['send']),
      }),
      ({ mtu }, { message, keep, after }) => {
        const packets = packetsOf(message, mtu).map(inject);
        return {
          steps: [
            ...recvs(3, mtu + 64),
            ...packets.slice(0, keep),
            { do: 'dereg_mr', region: 0 },
            ...packets.slice(keep),
            settle,
            ...send(after, mtu),
            settle,
          ],
        };
      },
    ),
  aims: ['uc-access-denied', 'uc-fault-unbound', 'uc-fault-access'],
};

export const receiveLength: SuiteProperty = {
  id: 'uc/receive-buffer-length',
  suite: 'uc',
  requires: ['uc'],
  says: 'A SEND longer than its receive buffer writes nothing beyond it, and draws no packet.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        message: ucMessage(profile, 3, ['send', 'send-imm']),
        by: fc.oneof(
          { withCrossShrink: true },
          fc.constantFrom(1, 4, 256),
          fc.integer({ min: 1, max: 4096 }),
        ),
        spareReceives: fc.nat(2),
        before: fc.boolean(),
        after: ucMessage(profile, 1),
      }),
      ({ mtu }, { message, by, spareReceives, before, after }) => {
        const length = lengthOf(message, mtu);
        return {
          steps: [
            ...(before ? [recv(length)] : []),
            recv(Math.max(0, length - by)),
            ...recvs(spareReceives, 2 * mtu),
            ...(before ? send(message, mtu) : []),
            ...send(message, mtu),
            settle,
            ...send(after, mtu),
            settle,
          ],
        };
      },
    ),
  aims: ['uc-send-too-long', 'uc-fault-too-long', 'uc-fault-too-long-shared', 'guard-untouched'],
};

type Misfit = { which: number; by: number } | { announcedBy: number } | { announcedMtus: number };

/** The `i`-th packet of a message, with a payload or an announced length that does not fit. */
function misfit(p: PacketPlan, i: number, wrong: Misfit, mtu: number): PacketPlan {
  if ('which' in wrong) {
    const { mtus, bytes } = p.payload;
    return i === wrong.which ? { ...p, payload: { mtus, bytes: bytes + wrong.by } } : p;
  }
  if (p.target === undefined) return p;
  const length =
    'announcedMtus' in wrong ? wrong.announcedMtus * mtu : Math.max(0, p.target.length + wrong.announcedBy);
  return { ...p, target: { ...p.target, length } };
}

/** A packet more, so that there is a first one: one alone may have any length. */
function longer(message: Message): Message {
  const { mtus, bytes } = message.size;
  return { ...message, size: { mtus: mtus + 1, bytes: Math.max(1, bytes) } };
}

export const payloadLength: SuiteProperty = {
  id: 'uc/payload-length',
  suite: 'uc',
  requires: ['uc'],
  says: 'A packet whose payload does not fit its place or what the RETH announced ends its message silently.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        message: ucMessage(profile, 2, ['send', 'send', 'send-imm', 'write', 'write-imm']),
        wrong: fc.oneof(
          { weight: 3, arbitrary: fc.record({ which: fc.nat(2), by: fc.constantFrom(-4, 4, -1, 1, -64) }) },
          fc.constantFrom(1, -1, 4).map((announcedBy) => ({ announcedBy })),
          // Reached before the last packet: the message cannot come to its announced length any more.
          fc.constantFrom(1, 2).map((announcedMtus) => ({ announcedMtus })),
        ),
        after: ucMessage(profile, 2),
        shared: fc.boolean(),
      }),
      ({ mtu, srq }, { message, wrong, after, shared }) => ({
        srq: srq || (shared && sharesReceives(profile, 'UC')),
        steps: [
          ...recvs(3, 4 * mtu + 64),
          ...packetsOf(longer(message), mtu).map((p, i) => inject(misfit(p, i, wrong, mtu))),
          settle,
          ...send(after, mtu),
          settle,
        ],
      }),
    ),
  aims: ['uc-length-wrong', 'uc-fault-length', 'uc-fault-length-shared'],
};

export const badReceive: SuiteProperty = {
  id: 'uc/receive-buffer-fault',
  suite: 'uc',
  requires: ['uc'],
  says: 'A receive WQE whose memory is not to be written completes in error, whatever is wrong with it.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        message: ucMessage(profile, 2, ['send', 'send-imm']),
        fault: localFault(),
        sges: fc.integer({ min: 1, max: 3 }),
        before: fc.boolean(),
        spareReceives: fc.nat(2),
      }),
      ({ mtu }, { message, fault, sges, before, spareReceives }) => ({
        steps: [
          ...(before ? recvs(1, 2 * mtu + 64) : []),
          { do: 'post_recv', length: Math.max(3, lengthOf(message, mtu)), localFault: fault, sges },
          ...recvs(spareReceives, 16),
          ...(before ? send(message, mtu) : []),
          ...send(message, mtu),
          settle,
          ...send(message, mtu),
          settle,
        ],
      }),
    ),
  aims: [
    'uc-receive-buffer-faulty',
    'uc-fault-local-memory',
    'uc-fault-local-memory-shared',
    'unreliable-memory-refused',
  ],
};
