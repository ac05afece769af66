import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { fullAccess, hasAtomics } from '../arbitraries/base.ts';
import { everyKind, message, packetsOf, send, type Message } from '../arbitraries/message.ts';
import { inject, recvs, settle } from '../arbitraries/packets.ts';
import { onGrid, pairs, range, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { PacketPlan } from '../scenario.ts';
import { scenarios } from '../rc-responder/parts.ts';
import { responders, ucMessage } from '../unreliable/uc-parts.ts';

type Kind = Message['kind'];

/** Powers of two by which an address is off, upwards and downwards: nothing to a device that keeps fewer bits. */
const distances: readonly number[] = [32, 31, 33, 24, 16, 40, 48, 20, 47, ...range(34, 39)].flatMap(
  (bits) => [2 ** bits, -(2 ** bits)],
);

function kindsOf(profile: Profile): Kind[] {
  const all = ['write', 'read', 'fetch-add', 'write-imm', 'cmp-swap'] as const;
  return all.filter(
    (kind) => hasAtomics(profile) || kind === 'write' || kind === 'read' || kind === 'write-imm',
  );
}

const far: Grid<[Kind, number]> = {
  name: 'kind of request, and how far its memory is from the region',
  cells: (profile) => pairs(kindsOf(profile), distances.slice(0, 6)),
};
const ucFar: Grid<['write' | 'write-imm', number]> = {
  name: 'kind of WRITE, and how far its memory is from the region',
  cells: () => pairs(['write', 'write-imm'] as const, distances.slice(0, 6)),
};

/** The packets of a message whose memory is so many bytes away from a place inside the region. */
function away(m: Message, mtu: number, by: number): PacketPlan[] {
  return packetsOf(m, mtu).map((plan) =>
    plan.target === undefined
      ? plan
      : { ...plan, target: { ...plan.target, offset: plan.target.offset + by } },
  );
}

/** A request of no bytes needs no memory. */
function some(m: Message): Message {
  return { ...m, size: { ...m.size, bytes: Math.max(1, m.size.bytes) } };
}

export const farOff: SuiteProperty = {
  id: 'rc-responder/memory-far-off',
  suite: 'rc-responder',
  says: 'A request for memory that is a power of two away from the region is refused, whichever of the 64 bits of its address tells.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        one: onGrid(
          far,
          profile,
          fc.tuple(fc.constantFrom(...kindsOf(profile)), fc.constantFrom(...distances)),
        ),
        like: message(profile, ['write'], 2),
        before: fc.array(message(profile, everyKind, 1), { maxLength: 1 }),
        after: message(profile, everyKind, 1),
      }),
      ({ mtu }, { one: [kind, by], like, before, after }) => ({
        regions: [{ length: 3 * mtu, access: fullAccess(profile), fill: 1 }],
        steps: [
          ...recvs(3, 3 * mtu),
          ...before.flatMap((m) => [...send(m, mtu), settle]),
          ...away(some({ ...like, kind }), mtu, by).map(inject),
          settle,
          ...send(after, mtu),
          settle,
        ],
      }),
    ),
  grids: [far],
  aims: ['rc-remote-access-denied', 'rc-memory-refused'],
};

export const ucFarOff: SuiteProperty = {
  id: 'uc/memory-far-off',
  suite: 'uc',
  requires: ['uc'],
  says: 'A WRITE to memory that is a power of two away from the region changes nothing, and the next message is carried out.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        one: onGrid(
          ucFar,
          profile,
          fc.tuple(fc.constantFrom('write' as const, 'write-imm' as const), fc.constantFrom(...distances)),
        ),
        like: ucMessage(profile, 2, ['write']),
        after: ucMessage(profile, 2),
      }),
      ({ mtu }, { one: [kind, by], like, after }) => ({
        steps: [
          ...recvs(3, 3 * mtu),
          ...away(some({ ...like, kind }), mtu, by).map(inject),
          settle,
          ...send(after, mtu),
          settle,
        ],
      }),
    ),
  grids: [ucFar],
  aims: ['uc-access-denied', 'unreliable-memory-refused'],
};
