import fc from 'fast-check';
import { settle } from '../arbitraries/packets.ts';
import { hasAtomics } from '../arbitraries/base.ts';
import { cellOf, pairs, range, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { Reply, Step } from '../scenario.ts';
import { answeredJobs, everyJob, isAtomic, job, jobs, type JobKind } from './jobs.ts';
import { exchange } from './exchange.ts';
import {
  answer,
  answerFrom,
  answerUpTo,
  needsResponse,
  postAll,
  respond,
  share,
  workOf,
  wrPsn,
} from './parts.ts';
import { evenly } from './timing.ts';
import { expectedAt } from './sequence-nak.ts';

function refusal(): fc.Arbitrary<Reply> {
  return evenly(1, 3).map((code): Reply => ({ kind: 'nak', code }));
}

/** Every NAK code that ends a request, for each kind of request. */
const fatalNaks: Grid<[number, JobKind]> = {
  name: 'code of a fatal NAK, and kind of the request',
  cells: (profile) =>
    pairs(
      range(1, 3),
      everyJob.filter((kind) => hasAtomics(profile) || !isAtomic({ kind })),
    ),
};

/** The job that a share 0..1 of some falls on. */
function refusedOf(all: readonly unknown[], part: number): number {
  return Math.min(all.length - 1, Math.floor(part * all.length));
}

export const fatalNak: SuiteProperty = {
  id: 'rc-requester/fatal-nak',
  suite: 'rc-requester',
  says: 'A NAK that reports an error fails its request at once: what is before completes, what is behind is flushed.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        all: jobs(profile, everyJob, 5),
        part: share(),
        reply: refusal(),
        // `needed`: what the NAK itself acknowledges has no answer of its own
        before: fc.constantFrom('all', 'needed', 'needed', 'none'),
        after: fc.array(job(profile, everyJob), { maxLength: 2 }),
        late: fc.boolean(),
        cell: cellOf(fatalNaks, profile),
      },
      jobs: ({ all, part, cell }) =>
        all.map((one, n) =>
          cell !== undefined && n === refusedOf(all, part) ? { ...one, kind: cell[1] } : one,
        ),
      parts: (work, { all, part, reply: drawn, before, after, late, cell }, { mtu }) => {
        const n = refusedOf(all, part);
        const within = expectedAt({ ...work, wrs: work.wrs.slice(n, n + 1) }, part);
        const spot = cell === undefined ? expectedAt(work, part) : { n, index: within.index };
        const reply: Reply = cell === undefined ? drawn : { kind: 'nak', code: cell[0] };
        const needed = work.wrs.slice(0, spot.n).findLastIndex(needsResponse) + 1;
        const answered = before === 'none' ? 0 : before === 'all' ? spot.n : needed;
        return {
          steps: [
            ...answerUpTo(work, answered, true),
            respond(reply, wrPsn(spot.n, spot.index)),
            settle,
            ...(late ? answerFrom(work, spot.n) : []),
            ...postAll(workOf(after, mtu)),
            // where it was a READ that the NAK passed over, it is asked for again, and refused again
            ...answerUpTo(work, spot.n),
            respond(reply, wrPsn(spot.n, spot.index)),
          ],
        };
      },
    }),
  grids: [fatalNaks],
  aims: [
    'rc-nak-invalid-request-fails',
    'rc-nak-access-error-fails',
    'rc-nak-operational-error-fails',
    'rc-send-failed',
    'rc-send-flushed',
    'rc-send-completed-again',
    'rc-send-completes',
  ],
};

export const readRefused: SuiteProperty = {
  id: 'rc-requester/read-refused-midway',
  suite: 'rc-requester',
  says: 'A READ that is refused in place of one of its responses fails, whatever of it came before.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        before: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 1 }),
        read: job(profile, ['read'], { mostMtus: 4 }),
        followers: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 2 }),
        part: share(),
        code: fc.integer({ min: 1, max: 3 }),
      },
      jobs: ({ before, read, followers }) => [...before, read, ...followers],
      parts: (work, { before, part, code }) => {
        const n = before.length;
        const own = answer(work, n);
        const given = Math.floor(part * own.length);
        return {
          steps: [
            ...answerUpTo(work, n),
            ...own.slice(0, given),
            respond({ kind: 'nak', code }, wrPsn(n, given)),
          ],
        };
      },
    }),
  aims: ['rc-nak-invalid-request-fails', 'rc-nak-access-error-fails', 'rc-nak-operational-error-fails'],
};

/** NAK codes and syndromes that no responder sends. */
const reservedAnswers: Grid<Reply> = {
  name: 'reserved NAK code or syndrome',
  cells: () => [
    ...range(4, 31).map((code): Reply => ({ kind: 'nak', code })),
    ...[...range(0x40, 0x5f), ...range(0x80, 0xff)].map((value): Reply => ({ kind: 'syndrome', value })),
  ],
};

export const reservedNak: SuiteProperty = {
  id: 'rc-requester/reserved-nak',
  suite: 'rc-requester',
  says: 'NAK codes and syndromes that stand for nothing a responder may say do not go through as an answer.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        before: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 1 }),
        behind: jobs(profile, everyJob, 3, { mostMtus: 1 }),
        code: evenly(4, 31),
        syndrome: fc.oneof(evenly(0x40, 0x5f), evenly(0x80, 0xff)),
        whole: fc.boolean(),
        cell: cellOf(reservedAnswers, profile),
      },
      jobs: ({ before, behind }) => [...before, ...behind],
      parts: (work, { before, code, syndrome, whole, cell }) => {
        const n = before.length;
        const rolled: Reply = whole ? { kind: 'syndrome', value: syndrome } : { kind: 'nak', code };
        return {
          steps: [...answerUpTo(work, n), respond(cell ?? rolled, wrPsn(n)), settle, ...answerFrom(work, n)],
        };
      },
    }),
  grids: [reservedAnswers],
  aims: ['rc-response-reserved', 'rc-send-unacknowledged', 'rc-timeout-early'],
};

type Oddity = 'wrong-kind' | 'length' | 'position' | 'reserved-syndrome';

export const oddResponses: SuiteProperty = {
  id: 'rc-requester/odd-responses',
  suite: 'rc-requester',
  says: 'A response that cannot belong to the request at its PSN ends the QP with a bad response, or is passed over.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        before: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 1 }),
        one: fc.oneof(job(profile, answeredJobs, { mostMtus: 3 }), job(profile, everyJob)),
        followers: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 2 }),
        oddity: fc.constantFrom<Oddity>('wrong-kind', 'length', 'position', 'reserved-syndrome'),
        part: share(),
        position: fc.constantFrom('FIRST', 'MIDDLE', 'LAST', 'ONLY'),
        bytes: fc.constantFrom(-1, 1, -4, 4),
        syndrome: fc.oneof(fc.integer({ min: 0x40, max: 0x5f }), fc.integer({ min: 0x80, max: 0xff })),
      },
      jobs: ({ before, one, followers }) => [...before, one, ...followers],
      parts: (work, { before, one, oddity, part, position, bytes, syndrome }) => {
        const n = before.length;
        const own = answer(work, n);
        const given = Math.floor(part * own.length);
        const isRead = one.kind === 'read';
        const reply = (): Reply => {
          switch (oddity) {
            case 'wrong-kind':
              return isRead ? { kind: 'atomic' } : { kind: 'read', position: 'ONLY' };
            case 'length':
              return isRead ? { kind: 'read', bytes } : { kind: 'read', position: 'ONLY' };
            case 'position':
              return { kind: 'read', position };
            case 'reserved-syndrome':
              return { kind: 'syndrome', value: syndrome };
          }
        };
        const step: Step = respond(reply(), wrPsn(n, given));
        return {
          steps: [
            ...answerUpTo(work, n),
            ...own.slice(0, given),
            step,
            settle,
            ...answerFrom(work, n, given),
          ],
        };
      },
    }),
  aims: ['rc-response-unfit', 'rc-response-reserved', 'rc-memory-fetched'],
};
