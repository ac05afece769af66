import fc from 'fast-check';
import type { QpState } from '../../spec/verbs.ts';
import { everyKind, lengthOf, message, packetsOf, send } from '../arbitraries/message.ts';
import { at, inject, recv, recvs, settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { scenarios } from './parts.ts';

/** States on the way to another life, up to RTS. */
export const again: readonly QpState[] = ['IBV_QPS_RESET', 'IBV_QPS_INIT', 'IBV_QPS_RTR', 'IBV_QPS_RTS'];

/** What a responder holds goes with its life: the NAK that is out, the messages under way, what it could answer again. */
export const secondLife: SuiteProperty = {
  id: 'rc-responder/second-life',
  suite: 'rc-responder',
  says: 'A QP that was reset reports a gap anew, and knows nothing of READs and ATOMICs that it carried out before.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        remembered: message(profile, ['fetch-add', 'cmp-swap', 'read'], 1),
        left: fc.constantFrom('gap', 'rnr', 'nothing'),
        // before anything that was expected has come
        early: fc.boolean(),
        failed: fc.boolean(),
        anew: fc.array(message(profile, ['send', 'write', 'send-imm'], 1), { minLength: 2, maxLength: 3 }),
        beyond: message(profile, everyKind, 1),
      }),
      ({ mtu }, { remembered, left, early, failed, anew, beyond }) => {
        const ahead = packetsOf(beyond, mtu)
          .slice(0, 1)
          .map((p) => inject(at(p, 2)));
        const old = packetsOf(remembered, mtu).slice(0, 1);
        const packets = anew.reduce((sum, m) => sum + packetsOf(m, mtu).length, 0);
        const path: readonly QpState[] = failed ? ['IBV_QPS_ERR', ...again] : again;
        const refused = packetsOf({ ...beyond, kind: 'send' }, mtu)
          .slice(0, 1)
          .map(inject);
        return {
          steps: [
            ...send(remembered, mtu),
            settle,
            ...(left === 'gap' ? ahead : left === 'rnr' ? refused : []),
            settle,
            ...path.map((state): Step => ({ do: 'modify_qp', at: 'responder', state })),
            ...recvs(4, 2 * mtu + 64),
            ...(early ? [...ahead, settle] : []),
            ...anew.flatMap((m) => send(m, mtu)),
            settle,
            // the PSN of the old request, which another one has taken since
            ...old.map((p) => inject(at(p, -packets))),
            settle,
            ...ahead,
            settle,
          ],
        };
      },
    ),
  aims: ['rc-request-ahead', 'rc-duplicate-atomic', 'rc-duplicate-atomic-absent', 'rc-duplicate-read'],
};

/** Both reasons for a NAK one after the other, with a success in between. */
export const gapAndNotReady: SuiteProperty = {
  id: 'rc-responder/gap-and-not-ready',
  suite: 'rc-responder',
  says: 'An RNR NAK for a missing receive WQE says nothing about the next gap, and the other way round.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        refused: message(profile, ['send', 'send-imm'], 1),
        between: fc.array(message(profile, ['write', 'read', 'fetch-add'], 1), { maxLength: 1 }),
        beyond: message(profile, everyKind, 1),
        first: fc.constantFrom('rnr', 'gap'),
        rounds: fc.integer({ min: 1, max: 2 }),
      }),
      ({ mtu }, { refused, between, beyond, first, rounds }) => {
        const notReady = [
          ...send(refused, mtu).slice(0, 1),
          settle,
          recv(lengthOf(refused, mtu)),
          ...send(refused, mtu),
          settle,
        ];
        const gap = [
          ...packetsOf(beyond, mtu)
            .slice(0, 1)
            .map((p) => inject(at(p, 1))),
          settle,
        ];
        const filled = [recv(lengthOf(refused, mtu)), ...send(refused, mtu), settle];
        const passed = between.flatMap((m) => send(m, mtu));
        const round =
          first === 'rnr'
            ? [...notReady, ...passed, ...gap, ...filled]
            : [...gap, ...filled, ...passed, ...notReady];
        return { steps: Array.from({ length: rounds }, () => round).flat() };
      },
    ),
  aims: ['rc-request-ahead', 'rc-receiver-not-ready', 'rc-request-ahead-after-rnr-nak'],
};
