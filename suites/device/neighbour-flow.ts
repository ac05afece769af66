import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { settle } from '../arbitraries/packets.ts';
import { unreliable, type Service } from '../arbitraries/unreliable.ts';
import { asMember } from '../beside.ts';
import { wide } from '../congestion/parts.ts';
import { message, widened } from '../congestion/rate-unreliable.ts';
import type { SuiteProperty } from '../property.ts';
import type { Member, Scenario } from '../scenario.ts';
import { membersOf } from './compose.ts';

/** A QP that no CNP names, and has something to send. */
function unnamed(service: Service, profile: Profile): fc.Arbitrary<Member> {
  const lengths = fc.array(fc.constantFrom(3000, 8192, 64), { minLength: 1, maxLength: 3 });
  return unreliable(service, 'requester', profile, lengths, ({ mtu }, sent) => ({
    scripted: true,
    steps: [...sent.flatMap((length) => message(service, length, widened(profile, mtu))), settle],
  })).map((scenario) => asMember(wide(profile, scenario)));
}

/** The two at once: each step of the second one comes so many steps before the first one ends. */
function beside(slow: Member, other: Member, places: readonly number[]): Scenario {
  const last = slow.steps.length - 1;
  const before = other.steps.map((_, i) => last - (places[i % places.length] ?? 0));
  const order = slow.steps.flatMap((_, step) => [...before.filter((at) => at === step).map(() => 1), 0]);
  return { ...slow, beside: { members: [other], order } };
}

/** Flows that CNPs slow down to the least rate, of the scenarios of `slowed`, and one beside them that none names. */
export function besideSlowed(slowed: readonly SuiteProperty[]): SuiteProperty['arbitrary'] {
  return (profile) =>
    fc
      .record({
        slow: membersOf(slowed, profile),
        other: fc.constantFrom<Service>('UC', 'UD').chain((service) => unnamed(service, profile)),
        places: fc.array(fc.nat(2), { minLength: 1, maxLength: 3 }),
      })
      .map(({ slow, other, places }) => beside(slow, other, places));
}
