import type { Profile } from '../../../adapters/adapter.ts';
import { membersOf } from '../../beside.ts';
import type { Scenario } from '../../scenario.ts';
import { fitsAsWell } from '../fits.ts';
import { combined } from './combine.ts';
import { reductions } from './reduce.ts';
import { fewerMembers, withMembers } from './reduce-beside.ts';
import type { ShrinkBounds, Shrunk } from './shrink.ts';

/** A step or a fault of one of the scenarios on the device. */
interface Part {
  member: number;
  list: 'steps' | 'faults';
  at: number;
}

/** What still shows the fault, in the order of `candidates`; undefined where the time or the tries are over before all were tried. */
type Tried = (candidates: readonly Scenario[]) => Promise<Scenario[] | undefined>;

/**
 * A simpler scenario, where a device takes many at a time and answers late: what can be left out, or made plain, by itself is found
 * in one round, and all of it is tried together in the next. First whole scenarios beside others, then steps and faults, then values.
 */
export async function shrinkWide(
  start: Scenario,
  profile: Profile,
  fails: (scenario: Scenario) => Promise<boolean>,
  bounds: ShrinkBounds,
  budget: { readonly left: number },
): Promise<Shrunk> {
  const tried: Tried = async (candidates) => {
    const hits: Scenario[] = [];
    for (let from = 0; from < candidates.length; from += bounds.parallel) {
      if (budget.left <= 0 || bounds.stop()) return undefined;
      const batch = candidates.slice(from, from + bounds.parallel);
      const results = await Promise.all(batch.map(fails));
      hits.push(...batch.filter((_, i) => results[i] === true));
    }
    return hits;
  };
  let best = start;
  for (;;) {
    const before = best;
    for (const phase of [withFewerMembers, withoutParts, withPlainValues]) {
      const { scenario, over } = await phase(best, profile, tried);
      best = scenario;
      if (over) return { scenario: best, whole: false };
    }
    if (best === before) return { scenario: best, whole: true };
  }
}

/** `over`: not all that a phase wanted to try was tried. */
type Phase = (
  start: Scenario,
  profile: Profile,
  tried: Tried,
) => Promise<{ scenario: Scenario; over: boolean }>;

const withFewerMembers: Phase = async (start, profile, tried) => {
  let scenario = start;
  for (;;) {
    const fewer = [...fewerMembers(scenario)].filter((less) => fitsAsWell(less, scenario, profile));
    const hits = await tried(fewer);
    const [hit] = hits ?? [];
    if (hit === undefined) return { scenario, over: hits === undefined };
    scenario = hit;
  }
};

/** Leaves out every step and fault that can go, those that can go by themselves together where that works. */
const withoutParts: Phase = async (start, profile, tried) => {
  let scenario = start;
  for (;;) {
    const parts = partsOf(scenario).filter((part) =>
      fitsAsWell(without(scenario, [part]), scenario, profile),
    );
    const one = new Map(parts.map((part) => [without(scenario, [part]), part]));
    const hits = await tried([...one.keys()]);
    if (hits === undefined) return { scenario, over: true };
    const [first] = hits;
    if (first === undefined) return { scenario, over: false };
    const free = hits.flatMap((hit) => one.get(hit) ?? []);
    const groups = groupsOf(free).map((group) => without(scenario, group));
    const together = await tried(groups);
    scenario = together?.[0] ?? first;
    if (together === undefined) return { scenario, over: true };
  }
};

const withPlainValues: Phase = async (start, profile, tried) => {
  let scenario = start;
  for (;;) {
    const hits = await tried([...reductions(scenario, profile)]);
    if (hits === undefined) return { scenario, over: true };
    const [first] = hits;
    if (first === undefined) return { scenario, over: false };
    const base = scenario;
    const groups = groupsOf(hits).map((group) => combined(base, group));
    const together = await tried(groups.filter((group) => fitsAsWell(group, base, profile)));
    scenario = together?.[0] ?? first;
    if (together === undefined) return { scenario, over: true };
  }
};

/** More than one of a list at a time: all, then halves, quarters and so on. */
function groupsOf<T>(all: readonly T[]): T[][] {
  const groups: T[][] = [];
  for (let size = all.length; size >= 2; size = Math.ceil(size / 2)) {
    for (let from = 0; from < all.length; from += size) {
      const group = all.slice(from, from + size);
      if (group.length > 1) groups.push(group);
    }
    if (size === 2) break;
  }
  return groups;
}

function partsOf(scenario: Scenario): Part[] {
  return membersOf(scenario).flatMap(({ steps, faults }, member) => [
    ...steps.map((_, at): Part => ({ member, list: 'steps', at })),
    ...faults.map((_, at): Part => ({ member, list: 'faults', at })),
  ]);
}

function without(scenario: Scenario, parts: readonly Part[]): Scenario {
  const keeps = (member: number, list: Part['list']): ((_: unknown, at: number) => boolean) => {
    const gone = new Set(
      parts.filter((part) => part.member === member && part.list === list).map(({ at }) => at),
    );
    return (_, at) => !gone.has(at);
  };
  const members = membersOf(scenario).map((one, member) => ({
    ...one,
    steps: one.steps.filter(keeps(member, 'steps')),
    faults: one.faults.filter(keeps(member, 'faults')),
  }));
  return withMembers(members, scenario.beside) ?? scenario;
}
