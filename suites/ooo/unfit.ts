import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { AccessFlag } from '../../spec/verbs.ts';
import { fullAccess } from '../arbitraries/base.ts';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { LocalFault, PacketPlan, Scenario, Step } from '../scenario.ts';
import { messages, packetsOf, receivesOf, type Kind } from './messages.ts';
import { arrival, order } from './order.ts';
import { common, scenarios } from './parts.ts';

/** What is wrong with a message, whatever memory it names. */
type Unfit =
  | { kind: 'short'; by: number }
  | { kind: 'local'; fault: LocalFault; sges: number }
  | { kind: 'disabled'; right: AccessFlag }
  | { kind: 'misaligned' };

function unfitReceive(): fc.Arbitrary<Unfit> {
  return fc.oneof(
    fc.record({ kind: fc.constant('short' as const), by: fc.constantFrom(1, 4, 100, 300, 2000) }),
    fc.record({
      kind: fc.constant('local' as const),
      fault: fc.constantFrom<LocalFault>('lkey', 'rights', 'bounds', 'foreign-pd', 'deregistered'),
      sges: fc.constantFrom(1, 1, 2),
    }),
  );
}

function unfitRequest(): fc.Arbitrary<Unfit> {
  return fc.oneof(
    fc.record({
      kind: fc.constant('disabled' as const),
      right: fc.constantFrom<AccessFlag>(
        'IBV_ACCESS_REMOTE_WRITE',
        'IBV_ACCESS_REMOTE_READ',
        'IBV_ACCESS_REMOTE_ATOMIC',
      ),
    }),
    fc.constant<Unfit>({ kind: 'misaligned' }),
  );
}

/** The receive WQEs, the `at`-th of those with a buffer made unfit. */
function spoiledReceives(receives: readonly Step[], at: number, how: Unfit): Step[] {
  const buffers = receives.filter((step) => step.do === 'post_recv' && step.length > 0);
  const victim = buffers[at % Math.max(1, buffers.length)];
  return receives.map((step) => {
    if (step !== victim || step.do !== 'post_recv') return step;
    switch (how.kind) {
      case 'short':
        return { ...step, length: Math.max(0, step.length - how.by) };
      case 'local':
        return { ...step, localFault: how.fault, sges: Math.min(how.sges, step.length) };
      case 'disabled':
      case 'misaligned':
        return step;
    }
  });
}

/** The packets, one ATOMIC of them moved off its address. */
function misaligned(packets: readonly PacketPlan[], at: number): PacketPlan[] {
  const atomics = packets.filter(({ atomic }) => atomic !== undefined);
  const victim = atomics[at % Math.max(1, atomics.length)];
  return packets.map((packet) => {
    const { target } = packet;
    if (packet !== victim || target === undefined) return packet;
    return { ...packet, target: { ...target, offset: Math.max(4, target.offset - 4) } };
  });
}

/** Messages of some kinds, of which something is unfit, in some order and then once more in the right one. */
function unfitted(
  profile: Profile,
  kinds: readonly Kind[],
  unfit: fc.Arbitrary<Unfit>,
): fc.Arbitrary<Scenario> {
  return scenarios(
    profile,
    'responder',
    fc.record({ how: unfit, all: messages(profile, kinds, 4), chosen: order(5), at: fc.nat(9) }),
    ({ mtu }, { all, chosen, at, how }) => {
      const made = packetsOf(all, mtu);
      const packets = how.kind === 'misaligned' ? misaligned(made, at) : made;
      const access = fullAccess(profile);
      return {
        ...(how.kind === 'disabled' && { access: access.filter((right) => right !== how.right) }),
        steps: [
          ...spoiledReceives(receivesOf(all, mtu), at, how),
          ...arrival(packets, chosen),
          settle,
          ...packets.map((packet): Step => ({ do: 'inject', packet })),
          settle,
        ],
      };
    },
  );
}

export const unfitReceives: SuiteProperty = {
  ...common,
  id: 'ooo/unfit-receive',
  says: 'A SEND that its receive WQE cannot take is dropped when it comes early, and refused in its turn.',
  arbitrary: (profile) => unfitted(profile, ['send', 'send-imm', 'send', 'write'], unfitReceive()),
  aims: ['ooo-early-unfit', 'ooo-send-too-long', 'ooo-receive-buffer-faulty', 'ooo-nak-called-for'],
};

export const unfitRequests: SuiteProperty = {
  ...common,
  id: 'ooo/unfit-request',
  says: 'A request that the QP does not allow, or a misaligned ATOMIC, is dropped when it comes early, and refused in its turn.',
  arbitrary: (profile) =>
    unfitted(profile, ['fetch-add', 'read', 'write', 'cmp-swap', 'write-imm', 'send'], unfitRequest()),
  aims: ['ooo-early-unfit', 'ooo-operation-disabled', 'ooo-atomic-misaligned', 'ooo-nak-called-for'],
};

/** Numbers that a packet is given in place of its own, by how far they are off; `none`: it carries none. */
type Off = { receive: number | 'none' } | { read: number | 'none' };

/** The packet with another number, where it has one. */
function misnumbered(packet: PacketPlan, off: Off): PacketPlan {
  const { place } = packet;
  if (place === undefined) return packet;
  const { recvWqe, readWqe, offset } = place;
  const other = (own: number | undefined, by: number | 'none'): number | undefined =>
    own === undefined || by === 'none' ? undefined : Math.max(0, own + by);
  const receive = 'receive' in off ? other(recvWqe, off.receive) : recvWqe;
  const read = 'read' in off ? other(readWqe, off.read) : readWqe;
  return {
    ...packet,
    place: {
      offset,
      ...(receive !== undefined && { recvWqe: receive }),
      ...(read !== undefined && { readWqe: read }),
    },
  };
}

export const wrongNumbers: SuiteProperty = {
  ...common,
  id: 'ooo/wrong-numbers',
  says: 'A packet whose numbers contradict its place harms no memory that it does not name.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      fc.record({
        all: messages(profile, ['send', 'read', 'send-imm', 'write-imm', 'fetch-add', 'write'], 4),
        chosen: order(5),
        at: fc.nat(9),
        off: fc.oneof(
          fc.record({ receive: fc.constantFrom<number | 'none'>(1, -1, 2, 'none') }),
          fc.record({ read: fc.constantFrom<number | 'none'>(1, -1, 2, 'none') }),
        ),
      }),
      ({ mtu }, { all, chosen, at, off }) => {
        const packets = packetsOf(all, mtu);
        const victim = at % Math.max(1, packets.length);
        return {
          steps: [
            ...receivesOf(all, mtu),
            ...arrival(
              packets.map((packet, i) => (i === victim ? misnumbered(packet, off) : packet)),
              chosen,
            ),
            settle,
            ...packets.map((packet): Step => ({ do: 'inject', packet })),
            settle,
          ],
        };
      },
    ),
  aims: ['ooo-matched', 'device-survives-frames'],
};
