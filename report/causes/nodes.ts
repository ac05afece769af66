import { impactOf } from './impact.ts';
import { misfitOf } from './misfits.ts';
import { findingName, type Failure, type RuleResult, type RunResult } from '../results.ts';

/** A finding on its way into a cause. */
export interface Node {
  /** its name, as others know it */
  readonly key: string;
  readonly failure: Failure;
  readonly rule: RuleResult | undefined;
  /** place of its impact, the gravest first */
  readonly rank: number;
  /** the finding that it was only ever seen behind */
  parent: Node | undefined;
  /** another one of the cause is seen because of what this one says */
  explains?: true;
  /** a node of the same group; absent: it stands for its group */
  group?: Node;
  /** of the node that stands for a group: the defect that the list of known divergences names, by its link */
  defect?: string;
}

export type ByKey = ReadonlyMap<string, Node>;

/** The node that stands for a group. */
export function root(node: Node): Node {
  let found = node;
  while (found.group !== undefined) found = found.group;
  return found;
}

/** Makes two groups one, unless the list of known divergences has them as two defects; false: they stay two. */
export function join(a: Node, b: Node): boolean {
  const [own, other] = [root(a), root(b)];
  if (own === other) return true;
  const defect = other.defect ?? own.defect;
  if (own.defect !== undefined && own.defect !== defect) return false;
  own.group = other;
  if (defect !== undefined) other.defect = defect;
  return true;
}

/** Joins all nodes that have a key in common. */
export function joinBy(nodes: readonly Node[], keysOf: (node: Node) => readonly string[]): void {
  const first = new Map<string, Node>();
  for (const node of nodes) {
    for (const key of keysOf(node)) {
      const other = first.get(key);
      if (other === undefined) first.set(key, node);
      else join(node, other);
    }
  }
}

/** A node for each finding, each a group by itself. */
export function nodesOf({ failures, rules, impacts = [] }: RunResult): Node[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return failures.map((failure): Node => {
    const rule = byId.get(failure.rule);
    const impact = misfitOf(failure) === undefined ? impactOf(failure, rule) : 'protocol';
    const at = impacts.findIndex(({ id }) => id === impact);
    const rank = at < 0 ? impacts.length : at;
    const defect = failure.divergence?.link;
    return {
      key: findingName(failure),
      failure,
      rule,
      parent: undefined,
      rank,
      ...(defect !== undefined && { defect }),
    };
  });
}
