import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { asMember } from '../beside.ts';
import { drawnOf } from '../draw.ts';
import { isLive } from '../driver/index.ts';
import type { SuiteProperty } from '../property.ts';
import type { Member, Scenario, SharedObject } from '../scenario.ts';

/** Scenarios on one device at most. */
export const mostMembers = 4;

/** RNR retries of a requester that must give up some day. */
const mostRetries = 6;

/**
 * The same with an end to its RNR retries, where its far end answers by itself: on a virtual clock others may wait for hours, and a QP that
 * no receive WQE is posted for would be asked to repeat a billion times.
 */
function withEnd(member: Member): Member {
  const { requester } = member;
  if (!isLive(member) || requester.rnrRetry <= mostRetries) return member;
  return { ...member, requester: { ...requester, rnrRetry: mostRetries } };
}

/** Cases of some properties, each as one of several on a device, as `drawnOf` draws them. */
export function membersOf(properties: readonly SuiteProperty[], profile: Profile): fc.Arbitrary<Member> {
  const ends = profile.clock === 'virtual' ? withEnd : (member: Member): Member => member;
  return drawnOf(properties, profile).map((scenario) => ends(asMember(scenario)));
}

interface Meeting {
  members: fc.Arbitrary<readonly Member[]>;
  /** what the QPs may have in common; default: any of all */
  share?: readonly SharedObject[];
  /** what they have in common for sure */
  always?: readonly SharedObject[];
}

const everyShared: readonly SharedObject[] = ['pd', 'cq'];

/** Whose steps come next, in turns of a few steps each; with few entries the rest go one by one. */
function orders(): fc.Arbitrary<number[]> {
  const turn = fc.tuple(fc.nat(mostMembers - 1), fc.constantFrom(1, 1, 2, 3, 6));
  return fc
    .array(turn, { maxLength: 24, size: 'max' })
    .map((turns) => turns.flatMap(([who, steps]) => Array.from({ length: steps }, () => who)));
}

/** The same with the link, which all have in common, going down and coming back before steps at these places. */
export function withLink(member: Member, places: readonly number[]): Member {
  const steps = [...member.steps];
  const at = places.map((place) => place % (steps.length + 1)).toSorted((a, b) => a - b);
  for (const [i, place] of [...at.entries()].toReversed())
    steps.splice(place, 0, { do: 'link', up: i % 2 === 1 });
  return { ...member, steps };
}

/** Several scenarios at once on one device. */
export function together({ members, share = everyShared, always = [] }: Meeting): fc.Arbitrary<Scenario> {
  const parts = fc.record({ members, order: orders(), share: fc.subarray([...share]), apart: fc.nat(15) });
  return parts.map((drawn): Scenario => {
    const [first, ...others] = drawn.members.map((member, i): Member =>
      (drawn.apart >> i) % 2 === 0 ? member : { ...member, cqs: 'apart' },
    );
    if (first === undefined) throw new Error('a device without a QP');
    if (others.length === 0) return first;
    const order = drawn.order.filter((who) => who <= others.length);
    const beside = { members: others, order };
    const common = [...always, ...drawn.share];
    return { ...first, beside: common.length === 0 ? beside : { ...beside, share: common } };
  });
}

/** Two to `most` of one kind of scenarios. */
export function several(member: fc.Arbitrary<Member>, most = mostMembers): fc.Arbitrary<readonly Member[]> {
  return fc.array(member, { minLength: 2, maxLength: most, size: 'max' });
}
