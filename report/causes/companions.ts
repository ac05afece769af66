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

/**
 * Joins a finding with another one that its exchange shows as well, where the other one explains it: a state that nothing asked for, or,
 * of what most exchanges show, what takes the same attributes of a QP.
 */
export function joinCompanions(nodes: readonly Node[], byKey: ByKey): void {
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
          : leavesRts(companion.failure));
      if (explains && join(node, companion) && leavesRts(companion.failure)) companion.explains = true;
    }
  }
}
