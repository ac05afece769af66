import fc from 'fast-check';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { Reply, Step } from '../scenario.ts';
import { exchange } from '../rc-requester/exchange.ts';
import { dataJobs, everyJob, job, jobs } from '../rc-requester/jobs.ts';
import { answerFrom, answerUpTo, requestsFrom, respond, wrPsn } from '../rc-requester/parts.ts';
import { rnrUs, shortRnrCode } from '../rc-requester/timing.ts';

/** What may come to a requester while it waits for its receiver. */
const replies: readonly Reply[] = [
  { kind: 'nak', code: 1 },
  { kind: 'nak', code: 2 },
  { kind: 'nak', code: 3 },
  { kind: 'ack' },
  { kind: 'rnr', timer: 5 },
];

export const answersInWait: SuiteProperty = {
  id: 'rc-requester/answers-in-rnr-wait',
  suite: 'rc-requester',
  says: 'An ACK, another RNR NAK or a NAK that ends the connection counts although the requester waits for its receiver.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        before: jobs(profile, everyJob, 2, { mostMtus: 1 }),
        refused: job(profile, dataJobs, { mostMtus: 2 }),
        followers: jobs(profile, dataJobs, 2, { mostMtus: 1 }),
        code: shortRnrCode(),
        reply: fc.constantFrom(...replies),
        // at the refused request, or at the one behind it, which then has been carried out
        behind: fc.boolean(),
        index: fc.nat(1),
        rests: fc.boolean(),
      },
      jobs: ({ before, refused, followers }) => [...before, refused, ...followers],
      parts: (work, { before, code, reply, behind, index, rests }) => {
        const n = before.length;
        const at = behind ? n + 1 : n;
        const within = !behind && (work.wrs[n]?.length ?? 0) > work.mtu ? index : 0;
        const steps: Step[] = [
          ...answerUpTo(work, n),
          respond({ kind: 'rnr', timer: code }, wrPsn(n)),
          ...(rests ? [settle] : []),
          respond(reply, wrPsn(at, within)),
          { do: 'await', packets: requestsFrom(work, at), us: rnrUs(profile, code) },
          settle,
          ...answerFrom(work, at),
        ];
        return { rnrRetry: 7, retryCnt: 7, steps };
      },
    }),
  aims: ['rc-send-failed', 'rc-rnr-wait', 'rc-send-completes'],
};
