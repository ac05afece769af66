import fc from 'fast-check';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { jobs, packetsOf, wrOf } from '../rc-requester/jobs.ts';
import type { Step } from '../scenario.ts';
import { common, limitsOf, scenarios } from './parts.ts';
import { posts } from './requester.ts';

export const drained: SuiteProperty = {
  ...common,
  id: 'ooo/requester-drains',
  says: 'A send queue that is to drain while requests are unanswered says that it has when they are answered.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        all: jobs(profile, ['send', 'write', 'write-imm'], 3, { mostMtus: 2 }),
        rests: fc.boolean(),
        // packets that are answered before the queue is to drain
        before: fc.nat(2),
      }),
      ({ mtu }, { all, rests, before }) => {
        const wrs = all.map((j) => wrOf(j, mtu));
        const sent = Math.min(
          wrs.reduce((n, wr) => n + packetsOf(wr, mtu), 0),
          limitsOf(profile).cap,
        );
        const answered = (packets: number): Step[] =>
          packets === 0
            ? []
            : [
                {
                  do: 'respond',
                  packet: { reply: { kind: 'ack' }, psn: { from: 'start', offset: packets - 1 } },
                },
              ];
        const asks = { en_sqd_async_notify: true };
        return {
          scripted: true,
          timeout: 0,
          steps: [
            ...posts(wrs),
            { do: 'await', packets: sent, us: 50 },
            ...answered(Math.min(before, sent - 1)),
            ...(rests ? [settle] : []),
            { do: 'modify_qp', at: 'requester', state: 'IBV_QPS_SQD', attr: asks },
            settle,
            ...answered(sent),
            settle,
          ],
        };
      },
    ),
  aims: ['drained-too-early', 'drained', 'drained-again'],
};
