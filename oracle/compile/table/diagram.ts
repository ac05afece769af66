import type { HitPolicy } from '../../rules.ts';

/** What holds in a cell. Numbers are those of the rules within their table. */
export type Choice =
  | { readonly kind: 'undecided' }
  | { readonly kind: 'impossible' }
  | { readonly kind: 'rules'; readonly rules: readonly number[] };

/** Decision diagram: facts are asked in the order of the table, those that make no difference are left out. */
export type DiagramNode = Leaf | Branch;
export interface Leaf {
  readonly id: number;
  readonly choice: Choice;
}
export interface Branch {
  readonly id: number;
  /** index of the fact that is asked */
  readonly fact: number;
  /** by value index; equal subtrees are the same object */
  readonly children: readonly DiagramNode[];
}

export interface Diagram {
  readonly root: DiagramNode;
  /** values per fact */
  readonly sizes: readonly number[];
  /** nodes and leaves; ids are below this */
  readonly count: number;
  readonly choices: readonly Choice[];
}

/** Bit set of allowed values by fact: what a condition says. */
export type ConditionMasks = readonly number[];

export function isLeaf(node: DiagramNode): node is Leaf {
  return 'choice' in node;
}

/** All values of a fact with that many. */
export function fullMask(size: number): number {
  return size >= 31 ? 0x7fffffff : (1 << size) - 1;
}

/**
 * Builds the diagram of a table. The set of conditions still open is the state; equal states at equal depth are built
 * once, so that the cost follows the number of distinct situations, not rules times cells.
 */
export function buildDiagram(
  sizes: readonly number[],
  impossible: readonly ConditionMasks[],
  rules: readonly ConditionMasks[],
  hit: HitPolicy,
): Diagram {
  const conditions = [...impossible, ...rules];
  // Deepest fact that a condition restricts: behind it, the condition holds whatever comes.
  const last = conditions.map((masks) => {
    let deepest = -1;
    sizes.forEach((size, fact) => {
      if (((masks[fact] ?? -1) & fullMask(size)) !== fullMask(size)) deepest = fact;
    });
    return deepest;
  });
  const allowing = sizes.map((size, fact) =>
    Array.from({ length: size }, (_, value) => {
      let set = 0n;
      conditions.forEach((masks, c) => {
        if (((masks[fact] ?? -1) >>> value) & 1) set |= 1n << BigInt(c);
      });
      return set;
    }),
  );
  // Conditions that hold for sure once the facts before `depth` are known.
  const settledAt = Array.from({ length: sizes.length + 1 }, (_, depth) => {
    let set = 0n;
    last.forEach((deepest, c) => {
      if (deepest < depth) set |= 1n << BigInt(c);
    });
    return set;
  });
  const impossibleSet = (1n << BigInt(impossible.length)) - 1n;

  let count = 0;
  const choices: Choice[] = [];
  const leaves = new Map<string, Leaf>();
  const branches = new Map<string, Branch>();
  const states = sizes.map(() => new Map<bigint, DiagramNode>());

  const leaf = (choice: Choice): Leaf => {
    const key = choice.kind === 'rules' ? choice.rules.join(',') : choice.kind;
    const known = leaves.get(key);
    if (known !== undefined) return known;
    const made: Leaf = { id: count++, choice };
    choices.push(choice);
    leaves.set(key, made);
    return made;
  };

  const members = (set: bigint): number[] => {
    const found: number[] = [];
    for (let c = impossible.length; c < conditions.length; c++) {
      if ((set >> BigInt(c)) & 1n) found.push(c - impossible.length);
    }
    return found;
  };

  /** Choice that the open conditions leave, or `undefined` while it still depends on facts to come. */
  const settle = (depth: number, open: bigint): Choice | undefined => {
    const settled = settledAt[depth] ?? 0n;
    if (open === 0n) return { kind: 'undecided' };
    if ((open & settled & impossibleSet) !== 0n) return { kind: 'impossible' };
    if (hit === 'first') {
      const lowest = open & -open;
      return (lowest & settled) === 0n ? undefined : { kind: 'rules', rules: members(lowest) };
    }
    return (open & settled) === open ? { kind: 'rules', rules: members(open) } : undefined;
  };

  const build = (depth: number, alive: bigint): DiagramNode => {
    let open = alive;
    if (hit === 'first') {
      const sure = open & (settledAt[depth] ?? 0n);
      // What comes after the first condition that surely holds is never reached.
      if (sure !== 0n) open &= ((sure & -sure) << 1n) - 1n;
    }
    const choice = settle(depth, open);
    if (choice !== undefined) return leaf(choice);
    const memo = states[depth];
    const known = memo?.get(open);
    if (known !== undefined) return known;
    const children = (allowing[depth] ?? []).map((set) => build(depth + 1, open & set));
    const first = children[0];
    let node: DiagramNode;
    if (first !== undefined && children.every((c) => c === first)) node = first;
    else {
      const key = `${depth}:${children.map((c) => c.id).join(',')}`;
      const same = branches.get(key);
      if (same === undefined) {
        const made: Branch = { id: count++, fact: depth, children };
        branches.set(key, made);
        node = made;
      } else node = same;
    }
    memo?.set(open, node);
    return node;
  };

  const root = build(0, (1n << BigInt(conditions.length)) - 1n);
  return { root, sizes, count, choices };
}
