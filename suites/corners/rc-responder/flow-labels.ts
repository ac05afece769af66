import fc from 'fast-check';
import { base, responderScenario } from '../../arbitraries/base.ts';
import { everyKind, message, packetsOf } from '../../arbitraries/message.ts';
import { inject, recvs, settle } from '../../arbitraries/packets.ts';
import type { SuiteProperty } from '../../property.ts';

/** Over IPv6 where the device has it: an IPv4 header has no flow label. */
export const flowLabels: SuiteProperty = {
  id: 'rc-responder/flow-labels',
  suite: 'rc-responder',
  says: 'The flow label of an IPv6 header is not covered by the ICRC: a request is taken whatever it is.',
  arbitrary: (profile) =>
    fc
      .record({
        chosen: base(profile),
        all: fc.array(message(profile, everyKind, 1), { minLength: 1, maxLength: 3 }),
        labelled: fc.nat(3),
      })
      .map(({ chosen, all, labelled }) => {
        const { mtu } = chosen;
        const ip = profile.ipVersions.includes(6) ? 6 : chosen.ip;
        const plans = all.flatMap((m) => packetsOf(m, mtu));
        const steps = plans.map((plan, i) =>
          inject(
            i % 4 === labelled || i === 0
              ? { ...plan, defect: { kind: 'ignored', field: 'flow-label' } }
              : plan,
          ),
        );
        return responderScenario(
          profile,
          { ...chosen, ip },
          { steps: [...recvs(3, 2 * mtu), ...steps, settle] },
        );
      }),
  aims: ['rc-receive-completes', 'rc-send-complete-asked', 'rc-read-executed'],
};
