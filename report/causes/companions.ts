import { findingName, type Failure } from '../results.ts';
import { everywhere } from './consequences.ts';
import { join, type ByKey, type Node } from './nodes.ts';

const attribute = / of the (?:requester|responder)$|^(?:IP version|path MTU|shared receive queue)$/;

/** Attributes of the QPs without which nothing is broken, each with its value. */
function conditions({ influences = [] }: Failure): string[] {
  return influences
    .filter(({ what, kept }) => kept.length > 0 && attribute.test(what))
    .map(({ what, is }) => `${what} ${is}`);
}

/** A QP that leaves RTR or RTS without a reason completes nothing more, and flushes what is posted. */
const leavesRts = ({ expected, observed }: Failure): boolean =>
  /^state RT[RS]\b/.test(expected) && /^state ERR\b/.test(observed);

const statusOf = ({ observed }: Failure): string | undefined => /\bIBV_WC_\w+/.exec(observed)?.[0];

/** One completion that breaks two rules by the status that it has. */
function sameCompletion(a: Failure, b: Failure): boolean {
  const status = statusOf(a);
  return status !== undefined && status !== 'IBV_WC_SUCCESS' && status === statusOf(b);
}

/** A rule that is broken in no more of all cases, and of the places where it could be, is not broken by chance in a small exchange. */
const seldom = { ofCases: 0.03, ofPlaces: 0.2 };

/**
 * Whether it is no accident that the smallest exchange of a finding shows another one as well: nothing is in that exchange for the other
 * one's sake, the other one's rule is kept nearly everywhere else, and most findings of the rule show it.
 */
function goesWith({ failure }: Node, { rule }: Node, nodes: readonly Node[], cases: number): boolean {
  const { id = '', violations = 1, exercised = 1 } = rule ?? {};
  const isSeldom = violations <= seldom.ofCases * cases && violations <= seldom.ofPlaces * exercised;
  if (failure.unshrunk === true || !isSeldom) return false;
  const smallest = nodes.filter(
    (node) => node.failure.rule === failure.rule && node.failure.unshrunk !== true,
  );
  const shows = smallest.filter(({ failure: { also = [] } }) => also.some((other) => other.rule === id));
  return 2 * shows.length > smallest.length;
}

/**
 * Joins a finding with another one that its exchange shows as well, where that is no accident, or the other one explains it: a state that
 * nothing asked for, or, of what most exchanges show, what takes the same attributes of a QP.
 */
export function joinCompanions(nodes: readonly Node[], byKey: ByKey, cases: number): void {
  const often = everywhere(nodes, false);
  for (const node of nodes) {
    const all = conditions(node.failure);
    for (const name of (node.failure.also ?? []).map(findingName)) {
      const companion = byKey.get(name);
      if (companion === undefined) continue;
      const own = conditions(companion.failure);
      const explains =
        sameCompletion(node.failure, companion.failure) ||
        (often.has(name)
          ? own.length > 0 && own.every((condition) => all.includes(condition))
          : leavesRts(companion.failure) || goesWith(node, companion, nodes, cases));
      if (explains && join(node, companion) && leavesRts(companion.failure)) companion.explains = true;
    }
  }
}
