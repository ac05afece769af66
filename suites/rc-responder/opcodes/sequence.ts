import fc from 'fast-check';
import { everyKind, message, packetsOf, send } from '../../arbitraries/message.ts';
import { inject, packet, recvs, settle } from '../../arbitraries/packets.ts';
import { placedPackets } from '../../arbitraries/placed-packets.ts';
import type { SuiteProperty } from '../../property.ts';
import type { PacketPlan } from '../../scenario.ts';
import { scenarios } from '../parts.ts';

const reserved = [0x15, 0x18, 0x19, 0x1a, 0x1b, 0x1e, 0x1f];
const responses = [
  'RDMA_READ_RESPONSE_ONLY',
  'RDMA_READ_RESPONSE_MIDDLE',
  'ACKNOWLEDGE',
  'ATOMIC_ACKNOWLEDGE',
];

/** One packet of any opcode, with the payload that its place in a message calls for. */
function anyPacket(): fc.Arbitrary<PacketPlan> {
  const target = { region: 0, offset: 0, length: 8 };
  const sound: PacketPlan[] = [...placedPackets, packet('RDMA_READ_REQUEST', { target })];
  return fc.constantFrom(...sound);
}

export const opcodeSequence: SuiteProperty = {
  id: 'rc-responder/opcode-sequence',
  suite: 'rc-responder',
  says: 'An opcode that does not fit the message in progress is refused as an invalid request, and the QP is in error.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        begun: fc.option(message(profile, ['send', 'write', 'send-imm', 'write-imm'], 3), { nil: undefined }),
        keep: fc.integer({ min: 1, max: 2 }),
        waits: fc.boolean(),
        odd: fc.array(anyPacket(), { minLength: 1, maxLength: 2 }),
        after: message(profile, everyKind, 1),
      }),
      ({ mtu }, { begun, keep, waits, odd, after }) => {
        const start = begun === undefined ? [] : packetsOf(begun, mtu);
        return {
          steps: [
            ...recvs(3, 2 * mtu + 64),
            ...start.slice(0, Math.min(keep, start.length - 1)).map(inject),
            ...(waits ? [settle] : []),
            ...odd.map(inject),
            settle,
            ...send(after, mtu),
          ],
        };
      },
    ),
  aims: ['rc-opcode-out-of-sequence', 'rc-report-invalid-request-unbound', 'rc-report-invalid-request-bound'],
};

export const opcodeUnknown: SuiteProperty = {
  id: 'rc-responder/opcode-unknown',
  suite: 'rc-responder',
  says: 'A reserved opcode is refused as an invalid request; a response that nobody asked for is dropped.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: fc.array(message(profile, everyKind, 1), { maxLength: 1 }),
        operation: fc.constantFrom<string | number>(...reserved, ...responses),
        bytes: fc.constantFrom(0, 4, 16, 20),
        ackReq: fc.boolean(),
        after: message(profile, everyKind, 1),
      }),
      ({ mtu }, { before, operation, bytes, ackReq, after }) => ({
        steps: [
          ...recvs(2, 2 * mtu + 64),
          ...before.flatMap((m) => send(m, mtu)),
          inject(packet(operation, { payload: { mtus: 0, bytes }, ackReq })),
          settle,
          ...send(after, mtu),
        ],
      }),
    ),
  aims: ['rc-request-unsupported'],
};
