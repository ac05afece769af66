import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { QpState } from '../../spec/verbs.ts';
import { datagram, datagramPacket, grhBytes } from '../arbitraries/datagram.ts';
import { packetsOf } from '../arbitraries/message.ts';
import { inject, recvs, settle } from '../arbitraries/packets.ts';
import { unreliable, type Service } from '../arbitraries/unreliable.ts';
import { cut } from '../congestion/parts.ts';
import type { SuiteProperty } from '../property.ts';
import { sent, share } from '../rc-requester/parts.ts';
import type { PacketPlan, Scenario, Step } from '../scenario.ts';
import { suiteOf } from '../unreliable/admission.ts';
import { post, request, wrOfRequest, type Request } from '../unreliable/requests.ts';
import { ucMessage } from '../unreliable/uc-parts.ts';
import { anew, pause, throughMidway, wayMidway } from './ways.ts';
import { packetCount } from '../segments.ts';

/** A CNP, where the device has a reaction point: packets leave one by one from then on. */
function slowly(profile: Profile): Step[] {
  return profile.congestion?.dcqcn === undefined ? [] : [...cut(profile.congestion.dcqcn), settle];
}

function atSender(service: Service, profile: Profile): fc.Arbitrary<Scenario> {
  const work = (maxLength: number): fc.Arbitrary<Request[]> =>
    fc.array(request(service, profile, { mostMtus: 4 }), { minLength: 1, maxLength, size: 'max' });
  return unreliable(
    service,
    'requester',
    profile,
    fc.record({
      all: work(3),
      slow: fc.boolean(),
      seen: share(),
      path: wayMidway(),
      rest: fc.boolean(),
      anew: work(2),
    }),
    ({ mtu }, { all: drawn, slow, seen, path, rest, anew }) => {
      const all = drawn.map((one) => wrOfRequest(one, mtu));
      const packets = all.reduce((sum, wr) => sum + packetCount(wr.length, mtu), 0);
      return {
        scripted: true,
        steps: [
          { do: 'query_port' },
          ...(slow ? slowly(profile) : []),
          ...all.map(post),
          ...sent(profile, Math.floor(seen * packets)),
          ...throughMidway('requester', path),
          ...(rest ? [settle] : []),
          ...anew.map((one) => post(wrOfRequest(one, mtu))),
          settle,
          { do: 'query_qp' },
        ],
      };
    },
  );
}

/** The calls that lead to a new life wait in front of RTR: what is under way would be a matter of luck. */
function withRest(path: readonly QpState[]): Step[] {
  return throughMidway('responder', path).flatMap((step) =>
    step.do === 'modify_qp' && step.state === 'IBV_QPS_RTR' ? [settle, step] : [step],
  );
}

/** The packets of a message, once the path MTU is known. */
type Packets = (mtu: number) => PacketPlan[];

function atReceiver(service: Service, profile: Profile): fc.Arbitrary<Scenario> {
  const message: fc.Arbitrary<Packets> =
    service === 'UC'
      ? ucMessage(profile, 4).map((one) => (mtu) => packetsOf(one, mtu))
      : datagram().map((one) => (mtu) => [datagramPacket(one, mtu)]);
  const messages = (maxLength: number): fc.Arbitrary<Packets[]> =>
    fc.array(message, { minLength: 1, maxLength, size: 'max' });
  return unreliable(
    service,
    'responder',
    profile,
    fc.record({
      cutOff: messages(2),
      part: share(),
      receives: fc.constantFrom(2, 1, 3, 0),
      path: fc.oneof(wayMidway(), { weight: 2, arbitrary: fc.constant(anew) }),
      gap: pause(profile),
      goesOn: fc.constantFrom(true, true, true, false),
      rest: fc.boolean(),
      more: fc.constantFrom(true, true, false),
      later: messages(2),
    }),
    ({ mtu }, { cutOff, part, receives, path, gap, goesOn, rest, more, later }) => {
      const room = 4 * mtu + grhBytes + 64;
      const all = cutOff.flatMap((one) => one(mtu)).map(inject);
      // one is left to come later, if there are so many
      const packets = Math.min(Math.ceil(part * all.length), Math.max(1, all.length - 1));
      return {
        steps: [
          ...recvs(receives, room),
          ...all.slice(0, packets),
          ...gap,
          ...withRest(path),
          ...(more ? recvs(2, room) : []),
          ...(rest ? [settle] : []),
          ...(goesOn ? all.slice(packets) : []),
          ...later.flatMap((one) => one(mtu)).map(inject),
          settle,
          { do: 'query_qp' },
        ],
      };
    },
  );
}

/** Calls that fall between the packets of messages that nobody acknowledges, at either end. */
export function callsMidway(service: Service): SuiteProperty {
  const suite = suiteOf[service];
  return {
    id: `${suite}/calls-midway`,
    suite,
    requires: [suite],
    says: 'ibv_modify_qp in the middle of a message ends it or leaves it whole; nothing of it is in the life that follows.',
    share: 3,
    arbitrary: (profile) =>
      fc.oneof({ weight: 2, arbitrary: atReceiver(service, profile) }, atSender(service, profile)),
    aims: [
      'unreliable-sent-unposted',
      'unreliable-send-completes',
      'unreliable-receive-undue',
      ...(service === 'UC' ? ['uc-no-message', 'uc-no-receive'] : []),
      `${suite}-drop-state`,
    ],
  };
}
