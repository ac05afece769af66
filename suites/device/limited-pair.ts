import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { settle } from '../arbitraries/packets.ts';
import { unreliable, type Service } from '../arbitraries/unreliable.ts';
import { asMember } from '../beside.ts';
import { cnp, dcqcnOf, sleep, wide } from '../congestion/parts.ts';
import { message, widened } from '../congestion/rate-unreliable.ts';
import type { SuiteProperty } from '../property.ts';
import type { Member } from '../scenario.ts';
import { besideFlow } from './neighbour-flow.ts';

/** A QP that is cut once, and sends then. */
function cutOnce(service: Service, profile: Profile): fc.Arbitrary<Member> {
  const drawn = fc.record({
    lengths: fc.array(fc.constantFrom(8192, 16_384, 3000), { minLength: 1, maxLength: 3 }),
    times: fc.constantFrom(1.05, 1.3),
  });
  return unreliable(service, 'requester', profile, drawn, ({ mtu }, { lengths, times }) => ({
    scripted: true,
    steps: [
      // so that a datagram of the path MTU is known to fit
      ...message(service, widened(profile, mtu), widened(profile, mtu)),
      cnp({ ecn: 1 }),
      sleep(dcqcnOf(profile).decreaseSlot * times),
      ...lengths.flatMap((length) => message(service, length, widened(profile, mtu))),
      settle,
    ],
  })).map((scenario) => asMember(wide(profile, scenario)));
}

/** Two flows at rates of their own, of which one is down at the least rate, of the scenarios of `slowed`. */
export function limitedPair(slowed: readonly SuiteProperty[]): SuiteProperty {
  return {
    id: 'device/limited-pair',
    suite: 'device',
    requires: ['rcm', 'dcqcn', 'uc', 'ud'],
    says: 'Each of two flows that CNPs slow down sends as soon as its own rate lets it, whatever that of the other is.',
    arbitrary: besideFlow(slowed, cutOnce),
    qps: 2,
    aims: ['cc-pace-reached', 'cc-pace-kept', 'cc-rate-cnp-unprompted'],
  };
}
