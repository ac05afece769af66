import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { fullAccess } from '../arbitraries/base.ts';
import { otherSources } from '../arbitraries/faults.ts';
import { settle } from '../arbitraries/packets.ts';
import { anyCell, pairs, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { PacketDefect, PacketPlan, RegionPlan, Step } from '../scenario.ts';
import { dataKinds, message, messages, packetsOf, receivesOf, type Message } from './messages.ts';
import { arrival, order, permuted } from './order.ts';
import { common, limitsOf, regionLength, scenarios } from './parts.ts';

export const anyOrder: SuiteProperty = {
  ...common,
  id: 'ooo/any-order',
  says: 'In whatever order the packets of several messages come, doubled or not, memory and completions are as if they had come in order.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      fc.record({ all: messages(profile), chosen: order() }),
      ({ mtu }, { all, chosen }) => ({
        depth: Math.min(16, profile.limits.maxDestRdAtomic),
        steps: [...receivesOf(all, mtu), ...arrival(packetsOf(all, mtu), chosen), settle],
      }),
    ),
  aims: [
    'ooo-memory-whole',
    'ooo-ack-early',
    'ooo-ack-filling',
    'ooo-ack-again',
    'ooo-memory-repeated',
    'ooo-completion-order',
    'ooo-completion-immediate',
    'ooo-completion-length',
    'ooo-response-msn',
    'ooo-duplicate-data',
  ],
};

export const missing: SuiteProperty = {
  ...common,
  id: 'ooo/missing',
  says: 'While a packet is missing, those behind it are in memory already, but nothing completes.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      fc.record({
        all: messages(profile),
        chosen: order(),
        lost: fc.array(fc.nat(9), { minLength: 1, maxLength: 3 }),
        again: fc.array(fc.nat(6), { maxLength: 3 }),
        comes: fc.boolean(),
      }),
      ({ mtu }, { all, chosen, lost, again, comes }) => {
        const packets = packetsOf(all, mtu);
        const absent = new Set(lost.map((n) => n % packets.length));
        const rest = packets.filter((_, i) => !absent.has(i));
        const late = packets.filter((_, i) => absent.has(i));
        return {
          steps: [
            ...receivesOf(all, mtu),
            ...arrival(rest, chosen),
            settle,
            ...(rest.length === 0 ? [] : again).flatMap((back): Step[] => [{ do: 'reinject', back }, settle]),
            ...(comes ? [...arrival(late, { ...chosen, late: [0] }), settle] : []),
          ],
        };
      },
    ),
  aims: [
    'ooo-memory-arriving',
    'ooo-duplicate-waiting',
    'ooo-ack-again',
    'ooo-completion-premature',
    'ooo-completion-owed',
    'ooo-ack-cumulative',
    'ooo-answer-waiting',
    'ooo-place-send',
    'ooo-place-write',
  ],
};

export const requests: SuiteProperty = {
  ...common,
  id: 'ooo/requests-in-turn',
  says: 'READs and ATOMICs that come early wait for everything in front of them, are executed once, and are answered in order.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      fc.record({
        all: fc.array(
          fc.oneof(
            { weight: 3, arbitrary: message(profile, ['read', 'fetch-add', 'cmp-swap'], 2) },
            message(profile, dataKinds, 1),
          ),
          { minLength: 2, maxLength: 7, size: 'max' },
        ),
        chosen: order(6),
        again: fc.array(fc.nat(12), { maxLength: 4 }),
      }),
      ({ mtu, depth }, { all, chosen, again }) => {
        const packets = packetsOf(all, mtu);
        return {
          depth: Math.max(2, depth),
          steps: [
            ...receivesOf(all, mtu),
            ...arrival(packets, chosen),
            settle,
            ...again.map((n): Step => ({ do: 'inject', packet: packets[n % packets.length] ?? packets[0]! })),
            settle,
          ],
        };
      },
    ),
  aims: [
    'ooo-answer-in-order',
    'ooo-answer-waiting',
    'ooo-answer-data',
    'ooo-answer-msn',
    'ooo-duplicate-atomic',
    'ooo-duplicate-read',
    'ooo-duplicate-waiting',
    'ooo-turn-read',
    'ooo-turn-atomic',
    'ooo-hold-read',
    'ooo-hold-atomic',
    'ooo-answer-unasked',
    'ooo-early-without-slot',
  ],
};

export const notPosted: SuiteProperty = {
  ...common,
  id: 'ooo/not-posted',
  says: 'An early packet without its receive WQE is as good as lost; the next one gets an RNR NAK, and goes through later.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      fc.record({ all: messages(profile, dataKinds, 4), chosen: order(), posted: fc.nat(3) }),
      ({ mtu }, { all, chosen, posted }) => {
        const packets = packetsOf(all, mtu);
        const receives = receivesOf(all, mtu);
        return {
          steps: [
            ...receives.slice(0, posted),
            ...arrival(packets, chosen),
            settle,
            ...receives.slice(posted),
            ...packets.map((packet): Step => ({ do: 'inject', packet })),
            settle,
          ],
        };
      },
    ),
  aims: ['ooo-next-without-receive', 'ooo-early-without-receive', 'ooo-nak-called-for'],
};

export const farAhead: SuiteProperty = {
  ...common,
  id: 'ooo/far-ahead',
  says: 'A packet beyond the window, and a READ beyond the slots, are dropped as if lost.',
  arbitrary: (profile) => {
    const { window } = limitsOf(profile);
    return scenarios(
      profile,
      'responder',
      fc.record({
        first: message(profile, ['write', 'send'], 1),
        reads: fc.integer({ min: 0, max: 20 }),
        behind: messages(profile, dataKinds, 2),
        ahead: fc.constantFrom(0, 1, -1, 2, -2, 7),
        from: fc.constantFrom<'window' | 'slots'>('window', 'slots'),
      }),
      ({ mtu, depth }, { first, reads, behind, ahead, from }) => {
        const read: Message = { ...first, kind: 'read', size: { mtus: 0, bytes: 8 } };
        const filler: Message = { ...first, kind: 'write', size: { mtus: 0, bytes: 4 } };
        const between =
          from === 'slots'
            ? Array.from({ length: Math.max(1, Math.min(reads, depth + 2 + ahead)) }, () => read)
            : Array.from({ length: Math.max(1, window - 1 + ahead) }, () => filler);
        const all = [{ ...first, size: { mtus: 0, bytes: 4 } }, ...between, ...behind];
        const packets = packetsOf(all, mtu);
        const [next, ...others] = packets;
        const early =
          from === 'slots' ? others.slice(0, between.length) : others.slice(Math.max(0, between.length - 2));
        return {
          depth: Math.min(depth, 6),
          steps: [
            ...receivesOf(all, mtu),
            ...early.map((packet): Step => ({ do: 'inject', packet })),
            settle,
            ...(next === undefined ? [] : [{ do: 'inject' as const, packet: next }]),
            settle,
            ...(from === 'slots' ? others.map((packet): Step => ({ do: 'inject', packet })) : []),
            settle,
          ],
        };
      },
    );
  },
  aims: ['ooo-arrival-beyond', 'ooo-early-without-slot'],
};

const faulty = ['rights', 'rkey', 'pd', 'beyond'] as const;
type Faulty = (typeof faulty)[number];

/** In which packet it is: of a long WRITE, or any. Each packet of a WRITE names its memory by itself. */
const spoiled: Grid<[Faulty, 'first' | 'later' | 'any']> = {
  name: 'what is wrong with the memory that a packet names, and which one',
  cells: () => pairs(faulty, ['later', 'any', 'first'] as const),
};

export const forbidden: SuiteProperty = {
  ...common,
  id: 'ooo/forbidden',
  says: 'A packet that names memory it may not touch is dropped when it comes early, and refused in its turn.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      fc.record({
        drawn: messages(profile, ['write', 'write-imm', 'read', 'send', 'fetch-add'], 4),
        long: message(profile, ['write', 'write-imm'], 3),
        cell: anyCell(spoiled, profile),
        chosen: order(5),
        at: fc.nat(9),
      }),
      ({ mtu }, { drawn, long, cell: [how, which], chosen, at }) => {
        const access = fullAccess(profile);
        const write: Message = { ...long, size: { ...long.size, mtus: Math.max(2, long.size.mtus) } };
        const all = which === 'any' ? drawn : [write, ...drawn.slice(1)];
        const packets = packetsOf(all, mtu);
        const own = packetsOf([write], mtu).length;
        const victim = which === 'any' ? at : which === 'first' ? 0 : 1 + (at % Math.max(1, own - 1));
        const wrong = spoil(packets, victim, how, mtu);
        return {
          regions: [{ length: regionLength(mtu), access, fill: 1 }, otherRegion(profile, how, mtu)],
          steps: [
            ...receivesOf(all, mtu),
            ...arrival(wrong, chosen),
            settle,
            ...wrong.map((packet): Step => ({ do: 'inject', packet })),
            settle,
          ],
        };
      },
    ),
  grids: [spoiled],
  aims: ['ooo-early-faulty', 'ooo-access-refused', 'ooo-memory-refused', 'ooo-nak-called-for'],
};

/** A region that may not be touched by the QP's peer. */
function otherRegion(profile: Profile, how: Faulty, mtu: number): RegionPlan {
  const access = how === 'pd' ? fullAccess(profile) : (['IBV_ACCESS_LOCAL_WRITE'] as const).slice();
  return { length: regionLength(mtu), access, fill: 9, ...(how === 'pd' && { foreignPd: true }) };
}

/** The packets, one of them made to name memory that it may not touch. */
function spoil(packets: readonly PacketPlan[], at: number, how: Faulty, mtu: number): PacketPlan[] {
  const named = packets.filter((p) => p.target !== undefined);
  const victim = named[at % Math.max(1, named.length)];
  return packets.map((packet) => {
    const { target } = packet;
    if (packet !== victim || target === undefined) return packet;
    if (how === 'rkey') return { ...packet, target: { ...target, rkey: 'bad' } };
    if (how === 'beyond') return { ...packet, target: { ...target, offset: regionLength(mtu) + 8 } };
    return { ...packet, target: { ...target, region: 1 } };
  });
}

export const sharedBuffers: SuiteProperty = {
  ...common,
  id: 'ooo/shared-buffers',
  says: 'Where receive buffers overlap, an early packet does not overwrite what is left of an older message, if the device guards them.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      fc.record({ all: messages(profile, ['send', 'send-imm'], 4), chosen: order(6) }),
      (chosenBase, { all, chosen }) => {
        const { mtu } = chosenBase;
        const packets = packetsOf(all, mtu);
        const receives = receivesOf(all, mtu).map((step, i): Step =>
          step.do === 'post_recv' ? { ...step, length: 4 * mtu, ...(i > 0 && { again: true }) } : step,
        );
        return {
          steps: [
            ...receives,
            ...arrival(packets, chosen),
            settle,
            ...packets.map((packet): Step => ({ do: 'inject', packet })),
            settle,
          ],
        };
      },
    ),
  aims: ['ooo-early-fenced', 'ooo-memory-whole'],
};

const defects: PacketDefect[] = [
  { kind: 'icrc' },
  { kind: 'tver', value: 3 },
  { kind: 'pkey', value: 0x1234 },
  { kind: 'dest-qp' },
  ...otherSources,
  { kind: 'service', service: 'RC' },
  { kind: 'service', service: 'UC' },
];

export const damaged: SuiteProperty = {
  ...common,
  id: 'ooo/damaged',
  says: 'A packet that fails header validation is dropped, as if it had been lost.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      fc.record({
        all: messages(profile, undefined, 3),
        chosen: order(4),
        at: fc.nat(9),
        defect: fc.constantFrom(...defects),
        comes: fc.boolean(),
      }),
      ({ mtu }, { all, chosen, at, defect, comes }) => {
        const packets = packetsOf(all, mtu);
        const spoiled = packets.map((packet, i) =>
          i === at % packets.length ? { ...packet, defect } : packet,
        );
        const victim = packets[at % packets.length];
        return {
          steps: [
            ...receivesOf(all, mtu),
            ...permuted(spoiled, chosen).map((packet): Step => ({ do: 'inject', packet })),
            settle,
            ...(comes && victim !== undefined ? [{ do: 'inject' as const, packet: victim }] : []),
            settle,
          ],
        };
      },
    ),
  aims: ['ooo-discard'],
};
