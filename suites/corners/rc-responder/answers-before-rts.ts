import fc from 'fast-check';
import { everyKind, message, packetsOf, send } from '../../arbitraries/message.ts';
import { at as behind, inject, recvs, settle } from '../../arbitraries/packets.ts';
import type { SuiteProperty } from '../../property.ts';
import { scenarios } from '../../rc-responder/parts.ts';
import type { QpState } from '../../../spec/verbs.ts';
import { to } from '../../verbs/parts.ts';

const at = 'responder';
const toRtr: readonly QpState[] = ['IBV_QPS_RESET', 'IBV_QPS_INIT', 'IBV_QPS_RTR'];

export const answersBeforeRts: SuiteProperty = {
  id: 'rc-responder/answers-before-rts',
  suite: 'rc-responder',
  says: 'What was read or changed in RTR is answered again in RTS: the call that lets a QP send takes nothing from its responder.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        remembered: message(profile, ['read', 'fetch-add', 'cmp-swap'], 0),
        since: fc.array(message(profile, ['write', 'send'], 1), { maxLength: 1 }),
        late: fc.boolean(),
        next: message(profile, everyKind, 1),
      }),
      ({ mtu }, { remembered, since, late, next }) => {
        const between = since.flatMap((m) => send(m, mtu));
        const back = -1 - between.length;
        return {
          steps: [
            ...toRtr.map((state) => to(at, state)),
            ...recvs(2, 2 * mtu),
            ...send(remembered, mtu),
            settle,
            ...(late ? [] : between),
            to(at, 'IBV_QPS_RTS'),
            ...(late ? between : []),
            settle,
            ...packetsOf(remembered, mtu).map((plan) => inject(behind(plan, back))),
            settle,
            ...send(next, mtu),
            settle,
          ],
        };
      },
    ),
  aims: ['rc-duplicate-read', 'rc-duplicate-atomic'],
};
