import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { base, responderScenario, type Base } from '../arbitraries/base.ts';
import { everyKind, message, packetsOf, type Message, type MessageKind } from '../arbitraries/message.ts';
import { inject, packet, recv, settle } from '../arbitraries/packets.ts';
import { asMember } from '../beside.ts';
import type { Member, Scenario, Step } from '../scenario.ts';
import type { QpState } from '../../spec/verbs.ts';
import { query, rts, to } from '../verbs/parts.ts';
import { together } from './compose.ts';

/** What a QP on the SRQ does next. */
type Act =
  | { do: 'receive'; count: number }
  | { do: 'message'; message: Message; whole: boolean }
  | { do: 'rest' }
  | { do: 'limit'; limit: number }
  | { do: 'end'; begun: boolean; state: QpState; reborn: boolean };

/** Most path MTUs of a message; every receive has room for one more. */
const mostMtus = 3;

function acts(profile: Profile): fc.Arbitrary<Act[]> {
  const kinds: readonly MessageKind[] = ['send', 'send-imm', 'write-imm'];
  const act = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('message' as const),
        message: fc.oneof(
          { weight: 4, arbitrary: message(profile, kinds, mostMtus) },
          message(profile, everyKind, mostMtus),
        ),
        whole: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.boolean()),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('receive' as const), count: fc.integer({ min: 1, max: 3 }) }),
    },
    { weight: 2, arbitrary: fc.constant<Act>({ do: 'rest' }) },
    fc.record({ do: fc.constant('limit' as const), limit: fc.integer({ min: 1, max: 4 }) }),
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('end' as const),
        begun: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.boolean()),
        state: fc.constantFrom<QpState>('IBV_QPS_ERR', 'IBV_QPS_RESET'),
        reborn: fc.boolean(),
      }),
    },
  );
  const first = fc.record({ do: fc.constant('receive' as const), count: fc.nat(3) });
  return fc
    .tuple(first, fc.array(act, { minLength: 1, maxLength: 8, size: 'max' }))
    .map(([receive, others]) => [receive, ...others]);
}

function stepsOf(act: Act, mtu: number): Step[] {
  switch (act.do) {
    case 'receive':
      return Array.from({ length: act.count }, () => recv((mostMtus + 1) * mtu));
    case 'message': {
      const packets = packetsOf(act.message, mtu);
      return (act.whole ? packets : packets.slice(0, Math.ceil(packets.length / 2))).map(inject);
    }
    case 'rest':
      return [settle];
    case 'limit':
      return [{ do: 'modify_srq', limit: act.limit }, { do: 'query_srq' }];
    case 'end': {
      const again = [...(act.state === 'IBV_QPS_ERR' ? (['IBV_QPS_RESET'] as const) : []), ...rts];
      return [
        ...(act.begun ? [inject(packet('SEND_FIRST', { payload: { mtus: 1, bytes: 0 } }))] : []),
        to('responder', act.state),
        ...(act.reborn ? again.map((state) => to('responder', state)) : []),
      ];
    }
  }
}

/** An RC responder on the SRQ. */
export function onSrq(profile: Profile): fc.Arbitrary<Member> {
  return fc.record({ chosen: base(profile), acts: acts(profile) }).map((drawn) => {
    const chosen: Base = { ...drawn.chosen, srq: true };
    const steps = drawn.acts.flatMap((act) => stepsOf(act, chosen.mtu));
    return asMember(responderScenario(profile, chosen, { steps: [...steps, settle, query] }));
  });
}

/** Two to four QPs on one SRQ, whose messages take its receive WQEs by turns. */
export function onOneSrq(profile: Profile): fc.Arbitrary<Scenario> {
  const members = fc.array(onSrq(profile), { minLength: 2, maxLength: 4, size: 'max' });
  return together({ members, share: ['cq'], always: ['srq'] });
}
