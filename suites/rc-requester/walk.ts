import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { Reply, ResponsePsn, Step } from '../scenario.ts';
import { afterTimeout, answer, answerFrom, finish, post, scenarios, sent, workOf } from './parts.ts';
import { everyJob, job, type Job } from './jobs.ts';
import { strayResponse } from './stray.ts';
import { ackTimeoutUs, detectionUs, shortRnrCode, shortTimeout } from './timing.ts';

type Move =
  | { kind: 'post'; job: Job }
  | { kind: 'answer'; upTo: number }
  | { kind: 'refuse'; reply: Reply; psn: ResponsePsn }
  | { kind: 'stray'; step: Step }
  | { kind: 'silence'; part: number }
  | { kind: 'settle' };

function move(profile: Profile): fc.Arbitrary<Move> {
  const near = fc.integer({ min: 0, max: 3 }).map((offset): ResponsePsn => ({ from: 'oldest', offset }));
  const refusal = fc.oneof(
    fc.constant<Reply>({ kind: 'nak', code: 0 }),
    shortRnrCode().map((timer): Reply => ({ kind: 'rnr', timer })),
  );
  return fc.oneof(
    {
      weight: 4,
      arbitrary: job(profile, everyJob, { mostMtus: 2 }).map((j): Move => ({ kind: 'post', job: j })),
    },
    { weight: 4, arbitrary: fc.nat(2).map((upTo): Move => ({ kind: 'answer', upTo })) },
    {
      weight: 2,
      arbitrary: fc
        .record({ reply: refusal, psn: near })
        .map(({ reply, psn }): Move => ({ kind: 'refuse', reply, psn })),
    },
    strayResponse().map((step): Move => ({ kind: 'stray', step })),
    fc.constantFrom(0.5, 4, 9).map((part): Move => ({ kind: 'silence', part })),
    fc.constant<Move>({ kind: 'settle' }),
  );
}

export const walk: SuiteProperty = {
  id: 'rc-requester/walk',
  suite: 'rc-requester',
  says: 'Whatever a peer answers, late, twice, out of order or not at all, the requester keeps to the rules.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        moves: fc.array(move(profile), {
          minLength: 3,
          maxLength: profile.clock === 'virtual' ? 24 : 10,
          size: 'max',
        }),
        timeout: shortTimeout(profile),
        depth: fc.integer({ min: 1, max: 4 }),
      }),
      ({ mtu }, { moves, timeout, depth }) => {
        const work = workOf(
          moves.flatMap((m) => (m.kind === 'post' ? [m.job] : [])),
          mtu,
        );
        let posted = 0;
        let answered = 0;
        const steps = moves.flatMap((m): Step[] => {
          switch (m.kind) {
            case 'post': {
              const wr = work.wrs[posted++];
              return wr === undefined ? [] : [post(wr), ...sent(profile, 1)];
            }
            case 'answer': {
              const from = answered;
              answered = Math.min(posted, answered + m.upTo);
              return Array.from({ length: answered - from }, (_, i) => answer(work, from + i)).flat();
            }
            case 'refuse':
              return [{ do: 'respond', packet: { reply: m.reply, psn: m.psn } }];
            case 'stray':
              return [m.step];
            case 'silence': {
              const us = Math.ceil(m.part * ackTimeoutUs(profile, timeout));
              return [{ do: 'sleep', us: Math.min(us, 2 * detectionUs(profile, timeout)) }];
            }
            case 'settle':
              return [settle];
          }
        });
        return {
          timeout,
          maxRdAtomic: depth,
          steps: [
            ...steps,
            ...answerFrom(work, Math.max(0, answered - 1)),
            // what was lost on the way is sent once more, and answered whole
            afterTimeout(profile, timeout),
            ...answerFrom(work),
            ...finish(profile),
          ],
        };
      },
    ),
  aims: ['rc-requester-at-rest', 'rc-send-completed-again', 'rc-retransmission-uncaused'],
};
