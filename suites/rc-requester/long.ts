import fc from 'fast-check';
import { cellOf, pairs, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { dataJobs, everyJob, job, psnsOf, wrOf } from './jobs.ts';
import {
  afterTimeout,
  answer,
  answerFrom,
  begun,
  finish,
  needsResponse,
  postAll,
  requestsFrom,
  respond,
  scenarios,
  sent,
  share,
  workOf,
  wrPsn,
} from './parts.ts';
import { patientTimeout, rnrUs, shortRnrCode, timingOf } from './timing.ts';

/** Packets that the longest of these messages takes. */
const longest = 40;

/** What happens in the middle of a long message. */
type Incident = 'ack' | 'nak' | 'rnr' | 'silence';

const kinds = ['send', 'write', 'read', 'write-imm'] as const;

/** Messages of hundreds of packets: where the path MTU is 256, just below 2^16 bytes, as many, and more. */
const hundreds: Grid<[(typeof kinds)[number], number]> = {
  name: 'kind of message, and its packets',
  // a real device may not be done with sending when it is to be answered
  cells: (profile) => (timingOf(profile).virtual ? pairs(kinds, [128, 255, 256, 257, 300]) : []),
  every: 3,
};

export const longMessages: SuiteProperty = {
  id: 'rc-requester/long-messages',
  suite: 'rc-requester',
  says: 'A message of many packets that is acknowledged in part goes on, or again, from where the answers stand.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        long: job(profile, kinds, { mostMtus: longest }),
        followers: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 2 }),
        incidents: fc.array(
          fc.record({ part: share(), what: fc.constantFrom<Incident>('ack', 'nak', 'rnr', 'silence') }),
          { minLength: 1, maxLength: 4 },
        ),
        code: shortRnrCode(),
        timeout: patientTimeout(profile),
        cell: cellOf(hundreds, profile),
      }),
      (base, { long: drawn, followers, incidents, code, timeout, cell }) => {
        const { mtu } = base;
        const region = (cell?.[1] ?? longest) * mtu;
        const size = { mtus: cell?.[1] ?? 0, bytes: Math.min(0, drawn.size.bytes) };
        const long = cell === undefined ? drawn : { ...drawn, kind: cell[0], size };
        const work = { wrs: [wrOf(long, mtu, region), ...followers.map((j) => wrOf(j, mtu))], mtu };
        const [first] = work.wrs;
        const psns = first === undefined ? 1 : psnsOf(first, mtu);
        const read = first !== undefined && needsResponse(first);
        let at = 0;
        const steps = incidents
          .toSorted((a, b) => a.part - b.part)
          .flatMap(({ part, what }): Step[] => {
            const next = Math.max(at, Math.min(psns - 1, Math.floor(part * psns)));
            const own = answer(work, 0);
            const upTo = read ? own.slice(at, next) : [];
            at = next;
            const rest = requestsFrom(work, 0, next);
            switch (what) {
              case 'ack':
                return read || next === 0 ? upTo : [respond({ kind: 'ack' }, wrPsn(0, next - 1))];
              case 'nak':
                return [
                  ...upTo,
                  respond({ kind: 'nak', code: 0 }, read ? wrPsn(1) : wrPsn(0, next)),
                  ...sent(profile, rest),
                ];
              case 'rnr':
                return read
                  ? upTo
                  : [
                      respond({ kind: 'rnr', timer: code }, wrPsn(0, next)),
                      { do: 'await', packets: rest, us: rnrUs(profile, code) },
                    ];
              case 'silence':
                return [...upTo, afterTimeout(profile, timeout, rest)];
            }
          });
        return {
          timeout,
          retryCnt: 7,
          rnrRetry: 7,
          regionLength: region,
          steps: [
            ...begun(profile, work),
            ...steps,
            ...answerFrom(work, 0, read ? at : 0),
            ...finish(profile),
          ],
        };
      },
    ),
  grids: [hundreds],
  aims: [
    'rc-progress-within-request',
    'rc-retransmission-starts-late',
    'rc-retransmission-completed',
    'rc-repeat-same',
    'rc-timer-not-started',
  ],
};

export const partialAcks: SuiteProperty = {
  id: 'rc-requester/partial-acks',
  suite: 'rc-requester',
  says: 'Acknowledgements of single packets, of several at once, and of packets inside of messages complete what they cover.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        all: fc.array(job(profile, dataJobs), { minLength: 1, maxLength: 4, size: 'max' }),
        parts: fc.array(share(), { minLength: 1, maxLength: 6 }),
        inOrder: fc.boolean(),
      }),
      ({ mtu }, { all, parts, inOrder }) => {
        const work = workOf(all, mtu);
        const total = requestsFrom(work);
        const order = inOrder ? parts.toSorted((a, b) => a - b) : parts;
        return {
          steps: [
            ...postAll(work),
            ...sent(profile, total),
            ...order.map((part) =>
              respond({ kind: 'ack' }, { from: 'start', offset: Math.floor(part * total) }),
            ),
            ...answerFrom(work, work.wrs.length - 1),
            ...finish(profile),
          ],
        };
      },
    ),
  aims: ['rc-ack-acknowledges', 'rc-progress-within-request', 'rc-response-duplicate', 'rc-send-completes'],
};
