import fc from 'fast-check';
import { everyKind, message, packetsOf, send } from '../arbitraries/message.ts';
import { at, inject, recvs, settle } from '../arbitraries/packets.ts';
import { ahead, behind } from '../arbitraries/scalars.ts';
import type { SuiteProperty } from '../property.ts';
import { scenarios } from './parts.ts';

export const gaps: SuiteProperty = {
  id: 'rc-responder/psn-gap',
  suite: 'rc-responder',
  says: 'A gap draws one NAK with the expected PSN; what comes beyond is ignored until the expected PSN arrives.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: fc.array(message(profile, everyKind, 2), { maxLength: 2 }),
        beyond: fc.array(
          fc.record({ message: message(profile, everyKind, 1), offset: ahead(), wait: fc.boolean() }),
          {
            minLength: 1,
            maxLength: 3,
          },
        ),
        duplicate: fc.boolean(),
        after: fc.array(message(profile, everyKind, 2), { maxLength: 2 }),
        again: fc.boolean(),
      }),
      ({ mtu }, { before, beyond, duplicate, after, again }) => {
        const gap = beyond.flatMap(({ message, offset, wait }) => [
          ...packetsOf(message, mtu)
            .slice(0, 1)
            .map((p) => inject(at(p, offset))),
          ...(wait ? [settle] : []),
        ]);
        return {
          steps: [
            ...recvs(5, 2 * mtu + 64),
            ...before.flatMap((m) => send(m, mtu)),
            settle,
            ...gap,
            ...(duplicate ? [{ do: 'reinject' as const, back: beyond.length }, settle] : []),
            ...after.flatMap((m) => send(m, mtu)),
            settle,
            ...(again ? gap : []),
          ],
        };
      },
    ),
  aims: ['rc-request-ahead', 'rc-request-ahead-after-sequence-nak'],
};

export const walk: SuiteProperty = {
  id: 'rc-responder/psn-walk',
  suite: 'rc-responder',
  says: 'Whatever PSNs requests come with, expected, ahead or behind, the answers follow the 24-bit arithmetic.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.array(
        fc.record({
          message: message(profile, everyKind, 1),
          offset: fc.oneof(
            { withCrossShrink: true },
            { weight: 5, arbitrary: fc.constant(0) },
            { weight: 2, arbitrary: behind() },
            { weight: 2, arbitrary: ahead() },
          ),
          wait: fc.boolean(),
        }),
        { minLength: 1, maxLength: 8, size: 'max' },
      ),
      ({ mtu }, moves) => ({
        steps: [
          ...recvs(moves.length, mtu + 64),
          ...moves.flatMap(({ message, offset, wait }) => [
            ...packetsOf(message, mtu)
              .slice(0, 1)
              .map((p) => inject(at(p, offset))),
            ...(wait ? [settle] : []),
          ]),
        ],
      }),
    ),
  aims: ['rc-request-expected', 'rc-request-ahead', 'rc-request-duplicate'],
};
