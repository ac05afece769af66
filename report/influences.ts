import type { Influence } from './results.ts';
import { hanging } from './text.ts';

/** Part of a scenario on which the failure depends, in words. */
export function influenceText({ what, is, broken, kept }: Influence): string {
  return `${what}: broken with ${[is, ...broken].join(', ')}; kept with ${kept.join(', ')}`;
}

/** What a part has to be for anything to be broken, and what it was tried as besides. */
export function conditionText({ what, is, broken, kept }: Influence): string {
  return `${what} ${[is, ...broken].join(', ')} (not ${kept.join(', ')})`;
}

/** Parts that make no difference, those of one step together. */
export function indifferenceText(influences: readonly Influence[]): string {
  const groups = new Map<string, string[]>();
  for (const { what } of influences) {
    const at = what.indexOf(': ');
    const [group, part] = at < 0 ? ['', what] : [what.slice(0, at + 2), what.slice(at + 2)];
    groups.set(group, [...(groups.get(group) ?? []), part]);
  }
  return [...groups].map(([group, parts]) => `${group}${parts.join(', ')}`).join('; ');
}

/** Those that matter, and those that do not. */
export function sortInfluences(influences: readonly Influence[]): { matter: Influence[]; rest: Influence[] } {
  return {
    matter: influences.filter(({ kept }) => kept.length > 0),
    rest: influences.filter(({ kept, broken }) => kept.length === 0 && broken.length > 0),
  };
}

/**
 * What matters, the telling parts first: one that must only not be a certain value, such as a number of READs that is not 0, says little
 * of a fault.
 */
export function tellingFirst(matter: readonly Influence[]): Influence[] {
  const tells = ({ broken, kept }: Influence): boolean => kept.length > 1 || broken.length < 2;
  return [...matter.filter(tells), ...matter.filter((part) => !tells(part))];
}

/** "What matters" as lines of at most `width` characters; none where nothing was varied. */
export function influenceLines(influences: readonly Influence[] | undefined, width: number): string[] {
  const { matter, rest } = sortInfluences(influences ?? []);
  return [
    ...matter.flatMap((entry, i) =>
      hanging(i === 0 ? '   matters     ' : '               ', influenceText(entry), width),
    ),
    ...(rest.length === 0 ? [] : hanging('   no effect   ', indifferenceText(rest), width)),
  ];
}
