import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { base, respond, sent, wrPsn } from '../rc-requester/parts.ts';
import { query } from '../verbs/parts.ts';
import type { Member, Step } from '../scenario.ts';
import { mostMembers } from './compose.ts';
import { upsetsOf, upsetTogether, type Upset } from './upsets.ts';

/** What is done with an upset QP: it goes on as it stands, is taken back from SQD, or is set up anew. */
type After = 'goes on' | 'back in RTS' | 'anew';

const small = { mtus: 0, bytes: 8 };
const wr = { opcode: 'IBV_WR_RDMA_WRITE', length: 8, region: 0, offset: 0, signaled: true } as const;

/** A requester that has to send again, some milliseconds later. */
function rnrWait(profile: Profile): Upset {
  const told = respond({ kind: 'rnr', timer: 18 }, wrPsn(0));
  return { before: [], act: [{ do: 'post_send', wr }, ...sent(profile, 1), told], asks: true };
}

/** A request to the QP, or a work request that it is given and the answer to it. */
function used({ dut, peer }: Member): Step[] {
  if (dut === 'responder')
    return [
      { do: 'post_recv', length: 64 },
      {
        do: 'inject',
        packet: { operation: 'SEND_ONLY', psn: { from: 'next', offset: 0 }, ackReq: true, payload: small },
      },
      settle,
    ];
  const answer: Step[] =
    peer === 'scripted'
      ? [{ do: 'respond', packet: { reply: { kind: 'ack' }, psn: { from: 'newest', offset: 0 } } }]
      : [];
  return [{ do: 'post_send', wr }, { do: 'await', packets: 1, us: 1000 }, ...answer, settle];
}

function steps(member: Member, after: After): Step[] {
  const { dut, peer } = member;
  const to = (state: 'IBV_QPS_RESET' | 'IBV_QPS_INIT' | 'IBV_QPS_RTR' | 'IBV_QPS_RTS'): Step => ({
    do: 'modify_qp',
    at: dut,
    state,
  });
  const live = dut === 'requester' && peer === undefined;
  const way =
    after === 'anew' && !live
      ? [to('IBV_QPS_RESET'), to('IBV_QPS_INIT'), to('IBV_QPS_RTR'), to('IBV_QPS_RTS')]
      : after === 'back in RTS'
        ? [to('IBV_QPS_RTS')]
        : [];
  return [settle, ...way, ...used(member), query];
}

/** Whatever upset a QP, it is used again afterwards, beside others that were upset as well. */
export const upsetsAfter: SuiteProperty = {
  id: 'device/upsets-after',
  suite: 'device',
  says: 'A QP that was upset beside others can be used again, as it stands or set up anew, and so can the others.',
  arbitrary: (profile: Profile) => {
    const all = new Map([...upsetsOf(profile), ['RNR wait', rnrWait(profile)]]);
    const row = fc.array(fc.constantFrom(...all.keys()), {
      minLength: 2,
      maxLength: mostMembers,
      size: 'max',
    });
    return fc
      .record({
        bases: fc.array(base(profile), { minLength: mostMembers, maxLength: mostMembers }),
        row,
        afters: fc.array(fc.constantFrom<After>('anew', 'goes on', 'back in RTS'), {
          minLength: mostMembers,
          maxLength: mostMembers,
        }),
        retries: fc.integer({ min: 1, max: 6 }),
      })
      .map(({ bases, row: names, afters, retries }) =>
        upsetTogether(
          profile,
          names.flatMap((name) => all.get(name) ?? []),
          bases,
          (member, i) => ({
            ...member,
            requester: { ...member.requester, rnrRetry: retries },
            steps: [...member.steps, ...steps(member, afters[i] ?? 'anew')],
          }),
        ),
      );
  },
  qps: mostMembers,
  aims: ['rc-state-kept', 'flush-uncaused', 'rc-send-completes'],
};
