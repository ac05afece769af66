import { asMember, membersOf } from '../../beside.ts';
import type { BesidePlan, Scenario } from '../../scenario.ts';

/** Scenarios on one device, by the plan of `plan`; undefined where there is none. */
export function withMembers(
  [first, ...members]: readonly Scenario[],
  plan: BesidePlan | undefined,
): Scenario | undefined {
  if (first === undefined) return undefined;
  if (members.length === 0 || plan === undefined) return first;
  return { ...first, beside: { ...plan, members: members.map(asMember) } };
}

/** Whole scenarios left out: all but one, and each in turn. */
export function* fewerMembers(scenario: Scenario): Generator<Scenario> {
  const { beside } = scenario;
  if (beside === undefined) return;
  const all = membersOf(scenario);
  if (all.length > 2) yield* all;
  for (let left = all.length - 1; left >= 0; left--) {
    const order = beside.order.filter((who) => who !== left).map((who) => (who > left ? who - 1 : who));
    const less = withMembers(all.toSpliced(left, 1), { ...beside, order });
    if (less !== undefined) yield less;
  }
}

/** One of the others made simpler, nothing in common, and the steps in turn. */
export function* simplerBeside(
  scenario: Scenario,
  simpler: (member: Scenario) => Iterable<Scenario>,
): Generator<Scenario> {
  const { beside } = scenario;
  if (beside === undefined) return;
  const all = membersOf(scenario);
  for (const [i, member] of all.entries()) {
    if (i === 0) continue;
    for (const less of simpler(member)) {
      const changed = withMembers(all.with(i, less), beside);
      if (changed !== undefined) yield changed;
    }
  }
  const { share, ...apart } = beside;
  if (share !== undefined) yield { ...scenario, beside: apart };
  const { order } = beside;
  for (let size = order.length; size >= 1; size >>= 1) {
    for (let from = 0; from + size <= order.length; from += size)
      yield { ...scenario, beside: { ...beside, order: order.toSpliced(from, size) } };
  }
}
