import type { Profile } from '../../../adapters/adapter.ts';
import { membersOf } from '../../beside.ts';
import type { Scenario } from '../../scenario.ts';
import { fitsAsWell } from '../fits.ts';
import type { ShrinkBounds, Shrunk } from './bounds.ts';
import { combined } from './combine.ts';
import { reductions } from './reduce.ts';
import { fewerMembers, withMembers } from './reduce-beside.ts';

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
 * in one round, and all of it is tried together in the next. First whole scenarios beside others, then steps and faults, of which
 * many are left out at a time, then values.
 */
export async function shrinkWide(
  { start, guesses, profile }: { start: Scenario; guesses: readonly Scenario[]; profile: Profile },
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
  const fitting = guesses.filter((guess) => fitsAsWell(guess, start, profile));
  const guessed = fitting.length === 0 ? [] : await tried(fitting);
  if (guessed === undefined) return { scenario: start, whole: false };
  let [best = start] = guessed;
  for (;;) {
    const before = best;
    const isSmall = roomOf(best, profile) <= bounds.parallel;
    for (const round of isSmall ? [all] : [members, chunks, parts, values, rest]) {
      const { scenario, over } = await repeated(round, best, profile, tried);
      best = scenario;
      if (over) return { scenario: best, whole: false };
    }
    if (best === before) return { scenario: best, whole: true };
  }
}

/** What may be tried by itself, and what then may be tried together, of those that still show the fault: the most at a time first. */
interface Round {
  candidates: Iterable<Scenario>;
  together: (hits: readonly Scenario[]) => Scenario[][];
}

/**
 * Rounds of one kind, until none makes the scenario simpler, or all that did by itself goes together: what is left was tried then, and is
 * tried again once nothing else is simpler. `over`: not all that was to be tried was tried.
 */
async function repeated(
  round: (scenario: Scenario, profile: Profile) => Round,
  start: Scenario,
  profile: Profile,
  tried: Tried,
): Promise<{ scenario: Scenario; over: boolean }> {
  let scenario = start;
  for (;;) {
    const base = scenario;
    const { candidates, together } = round(base, profile);
    const hits = await tried([...candidates]);
    const [first] = hits ?? [];
    if (hits === undefined || first === undefined) return { scenario, over: hits === undefined };
    scenario = first;
    let isWhole = hits.length === 1;
    for (const groups of together(hits)) {
      const joined = await tried(groups.filter((less) => fitsAsWell(less, base, profile)));
      if (joined === undefined) return { scenario, over: true };
      const [most] = joined;
      if (most === undefined) continue;
      scenario = most;
      isWhole = groups.length === 1;
      break;
    }
    if (isWhole) return { scenario, over: false };
  }
}

function members(scenario: Scenario): Round {
  return { candidates: fewerMembers(scenario), together: (): Scenario[][] => [] };
}

/** Steps and faults from which on it saves tries to leave several out at once. */
const many = 7;

/** So many neighbours left out at once that there are as many such groups. */
function chunks(scenario: Scenario): Round {
  const all = partsOf(scenario);
  const size = Math.ceil(Math.sqrt(all.length));
  const count = all.length < many ? 0 : Math.ceil(all.length / size);
  return leavingOut(
    scenario,
    Array.from({ length: count }, (_, i) => all.slice(i * size, (i + 1) * size)),
  );
}

/** Every step and fault left out. */
function parts(scenario: Scenario): Round {
  return leavingOut(
    scenario,
    partsOf(scenario).map((part) => [part]),
  );
}

function leavingOut(scenario: Scenario, groups: readonly (readonly Part[])[]): Round {
  const one = new Map(groups.map((group) => [without(scenario, group), group]));
  const together = (hits: readonly Scenario[]): Scenario[][] =>
    groupsOf(hits.map((hit) => one.get(hit) ?? [])).map((level) =>
      level.map((group) => without(scenario, group.flat())),
    );
  return { candidates: one.keys(), together };
}

/** All that is simpler, at once. */
function all(scenario: Scenario, profile: Profile): Round {
  const omitted = new Map(
    partsOf(scenario).map((part) => [JSON.stringify(without(scenario, [part])), part] as const),
  );
  const together = (hits: readonly Scenario[]): Scenario[][] =>
    groupsOf(hits).map((groups) =>
      groups.map((group) => {
        const gone = group.map((hit) => omitted.get(JSON.stringify(hit)));
        const plainer = group.filter((_, i) => gone[i] === undefined);
        return without(
          combined(scenario, plainer),
          gone.filter((part) => part !== undefined),
        );
      }),
    );
  return { candidates: reductions(scenario, profile), together };
}

const roomOf = (scenario: Scenario, profile: Profile): number => [...reductions(scenario, profile)].length;

const partCount = (scenario: Scenario): number => partsOf(scenario).length;

/** Values made plain, with all steps and faults. */
function values(scenario: Scenario, profile: Profile): Round {
  const { candidates, together } = rest(scenario, profile);
  const count = partCount(scenario);
  return { candidates: [...candidates].filter((less) => partCount(less) === count), together };
}

/** Whatever is simpler. */
function rest(scenario: Scenario, profile: Profile): Round {
  const together = (hits: readonly Scenario[]): Scenario[][] =>
    groupsOf(hits).map((groups) => groups.map((group) => combined(scenario, group)));
  return { candidates: reductions(scenario, profile), together };
}

/** More than one of a list at a time: all, then its halves, quarters and so on. */
function groupsOf<T>(all: readonly T[]): T[][][] {
  const levels: T[][][] = [];
  for (let size = all.length; size >= 2; size = Math.ceil(size / 2)) {
    const groups: T[][] = [];
    for (let from = 0; from < all.length; from += size) {
      const group = all.slice(from, from + size);
      if (group.length > 1) groups.push(group);
    }
    levels.push(groups);
    if (size === 2) break;
  }
  return levels;
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
