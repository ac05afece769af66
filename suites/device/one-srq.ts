import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { datagram, datagramPacket } from '../arbitraries/datagram.ts';
import { packetsOf } from '../arbitraries/message.ts';
import { inject, recv, settle } from '../arbitraries/packets.ts';
import { sharesReceives } from '../arbitraries/shared.ts';
import { unreliable } from '../arbitraries/unreliable.ts';
import { asMember } from '../beside.ts';
import type { Member, PacketPlan, Scenario, Step } from '../scenario.ts';
import { sequence, ucMessage, type Sent } from '../unreliable/uc-parts.ts';
import { query, rts, to } from '../verbs/parts.ts';
import { together } from './compose.ts';
import { onSrq } from './shared-receives.ts';

/** Most path MTUs of a message; every receive has room for one more. */
const mostMtus = 3;

/** What a UC or UD QP on the SRQ does next, whatever it receives. */
type Act<M> =
  | { do: 'receive'; count: number; short: boolean }
  | { do: 'message'; message: M; lost: number }
  | { do: 'rest' }
  | { do: 'end'; state: 'IBV_QPS_ERR' | 'IBV_QPS_RESET' };

function acts<M>(message: fc.Arbitrary<M>): fc.Arbitrary<Act<M>[]> {
  const act = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('message' as const),
        message,
        // of the packets of a message, if it is so long
        lost: fc.constantFrom(9, 9, 9, 1, 1, 2),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('receive' as const),
        count: fc.integer({ min: 1, max: 2 }),
        short: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.boolean()),
      }),
    },
    { weight: 3, arbitrary: fc.constant<Act<M>>({ do: 'rest' }) },
    fc.record({
      do: fc.constant('end' as const),
      state: fc.constantFrom('IBV_QPS_ERR' as const, 'IBV_QPS_RESET' as const),
    }),
  );
  return fc.array(act, { minLength: 1, maxLength: 9, size: 'max' });
}

/** `packets`: those of a message; `deliver`: how those that follow each other come. */
function stepsOf<M>(
  all: readonly Act<M>[],
  mtu: number,
  packets: (message: M) => PacketPlan[],
  deliver: (sent: readonly Sent[]) => Step[],
): Step[] {
  const steps: Step[] = [];
  let sent: Sent[] = [];
  for (const act of all) {
    if (act.do === 'message') {
      sent.push(...packets(act.message).map((packet, i) => ({ packet, lost: i === act.lost })));
      continue;
    }
    steps.push(...deliver(sent));
    sent = [];
    if (act.do === 'rest') steps.push(settle);
    else if (act.do === 'receive')
      for (let i = 0; i < act.count; i++) steps.push(recv(act.short ? 48 : (mostMtus + 1) * mtu));
    else {
      const again = [...(act.state === 'IBV_QPS_ERR' ? (['IBV_QPS_RESET'] as const) : []), ...rts];
      steps.push(...[act.state, ...again].map((state) => to('responder', state)));
    }
  }
  return [...steps, ...deliver(sent), settle, query];
}

function onUc(profile: Profile): fc.Arbitrary<Member> {
  const message = ucMessage(profile, mostMtus, ['send', 'send-imm', 'write-imm', 'write']);
  return unreliable('UC', 'responder', profile, acts(message), ({ mtu }, all) => ({
    srq: true,
    steps: stepsOf(all, mtu, (one) => packetsOf(one, mtu), sequence),
  })).map(asMember);
}

/** A receiver of datagrams does not look at PSNs. */
function onUd(profile: Profile): fc.Arbitrary<Member> {
  return unreliable('UD', 'responder', profile, acts(datagram()), ({ mtu }, all) => ({
    srq: true,
    steps: stepsOf(
      all,
      mtu,
      (one) => [datagramPacket(one, mtu)],
      (sent) => sent.flatMap(({ packet, lost }) => (lost === true ? [] : [inject(packet)])),
    ),
  })).map(asMember);
}

/**
 * A UC QP gives back the WQE of a message that lacks a packet, and there are just as many WQEs as messages that its neighbours get, all of
 * them later.
 */
function onReturned(profile: Profile): fc.Arbitrary<Scenario> {
  const drawn = fc.record({
    lacking: ucMessage(profile, 1, ['send', 'send-imm']),
    datagrams: fc.array(datagram(), { minLength: 1, maxLength: 2 }),
  });
  const loser = unreliable('UC', 'responder', profile, drawn, ({ mtu }, { lacking, datagrams }) => {
    const three = { ...lacking, size: { mtus: 3, bytes: 0 } };
    const packets = packetsOf(three, mtu).map((packet, i) => ({ packet, lost: i === 1 }));
    const receives = datagrams.map(() => recv((mostMtus + 1) * mtu));
    return { srq: true, steps: [...receives, ...sequence(packets), settle] };
  });
  const receiver = unreliable('UD', 'responder', profile, drawn, ({ mtu }, { datagrams }) => ({
    srq: true,
    steps: [...datagrams.map((one) => inject(datagramPacket(one, mtu))), settle, query],
  }));
  const members = fc.tuple(loser.map(asMember), receiver.map(asMember));
  return together({ members, share: ['cq'], always: ['srq'] }).map(firstBefore);
}

/** All steps of the first QP, and then those of the others. */
function firstBefore(scenario: Scenario): Scenario {
  if (scenario.beside === undefined) return scenario;
  return { ...scenario, beside: { ...scenario.beside, order: scenario.steps.map(() => 0) } };
}

/** Two to four QPs of any service on one SRQ, at least one of them unreliable. */
export function anyOnOneSrq(profile: Profile): fc.Arbitrary<Scenario> {
  const own = [
    ...(profile.capabilities.includes('uc') && sharesReceives(profile, 'UC') ? [onUc(profile)] : []),
    ...(profile.capabilities.includes('ud') && sharesReceives(profile, 'UD') ? [onUd(profile)] : []),
  ];
  const any = [...own, ...own, onSrq(profile)];
  const members = fc
    .tuple(
      own.length > 0 ? fc.oneof(...own) : onSrq(profile),
      fc.array(fc.oneof(...any), { minLength: 1, maxLength: 3, size: 'max' }),
    )
    .map(([one, others]) => [one, ...others]);
  const mixed = together({ members, share: ['cq'], always: ['srq'] });
  return own.length < 2 ? mixed : fc.oneof({ weight: 3, arbitrary: mixed }, onReturned(profile));
}
