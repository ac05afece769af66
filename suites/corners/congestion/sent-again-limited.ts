import fc from 'fast-check';
import { cut, dcqcnOf, wide } from '../../congestion/parts.ts';
import { rateAims, write } from '../../congestion/rate.ts';
import type { SuiteProperty } from '../../property.ts';
import {
  afterTimeout,
  answerFrom,
  finish,
  postAll,
  requestsFrom,
  respond,
  scenarios,
  sent,
  wrPsn,
} from '../../rc-requester/parts.ts';
import { timingOf } from '../../rc-requester/timing.ts';

export const sentAgainLimited: SuiteProperty = {
  id: 'congestion/sent-again-limited',
  suite: 'congestion',
  requires: ['rcm', 'dcqcn'],
  says: 'What a limited QP sends again counts as sent: for the bytes that make an increase, and for the rate that it keeps.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        // of the bytes of an increase
        share: fc.constantFrom(0.6, 0.4, 0.8, 1.2),
        times: fc.integer({ min: 1, max: 3 }),
        cuts: fc.integer({ min: 1, max: 2 }),
        cause: fc.constantFrom('sequence NAK', 'RNR NAK', 'timeout'),
      }),
      ({ mtu }, { share, times, cuts, cause }) => {
        const dcqcn = dcqcnOf(profile);
        const widest = wide(profile, { mtu } as Parameters<typeof wide>[1]).mtu;
        const length = Math.max(1, Math.round(share * dcqcn.bytes));
        const work = { wrs: [write(length)], mtu: widest };
        const packets = requestsFrom(work);
        const timeout = timingOf(profile).virtual ? 4 : timingOf(profile).calm;
        const again =
          cause === 'timeout'
            ? [afterTimeout(profile, timeout, packets)]
            : [
                respond(cause === 'RNR NAK' ? { kind: 'rnr', timer: 1 } : { kind: 'nak', code: 0 }, wrPsn(0)),
                ...sent(profile, packets),
              ];
        return {
          ...(cause === 'timeout' && { timeout }),
          retryCnt: 7,
          rnrRetry: 7,
          regionLength: length,
          steps: [
            ...Array.from({ length: cuts }, () => cut(dcqcn)).flat(),
            ...postAll(work),
            ...sent(profile, packets),
            ...Array.from({ length: times }, () => again).flat(),
            ...answerFrom(work),
            ...finish(profile),
          ],
        };
      },
    ).map((scenario) => wide(profile, scenario)),
  aims: rateAims,
};
