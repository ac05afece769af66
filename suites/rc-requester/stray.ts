import fc from 'fast-check';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { Reply, ResponsePsn, Step } from '../scenario.ts';
import { everyJob, jobs } from './jobs.ts';
import { exchange } from './exchange.ts';
import { answer, respond } from './parts.ts';

/** Distances from the edge of the window: at it, near it, and as far as a PSN can be. */
function distance(): fc.Arbitrary<number> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: fc.nat(3) },
    fc.constantFrom(0x3fffff, 0x7ffff0),
    fc.nat(0x7ffff0),
  );
}

function anyReply(): fc.Arbitrary<Reply> {
  return fc.oneof(
    { withCrossShrink: true },
    fc.constant<Reply>({ kind: 'ack' }),
    fc.constantFrom<Reply>({ kind: 'nak', code: 0 }, { kind: 'rnr', timer: 1 }, { kind: 'rnr', timer: 0 }),
    fc.integer({ min: 1, max: 3 }).map((code): Reply => ({ kind: 'nak', code })),
    fc.constantFrom('ONLY', 'FIRST', 'MIDDLE', 'LAST').map((position): Reply => ({ kind: 'read', position })),
    fc.constant<Reply>({ kind: 'atomic' }),
  );
}

/** A response that the requester must ignore: its PSN was acknowledged before (old), or was never sent (premature). */
export function strayResponse(kind?: 'old' | 'premature'): fc.Arbitrary<Step> {
  const old = distance().map((d): ResponsePsn => ({ from: 'oldest', offset: -1 - d }));
  const premature = distance().map((d): ResponsePsn => ({ from: 'newest', offset: 1 + d }));
  const psn =
    kind === 'old'
      ? old
      : kind === 'premature'
        ? premature
        : fc.oneof({ withCrossShrink: true }, old, premature);
  return fc.tuple(anyReply(), psn).map(([reply, at]) => respond(reply, at));
}

export const stray: SuiteProperty = {
  id: 'rc-requester/stray-responses',
  suite: 'rc-requester',
  says: 'Responses to what is long acknowledged, and to what was never sent, change nothing.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        all: jobs(profile, everyJob, 4),
        strays: fc.array(fc.array(strayResponse(), { maxLength: 2 }), { minLength: 1, maxLength: 5 }),
        wait: fc.boolean(),
      },
      jobs: ({ all }) => all,
      parts: (work, { strays, wait }) => {
        const { wrs } = work;
        const strayAt = (n: number): Step[] => [...(strays[n] ?? []), ...(wait ? [settle] : [])];
        return {
          steps: [...strayAt(0), ...wrs.flatMap((_, n) => [...answer(work, n), ...strayAt(n + 1)])],
        };
      },
    }),
  aims: ['rc-response-duplicate', 'rc-response-ghost', 'rc-send-unacknowledged', 'rc-no-progress-no-reload'],
};
