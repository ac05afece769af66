import fc from 'fast-check';
import type { Capability } from '../../adapters/adapter.ts';
import { datagram, datagramPacket, grhBytes } from '../arbitraries/datagram.ts';
import { everyKind, message, packetsOf, send } from '../arbitraries/message.ts';
import { inject, recvs, settle } from '../arbitraries/packets.ts';
import { unreliable, type Service } from '../arbitraries/unreliable.ts';
import type { SuiteProperty } from '../property.ts';
import { everyJob, jobs } from '../rc-requester/jobs.ts';
import * as requester from '../rc-requester/parts.ts';
import { shortRnrCode, shortTimeout } from '../rc-requester/timing.ts';
import { awaitAnswers, scenarios } from '../rc-responder/parts.ts';
import type { Step } from '../scenario.ts';
import { suiteOf } from '../unreliable/admission.ts';
import { post, request, wrOfRequest } from '../unreliable/requests.ts';
import { ucMessage } from '../unreliable/uc-parts.ts';
import { packetCount } from '../segments.ts';

const { answer, afterTimeout, postAll, requestsFrom, respond, sent, share, workOf, wrPsn } = requester;

/** ibv_destroy_qp at once, whatever is under way. */
const destroyed: Step = { do: 'destroy', object: 'qp', midway: true };

const says =
  'ibv_destroy_qp ends a QP whatever is under way: nothing of it is sent, executed or completed any more.';
const aims = ['destroy-qp', 'destroyed-qp-silent', 'destroyed-qp-completes-nothing'];
const requires: readonly Capability[] = ['destroy-calls'];

/** The QP goes in the middle of messages and answers that come to it, and the rest of them comes all the same. */
export const responderDestroyed: SuiteProperty = {
  id: 'rc-responder/destroyed-midway',
  suite: 'rc-responder',
  requires,
  says,
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: fc.array(message(profile, everyKind, 1), { maxLength: 1 }),
        cut: message(profile, ['send', 'write', 'read', 'send-imm', 'write-imm'], 4),
        packets: fc.integer({ min: 1, max: 4 }),
        answers: fc.nat(3),
        receives: fc.integer({ min: 0, max: 3 }),
        rest: fc.boolean(),
        later: fc.array(message(profile, everyKind, 1), { minLength: 1, maxLength: 2 }),
      }),
      ({ mtu }, { before, cut, packets, answers, receives, rest, later }) => {
        const all = packetsOf(cut, mtu).map(inject);
        return {
          steps: [
            ...recvs(receives, 4 * mtu + 64),
            ...before.flatMap((m) => send(m, mtu)),
            ...all.slice(0, packets),
            ...awaitAnswers(profile, answers),
            destroyed,
            ...(rest ? [settle] : []),
            ...all.slice(packets),
            ...later.flatMap((m) => send(m, mtu)),
            settle,
          ],
        };
      },
    ),
  aims: [...aims, 'rc-drop-unknown-qp'],
};

/** The QP goes while requests leave, while answers are missing, in an RNR wait or while its ACK timer runs; answers come all the same. */
export const requesterDestroyed: SuiteProperty = {
  id: 'rc-requester/destroyed-midway',
  suite: 'rc-requester',
  requires,
  says,
  arbitrary: (profile) =>
    requester.scenarios(
      profile,
      fc.record({
        all: jobs(profile, everyJob, 3, { mostMtus: 4 }),
        seen: share(),
        answers: fc.constantFrom(0, 0, 1, 2, 4),
        refusal: fc.constantFrom('none', 'none', 'rnr', 'nak'),
        code: shortRnrCode(),
        timeout: shortTimeout(profile),
        rest: fc.boolean(),
        silent: fc.boolean(),
      }),
      ({ mtu }, { all, seen, answers, refusal, code, timeout, rest, silent }) => {
        const work = workOf(all, mtu);
        const whole = work.wrs.flatMap((_, n) => answer(work, n));
        const refuses = answers === 0 && refusal !== 'none';
        const packets = Math.floor((refuses ? 1 : seen) * requestsFrom(work));
        const nak =
          refusal === 'rnr' ? { kind: 'rnr' as const, timer: code } : { kind: 'nak' as const, code: 0 };
        return {
          timeout,
          rnrRetry: 7,
          retryCnt: 7,
          steps: [
            ...postAll(work),
            ...sent(profile, packets),
            ...whole.slice(0, answers),
            ...(refuses ? [respond(nak, wrPsn(0))] : []),
            destroyed,
            ...(rest ? [settle] : []),
            ...(silent ? [afterTimeout(profile, timeout)] : []),
            ...whole.slice(answers),
            settle,
            afterTimeout(profile, timeout),
            settle,
          ],
        };
      },
    ),
  aims: [...aims],
};

/** The same of a QP that nobody acknowledges anything to, at either end. */
export function unreliableDestroyed(service: Service): SuiteProperty {
  const suite = suiteOf[service];
  return {
    id: `${suite}/destroyed-midway`,
    suite,
    requires: [suite, ...requires],
    says,
    arbitrary: (profile) => {
      const one: fc.Arbitrary<(mtu: number) => Step[]> =
        service === 'UC'
          ? ucMessage(profile, 4).map((m) => (mtu) => packetsOf(m, mtu).map(inject))
          : datagram().map((d) => (mtu) => [inject(datagramPacket(d, mtu))]);
      const receiving = unreliable(
        service,
        'responder',
        profile,
        fc.record({
          all: fc.array(one, { minLength: 1, maxLength: 3, size: 'max' }),
          part: share(),
          receives: fc.integer({ min: 0, max: 3 }),
          rest: fc.boolean(),
        }),
        ({ mtu }, { all, part, receives, rest }) => {
          const packets = all.flatMap((m) => m(mtu));
          const until = Math.min(Math.ceil(part * packets.length), Math.max(1, packets.length - 1));
          return {
            steps: [
              ...recvs(receives, 4 * mtu + grhBytes + 64),
              ...packets.slice(0, until),
              destroyed,
              ...(rest ? [settle] : []),
              ...packets.slice(until),
              settle,
            ],
          };
        },
      );
      const sending = unreliable(
        service,
        'requester',
        profile,
        fc.record({
          all: fc.array(request(service, profile, { mostMtus: 4 }), {
            minLength: 1,
            maxLength: 3,
            size: 'max',
          }),
          seen: share(),
          rest: fc.boolean(),
        }),
        ({ mtu }, { all: drawn, seen, rest }) => {
          const all = drawn.map((asked) => wrOfRequest(asked, mtu));
          const packets = all.reduce((sum, wr) => sum + packetCount(wr.length, mtu), 0);
          return {
            scripted: true,
            steps: [
              { do: 'query_port' },
              ...all.map(post),
              ...sent(profile, Math.floor(seen * packets)),
              destroyed,
              ...(rest ? [settle] : []),
              settle,
            ],
          };
        },
      );
      return fc.oneof({ weight: 2, arbitrary: receiving }, sending);
    },
    aims: [...aims, `${suite}-drop-unknown-qp`],
  };
}
