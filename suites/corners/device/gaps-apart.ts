import fc from 'fast-check';
import { base, responderScenario } from '../../arbitraries/base.ts';
import { at, inject, packet, recvs, settle } from '../../arbitraries/packets.ts';
import { asMember, sideBySide } from '../../beside.ts';
import type { SuiteProperty } from '../../property.ts';

const send = packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } });

/** Packets of several QPs are lost at the same time. */
export const gapsApart: SuiteProperty = {
  id: 'device/gaps-apart',
  suite: 'device',
  qps: 3,
  says: 'Each QP asks for the packet that it lacks itself, whatever others lack.',
  arbitrary: (profile) =>
    fc
      .array(fc.record({ chosen: base(profile), ahead: fc.integer({ min: 1, max: 3 }) }), {
        minLength: 2,
        maxLength: 3,
        size: 'max',
      })
      .map((all) => {
        const made = all.map(({ chosen, ahead }) => {
          const gap = [...recvs(3, 64), inject(at(send, ahead)), settle];
          const steps = [...gap, inject(send), inject(send), settle];
          return asMember(responderScenario(profile, { ...chosen, srq: false }, { steps }));
        });
        const who = [...made.keys()];
        const order = [...who.flatMap((one) => [one, one, one]), ...who];
        return sideBySide(made, { order });
      }),
  aims: ['rc-request-ahead', 'rc-request-ahead-after-sequence-nak'],
};
