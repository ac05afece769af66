import fc from 'fast-check';
import { everyKind, lengthOf, message, packetsOf, psnsOf, send } from '../arbitraries/message.ts';
import type { Message, MessageKind } from '../arbitraries/message.ts';
import { at, inject, packet, recvs, settle } from '../arbitraries/packets.ts';
import type { Profile } from '../../adapters/adapter.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { play, scenarios, turns } from './parts.ts';

export const duplicates: SuiteProperty = {
  id: 'rc-responder/duplicates',
  suite: 'rc-responder',
  says: 'A request that arrives again, soon or late, is answered again but not carried out again.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        all: turns(message(profile, everyKind, 2), 4),
        again: fc.array(fc.record({ back: fc.nat(8), wait: fc.boolean() }), { minLength: 1, maxLength: 4 }),
        after: message(profile, everyKind, 1),
      }),
      ({ mtu }, { all, again, after }) => ({
        steps: [
          ...play(all, mtu),
          ...recvs(1, mtu + 64),
          settle,
          ...again.flatMap(({ back, wait }): Step[] => [{ do: 'reinject', back }, ...(wait ? [settle] : [])]),
          ...send(after, mtu),
        ],
      }),
    ),
  aims: ['rc-duplicate-send-write-asked', 'rc-duplicate-read', 'rc-duplicate-atomic', 'rc-memory-repeated'],
};

const changing: readonly MessageKind[] = ['write', 'write-imm', 'fetch-add', 'cmp-swap'];

export const overtakenDuplicates: SuiteProperty = {
  id: 'rc-responder/overtaken-duplicates',
  suite: 'rc-responder',
  says: 'A WRITE or ATOMIC that comes again leaves alone what a newer request has written to the same place since.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        old: message(profile, changing, 2),
        newer: message(profile, changing, 2),
        between: fc.array(message(profile, everyKind, 1), { maxLength: 1 }),
        read: fc.boolean(),
      }),
      ({ mtu }, { old, newer, between, read }) => {
        const here = (m: Message): Message => ({ ...m, place: 'start' });
        const first = packetsOf(here(old), mtu);
        const since = [...between, here(newer)].flatMap((m) => packetsOf(m, mtu));
        // one that has come again is the latest, so that the next stands as far back
        const again: Step[] = first.map(() => ({ do: 'reinject', back: since.length + first.length - 1 }));
        const length = Math.max(1, lengthOf(old, mtu));
        const look = packet('RDMA_READ_REQUEST', { target: { region: 0, offset: 0, length } });
        return {
          steps: [
            ...recvs(4, mtu + 64),
            ...[...first, ...since].map(inject),
            settle,
            ...again,
            settle,
            ...(read ? [inject(look), settle] : []),
          ],
        };
      },
    ),
  aims: ['rc-memory-repeated', 'rc-duplicate-send-write-asked', 'rc-duplicate-atomic'],
};

export const partialReads: SuiteProperty = {
  id: 'rc-responder/read-again-in-part',
  suite: 'rc-responder',
  says: 'A READ asked for again from any of its response PSNs on is answered from there on, out of the memory as it is now.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        packets: fc.integer({ min: 1, max: 3 }),
        rest: fc.constantFrom(0, -1, -17),
        skip: fc.nat(2),
        shorten: fc.boolean(),
        changed: fc.boolean(),
        between: fc.array(message(profile, everyKind, 1), { maxLength: 2 }),
      }),
      ({ mtu }, { packets, rest, skip, shorten, changed, between }) => {
        const length = packets * mtu + rest;
        const from = Math.min(skip, packets - 1);
        const writes = changed
          ? [
              inject(
                packet('RDMA_WRITE_ONLY', {
                  payload: { mtus: 0, bytes: 32 },
                  target: { region: 0, offset: 0, length: 32 },
                }),
              ),
            ]
          : [];
        // The PSNs that lie between the part asked for and the expected PSN.
        const later = between.reduce((n, m) => n + psnsOf(m, mtu), writes.length);
        const left = length - from * mtu;
        return {
          steps: [
            ...recvs(between.length, mtu + 64),
            inject(packet('RDMA_READ_REQUEST', { target: { region: 0, offset: 0, length } })),
            settle,
            ...writes,
            ...between.flatMap((m) => send(m, mtu)),
            settle,
            inject(
              at(
                packet('RDMA_READ_REQUEST', {
                  target: { region: 0, offset: from * mtu, length: shorten ? Math.min(left, mtu) : left },
                }),
                -(packets - from) - later,
              ),
            ),
            settle,
          ],
        };
      },
    ),
  aims: ['rc-duplicate-read', 'rc-read-data'],
};

/** As many READs and ATOMICs as a responder can be made to remember, as far as scenarios go; two at least. */
function mostRecords({ limits }: Profile): number {
  return Math.max(2, Math.min(16, limits.maxDestRdAtomic));
}

function several(profile: Profile, minLength: number, maxLength: number): fc.Arbitrary<Message[]> {
  return fc.array(message(profile, ['fetch-add', 'cmp-swap', 'read'], 1), {
    minLength,
    maxLength,
    size: 'max',
  });
}

export const oldAtomics: SuiteProperty = {
  id: 'rc-responder/records-of-reads-and-atomics',
  suite: 'rc-responder',
  says: 'READs and ATOMICs come again, some or all of the last ones, after as many as max_dest_rd_atomic or more; none is carried out twice.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        many: fc.oneof(
          { weight: 2, arbitrary: several(profile, 2, 8) },
          { weight: 1, arbitrary: several(profile, mostRecords(profile), mostRecords(profile)) },
        ),
        // the responder has to remember all of them
        fits: fc.constantFrom(true, true, false),
        // so often all come again from the oldest on, as a requester that goes back sends them; 0: some come in any order
        rounds: fc.constantFrom(2, 0, 1, 2),
        backs: fc.array(fc.nat(7), { minLength: 1, maxLength: 4, size: 'max' }),
        other: fc.boolean(),
        readAgain: fc.boolean(),
      }),
      ({ mtu, ...chosen }, { many, fits, rounds, backs, other, readAgain }) => {
        const most = profile.limits.maxDestRdAtomic;
        const maxDestRdAtomic =
          fits || many.length > 8 ? Math.min(many.length, most) : chosen.maxDestRdAtomic;
        // the one that has come again is the latest, so that the next is as far back
        const inOrder = Array.from({ length: rounds * many.length }, () => many.length - 1);
        const [back = 0] = backs;
        return {
          maxDestRdAtomic,
          steps: [
            ...many.flatMap((m, i): Step[] => [
              ...send(m, mtu),
              ...((i + 1) % Math.max(1, maxDestRdAtomic) === 0 ? [settle] : []),
            ]),
            settle,
            ...(rounds === 0 ? backs : inOrder).flatMap((n): Step[] => [{ do: 'reinject', back: n }, settle]),
            ...(other
              ? packetsOf({ ...(many[0] ?? neverEmpty()), place: 16 }, mtu).map((p) =>
                  inject(at(p, -1 - (back % many.length))),
                )
              : []),
            settle,
            ...(readAgain
              ? [
                  inject(packet('RDMA_READ_REQUEST', { target: { region: 0, offset: 0, length: 64 } })),
                  settle,
                ]
              : []),
          ],
        };
      },
    ),
  aims: [
    'rc-duplicate-atomic',
    'rc-duplicate-atomic-unrecorded',
    'rc-duplicate-atomic-mismatch',
    'rc-duplicate-read-unrecorded',
    'rc-memory-repeated',
  ],
};

function neverEmpty(): never {
  throw new Error('the array has a least length');
}

export const refusedDuplicates: SuiteProperty = {
  id: 'rc-responder/duplicates-with-errors',
  suite: 'rc-responder',
  says: 'A duplicate that could not be carried out, or has no valid opcode, is dropped and never refused.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: fc.array(message(profile, everyKind, 1), { minLength: 1, maxLength: 3 }),
        flaw: fc.constantFrom('key', 'reserved', 'dereg', 'middle'),
        back: fc.integer({ min: 1, max: 4 }),
      }),
      ({ mtu }, { before, flaw, back }) => ({
        steps: [
          ...recvs(before.length + 1, mtu + 64),
          ...before.flatMap((m) => send(m, mtu)),
          settle,
          ...(flaw === 'dereg' ? [{ do: 'dereg_mr' as const, region: 0 }] : []),
          inject(
            at(
              flaw === 'reserved'
                ? packet(0x1f)
                : flaw === 'middle'
                  ? packet('SEND_MIDDLE', { payload: { mtus: 1, bytes: 0 } })
                  : packet('RDMA_READ_REQUEST', {
                      target: { region: 0, offset: 0, length: 8, rkey: flaw === 'key' ? 'bad' : 'good' },
                    }),
              -back,
            ),
          ),
          settle,
          inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 4 } })),
        ],
      }),
    ),
  aims: ['rc-duplicate-other', 'rc-duplicate-read-error'],
};
