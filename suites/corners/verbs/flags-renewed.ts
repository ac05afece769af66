import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import type { SuiteProperty } from '../../property.ts';
import { exchange } from '../../rc-requester/exchange.ts';
import { job } from '../../rc-requester/jobs.ts';
import { answer, post, requestsFrom, sent, workOf } from '../../rc-requester/parts.ts';
import type { Scenario, WrPlan } from '../../scenario.ts';
import { query, settle } from '../../verbs/parts.ts';

/** Requests one after the other, each completed before the next. */
function requests(profile: Profile): fc.Arbitrary<Scenario> {
  return exchange(profile, {
    draw: {
      first: job(profile, ['send'], { mostMtus: 1, signaled: true }),
      flags: fc.array(fc.record({ signaled: fc.boolean(), solicited: fc.boolean() }), {
        minLength: 6,
        maxLength: 12,
        size: 'max',
      }),
    },
    jobs: ({ first }) => [first],
    parts: (work, { first, flags }, { mtu }) => {
      const [one] = workOf([first], mtu).wrs;
      if (one === undefined) throw new Error('a request is made');
      // one that is not signaled keeps its place until one behind it has completed
      const wrs = [
        one,
        ...flags.map(({ signaled, solicited }, i): WrPlan => ({
          ...one,
          signaled: signaled || i % 2 === 1,
          solicited,
        })),
      ];
      const all = { wrs: [...wrs, { ...one, signaled: true }], mtu };
      return {
        retryCnt: 7,
        steps: [
          ...answer(work, 0),
          settle,
          ...all.wrs
            .slice(1)
            .flatMap((wr, i) => [
              post(wr),
              ...sent(profile, requestsFrom({ wrs: [wr], mtu })),
              ...answer(all, i + 1),
              settle,
            ]),
          query,
        ],
      };
    },
  });
}

/** A send queue is filled again and again, by requests whose flags differ. */
export const flagsRenewed: SuiteProperty = {
  id: 'verbs/flags-renewed',
  suite: 'verbs',
  says: 'A request has the flags that it was posted with, whatever stood in its place of the send queue before.',
  arbitrary: (profile) =>
    fc
      .record({
        scenario: requests(profile),
        room: fc.integer({ min: 2, max: 4 }),
      })
      .map(({ scenario, room }) => ({
        ...scenario,
        requester: { ...scenario.requester, maxSendWr: room },
      })),
  aims: ['rc-request-solicited', 'rc-send-completes'],
};
