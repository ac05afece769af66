import { findingName, withoutHistory } from '../results.ts';
import { impactOf } from './impact.ts';
import { join, root, type ByKey, type Node } from './nodes.ts';

/** From this share of all exchanges on, what they break on the way to something else says nothing about that. */
const background = 0.3;
const fewExchanges = 6;

/** Findings that most exchanges show, whatever they are about. `first`: only where they come before what those are about. */
export function everywhere(nodes: readonly Node[], first: boolean): Set<string> {
  const seen = new Map<string, number>();
  for (const { failure } of nodes)
    for (const other of failure.also ?? [])
      if (other.before || !first) seen.set(findingName(other), (seen.get(findingName(other)) ?? 0) + 1);
  const most = Math.max(fewExchanges, nodes.length * background);
  return new Set([...seen].filter(([, times]) => times >= most).map(([key]) => key));
}

/** What is broken so many times as often as what comes behind it explains it, though that is graver. */
const farMoreOften = 5;

/** What costs nothing but time, or is a wrong value or detail, explains nothing that is graver. */
const slight: ReadonlySet<string> = new Set(['performance', 'wrong-value', 'header']);

/** A graver finding is news, whatever comes before it in its exchange, unless that is seen far more often, and no slight one. */
function isNews(node: Node, parent: Node): boolean {
  const times = ({ rule }: Node): number => rule?.violations ?? 1;
  const isSlight = slight.has(impactOf(parent.failure, parent.rule) ?? '');
  return parent.rank > node.rank && (isSlight || times(parent) < farMoreOften * times(node));
}

function firstBefore(node: Node, byKey: ByKey, aside: ReadonlySet<string>): Node | undefined {
  const first = (node.failure.also ?? [])
    .filter(({ before }) => before)
    .map(findingName)
    .find((key) => !aside.has(key) && byKey.has(key));
  const parent = first === undefined ? undefined : byKey.get(first);
  return parent === undefined || isNews(node, parent) || root(parent) === root(node) ? undefined : parent;
}

/** The finding of the same rule that shows whatever software had done with the QP. */
function plainOf({ failure, key }: Node, byKey: ByKey): Node | undefined {
  const { rule, signature = '' } = failure;
  const plain = byKey.get(findingName({ rule, signature: withoutHistory(signature) }));
  return plain?.key === key ? undefined : plain;
}

/**
 * A finding of which every exchange breaks another one first follows from that one, unless it is news. What shows without what
 * software had done with the QP is the same defect with it, whatever that had broken before.
 */
export function joinConsequences(nodes: readonly Node[], byKey: ByKey): void {
  const aside = everywhere(nodes, true);
  for (const node of nodes) {
    if (plainOf(node, byKey) !== undefined) continue;
    const parent = firstBefore(node, byKey, aside);
    if (parent !== undefined && join(node, parent)) node.parent = parent;
  }
  for (const node of nodes) {
    const plain = plainOf(node, byKey);
    if (plain !== undefined && join(node, plain)) node.parent = plain.parent;
  }
}

function followsFrom(node: Node, other: Node): boolean {
  for (let at: Node | undefined = node; at !== undefined; at = at.parent) if (at === other) return true;
  return false;
}

/** Within one cause a finding follows from another one that its exchange breaks first, however grave they are. */
export function orderWithin(nodes: readonly Node[], byKey: ByKey): void {
  for (const node of nodes) {
    if (node.parent !== undefined) continue;
    node.parent = (node.failure.also ?? [])
      .filter(({ before }) => before)
      .map((other) => byKey.get(findingName(other)))
      .find((other) => other !== undefined && root(other) === root(node) && !followsFrom(other, node));
  }
}
