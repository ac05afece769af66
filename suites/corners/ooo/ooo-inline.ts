import fc from 'fast-check';
import { settle } from '../../arbitraries/packets.ts';
import { apart, common, limitsOf, scenarios } from '../../ooo/parts.ts';
import type { SuiteProperty } from '../../property.ts';
import { dataJobs, wrOf, type JobKind } from '../../rc-requester/jobs.ts';
import type { ResponsePsn, Step } from '../../scenario.ts';

/** An Acknowledge of all before the `upTo`-th packet, and of the `selective`-th by itself. */
function told(upTo: number, selective?: number): Step {
  const start = (offset: number): ResponsePsn => ({ from: 'start', offset });
  return {
    do: 'respond',
    packet: {
      reply: { kind: 'ack' },
      psn: start(upTo - 1),
      ...(selective !== undefined && { selective: start(selective) }),
    },
  };
}

export const oooInline: SuiteProperty = {
  ...common,
  id: 'ooo/requester-inline',
  says: 'What is sent again is what was posted: inline data are those of the moment of posting, and the R_Key to be invalidated is the same.',
  arbitrary: (profile) => {
    const kinds: readonly JobKind[] = profile.capabilities.includes('send-with-invalidate')
      ? ['send-inv', ...dataJobs]
      : dataJobs;
    return scenarios(
      profile,
      'requester',
      fc.record({
        all: fc.array(
          fc.record({
            kind: fc.constantFrom(...kinds),
            bytes: fc.constantFrom(64, 1, 33),
            solicited: fc.boolean(),
          }),
          { minLength: 2, maxLength: 5, size: 'max' },
        ),
        told: fc.boolean(),
      }),
      ({ mtu }, { all, told: selects }) => {
        const { rto } = limitsOf(profile);
        const work = all.map(({ kind, bytes, solicited }) =>
          wrOf(
            {
              kind,
              solicited,
              size: { mtus: 0, bytes },
              inline: true,
              place: 'start',
              signaled: true,
              fence: false,
              operand: '0',
            },
            mtu,
          ),
        );
        const { wrs, regions } = apart(work, mtu);
        const count = wrs.length;
        return {
          scripted: true,
          retryCnt: 7,
          regions,
          steps: [
            ...wrs.flatMap((wr, i): Step[] => [
              { do: 'post_send', wr },
              { do: 'write_buffer', wr: i, fill: 90 + i },
            ]),
            { do: 'await', packets: count, us: 50 },
            // either the last one shows that those before it are lost, or the timer sends the first one again
            ...(selects ? [told(0, count - 1)] : []),
            { do: 'await', packets: selects ? count - 1 : 1, us: Math.ceil((4 * rto.high) / 1000) + 100 },
            told(count),
            settle,
          ],
        };
      },
    );
  },
  aims: ['ooo-request-payload', 'ooo-resent-lost', 'ooo-resent-timeout'],
};
