import fc from 'fast-check';
import { fullAccess, hasAtomics, regionLength } from '../arbitraries/base.ts';
import { everyKind, message, packetsOf, send, type Message } from '../arbitraries/message.ts';
import { at, inject, packet, recv, recvs, settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { PacketPlan, Step } from '../scenario.ts';
import { packetsOfLong } from './long.ts';
import { scenarios } from '../rc-responder/parts.ts';
import { packetCount } from '../segments.ts';

/** Packets at PSNs that are counted from the start, so that a copy is the same as the first one. */
interface Placed {
  plan: PacketPlan;
  first: number;
  psns: number;
}

function placed(messages: readonly PacketPlan[], mtu: number): Placed[] {
  let next = 0;
  return messages.map((plan) => {
    const read = plan.operation === 'RDMA_READ_REQUEST';
    const psns = read ? packetCount(plan.target?.length ?? 0, mtu) : 1;
    const one = { plan: { ...plan, psn: { from: 'start' as const, offset: next } }, first: next, psns };
    next += psns;
    return one;
  });
}

/** The rest of a READ from a response on, or the request as it was. */
function again({ plan, psns }: Placed, skip: number, mtu: number): PacketPlan {
  const { target } = plan;
  const from = skip % psns;
  if (target === undefined || plan.operation !== 'RDMA_READ_REQUEST' || from === 0) return plan;
  return {
    ...plan,
    psn: { ...plan.psn, offset: plan.psn.offset + from },
    target: { ...target, offset: target.offset + from * mtu, length: target.length - from * mtu },
  };
}

export const duplicatesWithin: SuiteProperty = {
  id: 'rc-responder/duplicates-within',
  suite: 'rc-responder',
  says: 'Packets that come again in the middle of a message are acknowledged, and the message goes on from where it stood.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: fc.array(message(profile, everyKind, 2), { maxLength: 2 }),
        kind: fc.constantFrom('send', 'write', 'write-imm', 'send-imm'),
        packets: fc.integer({ min: 3, max: 8 }),
        stops: fc.array(
          fc.record({
            behind: fc.integer({ min: 1, max: 7 }),
            back: fc.integer({ min: 1, max: 8 }),
            count: fc.integer({ min: 1, max: 5 }),
            skip: fc.nat(3),
            rests: fc.boolean(),
            asks: fc.boolean(),
          }),
          { minLength: 1, maxLength: 3 },
        ),
        after: message(profile, everyKind, 1),
      }),
      ({ mtu }, { before, kind, packets, stops, after }) => {
        const length = 8 * mtu;
        const long = packetsOfLong(kind, packets, 8, mtu);
        const earlier = before.flatMap((m) => packetsOf(m, mtu, regionLength(mtu)));
        const all = placed([...earlier, ...long], mtu);
        const steps = all.flatMap((one, i): Step[] => {
          const within = i + 1 - earlier.length;
          return [
            inject(one.plan),
            ...(within < 0 ? [settle] : []),
            ...stops
              .filter(({ behind }) => behind === within && within < packets)
              .flatMap(({ back, count, skip, rests, asks }): Step[] => [
                ...(rests ? [settle] : []),
                ...all.slice(Math.max(0, i + 1 - back), Math.min(i + 1, i + 1 - back + count)).map((copy) => {
                  const plan = again(copy, skip, mtu);
                  return inject(asks ? { ...plan, ackReq: true } : plan);
                }),
                ...(rests ? [settle] : []),
              ]),
          ];
        });
        return {
          regions: [{ length, access: fullAccess(profile), fill: 1 }],
          steps: [...recvs(before.length + 2, length), ...steps, settle, ...send(after, mtu), settle],
        };
      },
    ),
  aims: [
    'rc-duplicate-send-write-asked',
    'rc-duplicate-send-write-unasked',
    'rc-memory-repeated',
    'rc-msn-counts-messages',
  ],
};

export const repeatsElsewhere: SuiteProperty = {
  id: 'rc-responder/repeats-elsewhere',
  suite: 'rc-responder',
  says: 'A READ or ATOMIC that comes again with another place or length is answered as what it was, or not at all.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        many: fc.array(message(profile, ['read', 'fetch-add', 'cmp-swap'], 3), {
          minLength: 1,
          maxLength: 4,
        }),
        between: fc.array(message(profile, everyKind, 1), { maxLength: 1 }),
        which: fc.nat(3),
        moved: fc.constantFrom(0, 8, 64),
        longer: fc.constantFrom(0, 1, -1, 300),
        as: fc.constantFrom(undefined, 'RDMA_READ_REQUEST', 'FETCH_ADD', 'COMPARE_SWAP'),
        look: fc.boolean(),
      }),
      ({ mtu }, { many, between, which, moved, longer, as, look }) => {
        const plans = many.flatMap((m) => packetsOf(m, mtu));
        const all = placed([...plans, ...between.flatMap((m) => packetsOf(m, mtu))], mtu);
        const old = all[which % plans.length]?.plan;
        const { target } = old ?? {};
        const possible = as === 'RDMA_READ_REQUEST' || hasAtomics(profile) ? as : undefined;
        const changed =
          old === undefined || target === undefined
            ? []
            : [
                inject({
                  ...old,
                  ...(possible !== undefined && {
                    operation: possible,
                    atomic: old.atomic ?? { compare: '0', swapOrAdd: '1' },
                  }),
                  target: {
                    ...target,
                    offset: moved + (target.offset - (target.offset % 8)),
                    length: Math.max(0, target.length + longer),
                  },
                }),
                settle,
              ];
        return {
          regions: [{ length: 8 * mtu, access: fullAccess(profile), fill: 1 }],
          steps: [
            ...recvs(between.length, 2 * mtu),
            ...all.flatMap(({ plan }) => [inject(plan), settle]),
            ...changed,
            ...(look
              ? [
                  inject(packet('RDMA_READ_REQUEST', { target: { region: 0, offset: 0, length: mtu } })),
                  settle,
                ]
              : []),
          ],
        };
      },
    ),
  aims: ['rc-duplicate-read-unrecorded', 'rc-duplicate-atomic-mismatch'],
};

/** What is wrong with a packet in the middle of a message. */
type Late = 'lost' | 'damaged' | 'short' | 'long' | 'begins' | 'other';

export const lateFaults: SuiteProperty = {
  id: 'rc-responder/late-faults',
  suite: 'rc-responder',
  share: 2,
  says: 'What is wrong with a packet late in a message is noticed there: it is refused, or waited for, and nothing of it is placed.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        kind: fc.constantFrom('send', 'write', 'write-imm', 'send-imm'),
        packets: fc.integer({ min: 4, max: 9 }),
        index: fc.integer({ min: 2, max: 8 }),
        late: fc.constantFrom<Late>('short', 'lost', 'short', 'damaged', 'long', 'begins', 'other'),
        room: fc.constantFrom(9, 9, 3, 2),
        rests: fc.boolean(),
        after: message(profile, everyKind, 1),
      }),
      ({ mtu }, { kind, packets, index: drawn, late, room, rests, after }) => {
        const plans = packetsOfLong(kind, packets, 8, mtu);
        const index = Math.min(drawn, packets - 1);
        const flawed = plans.flatMap((plan, i): Step[] => {
          if (i !== index) return [];
          const { mtus, bytes } = plan.payload;
          switch (late) {
            case 'lost':
              return plans.slice(i + 1, i + 2).map((next) => inject(at(next, 1)));
            case 'damaged':
              return [inject({ ...plan, defect: { kind: 'icrc' } })];
            case 'short':
              return [inject({ ...plan, payload: { mtus, bytes: bytes - 4 } })];
            case 'long':
              return [inject({ ...plan, payload: { mtus: mtus + 1, bytes: bytes + 4 } })];
            case 'begins':
              return plans.slice(0, 1).map(inject);
            case 'other':
              return packetsOfLong(kind.startsWith('send') ? 'write' : 'send', packets, 8, mtu)
                .slice(i, i + 1)
                .map(inject);
          }
        });
        return {
          regions: [{ length: 9 * mtu, access: fullAccess(profile), fill: 1 }],
          steps: [
            recv(room * mtu),
            recv(9 * mtu),
            ...plans.slice(0, index).map(inject),
            ...(rests ? [settle] : []),
            ...flawed,
            settle,
            ...plans.slice(index).map(inject),
            settle,
            ...send(after, mtu),
            settle,
          ],
        };
      },
    ),
  aims: ['rc-length-wrong', 'rc-opcode-out-of-sequence', 'rc-send-too-long', 'rc-request-ahead'],
};

export const notReadyLate: SuiteProperty = {
  id: 'rc-responder/not-ready-at-the-end',
  suite: 'rc-responder',
  says: 'A WRITE with immediate that finds no receive WQE at its last packet is refused there by an RNR NAK, and goes on with that packet.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        packets: fc.integer({ min: 2, max: 6 }),
        before: fc.array(message(profile, ['write', 'read', 'fetch-add'], 1), { maxLength: 2 }),
        refusals: fc.integer({ min: 1, max: 3 }),
        repeats: fc.nat(2),
        waits: fc.boolean(),
        followers: fc.array(message(profile, everyKind, 1), { maxLength: 2 }),
      }),
      ({ mtu }, { packets, before, refusals, repeats, waits, followers }) => {
        const plans = packetsOfLong('write-imm', packets, 8, mtu);
        const last = plans.slice(-1).map(inject);
        const ahead = followers
          .slice(0, 1)
          .flatMap((m: Message) => packetsOf(m, mtu).slice(0, 1))
          .map((plan) => inject(at(plan, 1)));
        return {
          regions: [{ length: 9 * mtu, access: fullAccess(profile), fill: 1 }],
          steps: [
            ...before.flatMap((m) => send(m, mtu)),
            settle,
            ...plans.slice(0, -1).map(inject),
            ...Array.from({ length: refusals }, (): Step[] => [
              ...last,
              settle,
              ...ahead,
              ...Array.from({ length: repeats }, (): Step => ({ do: 'reinject', back: 1 })),
              ...(waits ? [{ do: 'sleep' as const, us: 700 }] : []),
            ]).flat(),
            settle,
            recv(mtu),
            recv(2 * mtu),
            recv(2 * mtu),
            ...last,
            settle,
            ...followers.flatMap((m) => send(m, mtu)),
            settle,
          ],
        };
      },
    ),
  aims: ['rc-receiver-not-ready', 'rc-write-immediate-asked', 'rc-msn-in-nak', 'rc-request-early'],
};
