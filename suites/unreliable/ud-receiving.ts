import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { datagram, datagramBytes, datagramPacket, grhBytes } from '../arbitraries/datagram.ts';
import { localFault } from '../arbitraries/local-faults.ts';
import { inject, packet, recv, recvs, settle } from '../arbitraries/packets.ts';
import { unreliable, type UnreliableBase, type UnreliableParts } from '../arbitraries/unreliable.ts';
import type { SuiteProperty } from '../property.ts';
import type { PacketPlan, Scenario, Step } from '../scenario.ts';

function responders<T>(
  profile: Profile,
  more: fc.Arbitrary<T>,
  parts: (chosen: UnreliableBase, more: T) => UnreliableParts,
): fc.Arbitrary<Scenario> {
  return unreliable('UD', 'responder', profile, more, parts);
}

export const datagrams: SuiteProperty = {
  id: 'ud/datagrams',
  suite: 'ud',
  requires: ['ud'],
  says: 'Datagrams of any length and any PSN fill one receive WQE each, behind the 40 bytes of the GRH.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.array(fc.record({ sent: datagram(), spare: fc.constantFrom(0, 1, 64), wait: fc.boolean() }), {
        minLength: 1,
        maxLength: 5,
        size: 'max',
      }),
      ({ mtu }, all) => ({
        steps: [
          ...all.map(({ sent, spare }) => recv(grhBytes + datagramBytes(sent, mtu) + spare)),
          ...all.flatMap(({ sent, wait }) => [inject(datagramPacket(sent, mtu)), ...(wait ? [settle] : [])]),
          settle,
        ],
      }),
    ),
  aims: [
    'ud-admit',
    'ud-received',
    'ud-request-carried-out',
    'ud-receive-completes',
    'ud-receive-length',
    'ud-receive-source',
    'ud-receive-grh',
    'unreliable-receive-order',
    'unreliable-receive-immediate',
    'unreliable-memory-written',
    'ud-never-answers',
  ],
};

export const tooLong: SuiteProperty = {
  id: 'ud/receive-buffer-length',
  suite: 'ud',
  requires: ['ud'],
  says: 'A datagram that does not fit its receive buffer, GRH included, is dropped, and takes no WQE.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        sent: datagram(),
        by: fc.oneof(
          { withCrossShrink: true },
          fc.constantFrom(1, 4, 39, 40, 41),
          fc.integer({ min: 1, max: 2000 }),
        ),
        before: fc.option(datagram(), { nil: undefined }),
        after: datagram(),
        spare: fc.nat(1),
      }),
      ({ mtu }, { sent, by, before, after, spare }) => {
        const room = Math.max(0, grhBytes + datagramBytes(sent, mtu) - by);
        return {
          steps: [
            ...(before === undefined ? [] : [recv(grhBytes + datagramBytes(before, mtu))]),
            recv(room),
            ...recvs(spare, grhBytes + mtu),
            ...(before === undefined ? [] : [inject(datagramPacket(before, mtu))]),
            inject(datagramPacket(sent, mtu)),
            settle,
            // One that fits shows that the WQE is still there.
            inject(datagramPacket({ ...after, bytes: Math.max(0, room - grhBytes) }, mtu)),
            settle,
          ],
        };
      },
    ),
  aims: ['ud-too-long', 'unreliable-memory-refused', 'guard-untouched'],
};

export const notReady: SuiteProperty = {
  id: 'ud/no-receive',
  suite: 'ud',
  requires: ['ud'],
  says: 'A datagram that finds no receive WQE is dropped; one that comes after a WQE was posted is received.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        receives: fc.nat(1),
        before: fc.array(datagram(), { minLength: 1, maxLength: 3 }),
        after: fc.array(datagram(), { minLength: 1, maxLength: 3 }),
      }),
      ({ mtu }, { receives, before, after }) => ({
        steps: [
          ...recvs(receives, grhBytes + mtu),
          ...before.map((d) => inject(datagramPacket(d, mtu))),
          settle,
          ...recvs(after.length, grhBytes + mtu),
          ...after.map((d) => inject(datagramPacket(d, mtu))),
          settle,
        ],
      }),
    ),
  aims: ['ud-no-receive', 'unreliable-state-kept'],
};

const plainQkey = 0x1111_1111;

export const qkeys: SuiteProperty = {
  id: 'ud/qkey',
  suite: 'ud',
  requires: ['ud'],
  says: 'A datagram with a Q_Key other than that of the QP is dropped; the Q_Key is the one that software set last.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        own: fc.constantFrom(plainQkey, 0, 1, 0x7fffffff, 0x80010000),
        sent: fc.array(
          fc.record({
            sent: datagram(),
            qkey: fc.option(
              fc.oneof(fc.constantFrom(0, 1, plainQkey ^ 1, 0x80000000, 0xffffffff), fc.nat(0xffffffff)),
              { nil: undefined },
            ),
          }),
          { minLength: 1, maxLength: 4 },
        ),
        changed: fc.option(fc.constantFrom(plainQkey, 2, 0x70000000), { nil: undefined }),
        after: datagram(),
      }),
      ({ mtu }, { own, sent, changed, after }) => ({
        responder: { qkey: own },
        steps: [
          ...recvs(sent.length + 2, grhBytes + mtu),
          ...sent.map(({ sent: d, qkey }) =>
            inject(datagramPacket(d, mtu, qkey === undefined ? {} : { qkey })),
          ),
          settle,
          ...(changed === undefined
            ? []
            : [
                {
                  do: 'modify_qp',
                  at: 'responder',
                  state: 'IBV_QPS_RTS',
                  attr: { qkey: changed },
                  omit: ['sq_psn'],
                } satisfies Step,
                inject(datagramPacket(after, mtu, { qkey: changed })),
              ]),
          inject(datagramPacket(after, mtu)),
          settle,
        ],
      }),
    ),
  aims: ['ud-drop-qkey', 'unreliable-memory-refused', 'unreliable-receive-undue'],
};

/** Opcodes of the UD service that are no datagram, and what hangs on them. */
const unknown = [0x60, 0x61, 0x62, 0x63, 0x66, 0x68, 0x6a, 0x6c, 0x71, 0x73, 0x74, 0x77, 0x7f];

export const opcodeUnknown: SuiteProperty = {
  id: 'ud/opcode-unknown',
  suite: 'ud',
  requires: ['ud'],
  says: 'An opcode that the UD service does not have is dropped silently.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        before: datagram(),
        operation: fc.constantFrom(...unknown),
        bytes: fc.constantFrom(0, 4, 16, 28, 64),
        after: datagram(),
      }),
      ({ mtu }, { before, operation, bytes, after }) => {
        const odd: PacketPlan = packet(operation, { payload: { mtus: 0, bytes } });
        return {
          steps: [
            ...recvs(3, grhBytes + mtu),
            inject(datagramPacket(before, mtu)),
            inject(odd),
            settle,
            inject(datagramPacket(after, mtu)),
            settle,
          ],
        };
      },
    ),
  aims: ['ud-reserved-opcode'],
};

export const badReceive: SuiteProperty = {
  id: 'ud/receive-buffer-fault',
  suite: 'ud',
  requires: ['ud'],
  says: 'A receive WQE whose memory is not to be written completes in error, whatever is wrong with it.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        sent: datagram(),
        fault: localFault(),
        sges: fc.integer({ min: 1, max: 3 }),
        before: fc.boolean(),
        spareReceives: fc.nat(2),
      }),
      ({ mtu }, { sent, fault, sges, before, spareReceives }) => ({
        steps: [
          ...(before ? recvs(1, grhBytes + mtu) : []),
          { do: 'post_recv', length: grhBytes + datagramBytes(sent, mtu), localFault: fault, sges },
          ...recvs(spareReceives, grhBytes + mtu),
          ...(before ? [inject(datagramPacket(sent, mtu))] : []),
          inject(datagramPacket(sent, mtu)),
          settle,
          inject(datagramPacket(sent, mtu)),
          settle,
        ],
      }),
    ),
  aims: [
    'ud-receive-buffer-faulty',
    'ud-fault-local-memory',
    'ud-fault-local-memory-shared',
    'state-after-failed-receive-datagram',
  ],
};

export const scattered: SuiteProperty = {
  id: 'ud/scatter',
  suite: 'ud',
  requires: ['ud'],
  says: 'A datagram spread over several regions fills them one after the other, GRH first.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.array(
        fc.record({
          sent: datagram(),
          sges: fc.integer({ min: 2, max: 3 }),
          spare: fc.constantFrom(0, 1, 40),
        }),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
      ({ mtu }, all) => ({
        steps: [
          ...all.map(({ sent, sges, spare }): Step => ({
            do: 'post_recv',
            length: grhBytes + datagramBytes(sent, mtu) + spare,
            sges,
          })),
          ...all.map(({ sent }) => inject(datagramPacket(sent, mtu))),
          settle,
        ],
      }),
    ),
  aims: ['ud-receive-length', 'unreliable-memory-written'],
};
