import fc from 'fast-check';
import { fullAccess } from '../arbitraries/base.ts';
import { everyKind, lengthOf, message, packetsOf, send, type Message } from '../arbitraries/message.ts';
import { inject, packet, recv, recvs, settle } from '../arbitraries/packets.ts';
import { cellOf, pairs, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { PacketPlan, Step } from '../scenario.ts';
import { scenarios } from './parts.ts';

type Payload = PacketPlan['payload'];

const over = 4;

/** Payloads that do not fit a First or Middle packet. */
const notFull: Payload[] = [
  { mtus: 1, bytes: -4 },
  { mtus: 1, bytes: over },
  { mtus: 0, bytes: 0 },
  { mtus: 0, bytes: 1 },
  { mtus: 1, bytes: -1 },
];

/** Messages with one packet of a wrong payload length, written down packet by packet. */
function wrongPackets(): fc.Arbitrary<PacketPlan[]> {
  const full = { mtus: 1, bytes: 0 };
  const some = { mtus: 0, bytes: 8 };
  const target = (mtu3: number): NonNullable<PacketPlan['target']> => ({
    region: 0,
    offset: 0,
    length: mtu3,
  });
  const long = { mtus: 1, bytes: over };
  const name = fc.constantFrom('SEND', 'RDMA_WRITE');
  // A DMALen of 400 fits no whole number of packets of any MTU, so that sums differ from it as well.
  const first = (op: string, payload: Payload): PacketPlan =>
    packet(`${op}_FIRST`, { payload, ...(op === 'RDMA_WRITE' && { target: target(400) }) });
  return fc.oneof(
    fc
      .tuple(name, fc.constantFrom(...notFull))
      .map(([op, bad]) => [first(op, bad), packet(`${op}_LAST`, { payload: some })]),
    fc
      .tuple(name, fc.constantFrom(...notFull))
      .map(([op, bad]) => [
        first(op, full),
        packet(`${op}_MIDDLE`, { payload: bad }),
        packet(`${op}_LAST`, { payload: some }),
      ]),
    fc
      .tuple(name, fc.constantFrom<Payload>({ mtus: 0, bytes: 0 }, long))
      .map(([op, bad]) => [first(op, full), packet(`${op}_LAST`, { payload: bad })]),
    name.map((op) => [
      packet(`${op}_ONLY`, { payload: long, ...(op === 'RDMA_WRITE' && { target: target(260) }) }),
    ]),
  );
}

/** Where a packet is in its message, and the payload that it must not have there. */
interface WrongPayload {
  place: 'FIRST' | 'MIDDLE' | 'LAST' | 'ONLY';
  op: 'SEND' | 'RDMA_WRITE';
  payload: Payload;
}

/** 0, 1, one less than an MTU, one more, and two, as far as they are wrong. */
const wrongPayloads: Grid<WrongPayload> = {
  name: 'payload of a wrong length, by place in its message',
  every: 2,
  cells: () =>
    pairs(['FIRST', 'MIDDLE', 'LAST', 'ONLY'] as const, ['SEND', 'RDMA_WRITE'] as const).flatMap(
      ([place, op]) => {
        const unfilled = place === 'FIRST' || place === 'MIDDLE';
        return [
          ...(place === 'ONLY' ? [] : [{ mtus: 0, bytes: 0 }]),
          ...(unfilled
            ? [
                { mtus: 0, bytes: 1 },
                { mtus: 1, bytes: -1 },
              ]
            : []),
          { mtus: 1, bytes: 1 },
          { mtus: 2, bytes: 0 },
        ].map((payload) => ({ place, op, payload }));
      },
    ),
};

/** A message whose packet in one place has another payload than it must; what is announced is what comes. */
function withWrongPayload({ place, op, payload }: WrongPayload, mtu: number): PacketPlan[] {
  const full = { mtus: 1, bytes: 0 };
  const places = place === 'ONLY' ? (['ONLY'] as const) : (['FIRST', 'MIDDLE', 'LAST'] as const);
  const payloads = places.map((one) =>
    one === place ? payload : one === 'LAST' ? { mtus: 0, bytes: 8 } : full,
  );
  const length = payloads.reduce((sum, { mtus, bytes }) => sum + mtus * mtu + bytes, 0);
  return places.map((one, i) =>
    packet(`${op}_${one}`, {
      payload: payloads[i] ?? full,
      ...(op === 'RDMA_WRITE' && i === 0 && { target: { region: 0, offset: 0, length } }),
    }),
  );
}

export const payloadLength: SuiteProperty = {
  id: 'rc-responder/payload-length',
  suite: 'rc-responder',
  says: 'First and Middle packets fill the path MTU, Last and Only hold at most that; anything else is refused.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        packets: wrongPackets(),
        cell: cellOf(wrongPayloads, profile),
        before: fc.array(message(profile, everyKind, 1), { maxLength: 1 }),
        wait: fc.boolean(),
      }),
      ({ mtu }, { packets, cell, before, wait }) => ({
        ...(cell !== undefined && {
          regions: [{ length: 4 * mtu, access: fullAccess(profile), fill: 1 }],
        }),
        steps: [
          ...recvs(2, (cell === undefined ? 2 : 4) * mtu + 64),
          ...before.flatMap((m) => send(m, mtu)),
          ...(cell === undefined ? packets : withWrongPayload(cell, mtu)).flatMap((p): Step[] => [
            inject(p),
            ...(wait ? [settle] : []),
          ]),
          settle,
          ...before.flatMap((m) => send(m, mtu)),
        ],
      }),
    ),
  grids: [wrongPayloads],
  aims: ['rc-length-wrong', 'rc-report-length-unbound', 'rc-report-length-bound'],
};

type Announced = { by: number } | { mtus: number } | { length: number };

/** Most bytes of a message. */
const mostBytes = 0x80000000;

/** Lengths near what comes, reached before the last packet, and just beyond what a message may have: one of these among any six. */
const announcements: readonly Announced[] = [
  { by: 1 },
  { length: mostBytes + 1 },
  { by: -1 },
  { mtus: 1 },
  { length: mostBytes + 4 },
  { by: 4 },
  { by: -4 },
  { mtus: 2 },
  { length: mostBytes + 0x100 },
  { length: 0 },
  { length: 0x10001 },
  { length: mostBytes },
  { length: 0xffffffff },
];
const announcing = ['write', 'write-imm', 'read'] as const;
const announced: Grid<[(typeof announcing)[number], Announced]> = {
  name: 'kind of request, and the length that it announces',
  // each next cell has the next of both, so that a few of them show all kinds and lengths
  cells: () => {
    const all = pairs(announcing, announcements);
    return all.flatMap((_, i) => {
      const at = (i % announcing.length) * announcements.length + (i % announcements.length);
      return all.slice(at, at + 1);
    });
  },
};

/** The same with as many bytes as the lower bits of an announcement tell that is just beyond what a message may have. */
function fitting(drawn: Message, announced: Announced): Message {
  if (!('length' in announced)) return drawn;
  const lower = announced.length - mostBytes;
  return lower > 0 && lower <= 0x100 ? { ...drawn, size: { mtus: 0, bytes: lower } } : drawn;
}

export const announcedLength: SuiteProperty = {
  id: 'rc-responder/announced-length',
  suite: 'rc-responder',
  says: 'A WRITE brings exactly the bytes that its RETH announced, and no request announces more than 2^31.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        message: message(profile, ['write', 'write-imm', 'read'], 3),
        announced: fc.oneof(
          fc.constantFrom(1, -1, 4, -4).map((by) => ({ by })),
          // Reached before the last packet: the message cannot come to its announced length any more.
          fc.constantFrom(1, 2).map((mtus) => ({ mtus })),
          // Just beyond what a message may have, so that nothing but the length is wrong with it where its upper bits are lost.
          fc
            .constantFrom(0x80000001, 0x80000004, 0x80000100, 0x80000001, 0xffffffff, 0x80000000)
            .map((length) => ({ length })),
        ),
        wait: fc.boolean(),
        cell: cellOf(announced, profile),
      }),
      ({ mtu }, { message: drawn, announced: length, wait, cell }) => {
        const message = cell === undefined ? drawn : fitting({ ...drawn, kind: cell[0] }, cell[1]);
        return {
          steps: [
            ...recvs(1, mtu),
            ...send(message, mtu).flatMap((step): Step[] => [
              announce(step, cell?.[1] ?? length, mtu),
              ...(wait ? [settle] : []),
            ]),
            settle,
            ...send(message, mtu),
          ],
        };
      },
    ),
  grids: [announced],
  aims: ['rc-length-wrong', 'rc-length-doomed'],
};

function announce(step: Step, announced: Announced, mtu: number): Step {
  if (step.do !== 'inject' || step.packet.target === undefined) return step;
  const { target } = step.packet;
  const length =
    'by' in announced
      ? Math.max(0, target.length + announced.by)
      : 'mtus' in announced
        ? announced.mtus * mtu
        : announced.length;
  return { ...step, packet: { ...step.packet, target: { ...target, length } } };
}

export const receiveLength: SuiteProperty = {
  id: 'rc-responder/receive-buffer-length',
  suite: 'rc-responder',
  says: 'A SEND longer than its receive buffer is refused, and the receive WQE completes with a length error.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        message: message(profile, ['send', 'send-imm'], 3),
        by: fc.oneof(
          { withCrossShrink: true },
          fc.constantFrom(1, 4, 256),
          fc.integer({ min: 1, max: 4096 }),
        ),
        spareReceives: fc.nat(2),
        before: fc.boolean(),
      }),
      ({ mtu }, { message, by, spareReceives, before }) => {
        const length = lengthOf(message, mtu);
        return {
          steps: [
            ...(before ? [recv(length)] : []),
            recv(Math.max(0, length - by)),
            ...recvs(spareReceives, 16),
            ...(before ? send(message, mtu) : []),
            ...send(message, mtu),
            settle,
            ...send(message, mtu),
          ],
        };
      },
    ),
  aims: ['rc-send-too-long', 'rc-report-too-long', 'rc-receive-flushed'],
};

export const padding: SuiteProperty = {
  id: 'rc-responder/pad-count',
  suite: 'rc-responder',
  says: 'Pad bytes count neither to the payload nor to its length.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        kind: fc.constantFrom('SEND_ONLY', 'RDMA_WRITE_ONLY'),
        bytes: fc.integer({ min: 1, max: 12 }),
      }),
      ({ mtu }, { kind, bytes }) => ({
        steps: [
          recv(mtu),
          inject(
            packet(kind, {
              payload: { mtus: 0, bytes },
              ...(kind === 'RDMA_WRITE_ONLY' && { target: { region: 0, offset: 0, length: bytes } }),
            }),
          ),
          settle,
        ],
      }),
    ),
};

export const payloadWithoutPlace: SuiteProperty = {
  id: 'rc-responder/payload-without-place',
  suite: 'rc-responder',
  says: 'A READ or ATOMIC request that carries payload is carried out without it, or refused as a whole.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        message: message(profile, ['read', 'fetch-add', 'cmp-swap'], 2),
        payload: fc.constantFrom<Payload>(
          { mtus: 0, bytes: 1 },
          { mtus: 0, bytes: 16 },
          { mtus: 1, bytes: 0 },
        ),
        again: fc.boolean(),
      }),
      ({ mtu }, { message, payload, again }) => ({
        steps: [
          ...packetsOf(message, mtu).map((plan) => inject({ ...plan, payload })),
          settle,
          ...(again ? send(message, mtu) : []),
          settle,
        ],
      }),
    ),
  aims: ['rc-length-no-place', 'rc-request-carried-out'],
};

export const padWithoutPlace: SuiteProperty = {
  id: 'rc-responder/pad-without-place',
  suite: 'rc-responder',
  says: 'A READ or ATOMIC request with pad bytes and no payload is carried out without them, or refused as a whole.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        message: message(profile, ['read', 'fetch-add', 'cmp-swap'], 2),
        pad: fc.integer({ min: 1, max: 3 }),
        again: fc.boolean(),
        first: fc.boolean(),
      }),
      ({ mtu }, { message, pad, again, first }) => {
        const padded = packetsOf(message, mtu).map((plan) =>
          inject({ ...plan, defect: { kind: 'pad', value: pad } }),
        );
        return {
          steps: [
            ...(first ? send(message, mtu) : []),
            ...padded,
            settle,
            ...(again ? send(message, mtu) : []),
            settle,
          ],
        };
      },
    ),
  aims: ['rc-length-no-place', 'rc-request-carried-out'],
};
