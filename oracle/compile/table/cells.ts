import type { FactDef } from '../../rules.ts';
import { isLeaf } from './diagram.ts';
import type { Choice, Diagram, DiagramNode } from './diagram.ts';

/** Part of a table: allowed value indices by fact; a fact that is absent may have any value. */
export type PartialCell = ReadonlyMap<number, readonly number[]>;

/** `psn: ahead, nakState: none | rnr`, or `any cell`. */
export function describeCell(cell: PartialCell, facts: readonly FactDef[]): string {
  if (cell.size === 0) return 'any cell';
  return [...cell]
    .map(([fact, values]) => {
      const def = facts[fact];
      return `${def?.name ?? '?'}: ${values.map((v) => def?.values[v] ?? '?').join(' | ')}`;
    })
    .join(', ');
}

/**
 * The cells whose choice fits, merged into partial cells where neighbours lead to the same; at most `limit` of them, with
 * the number of all partial cells and of all full ones.
 */
export function cellsWhere(
  diagram: Diagram,
  fits: (choice: Choice) => boolean,
  limit: number,
): { partial: PartialCell[]; partialCount: number; cellCount: number } {
  const { sizes } = diagram;
  const partials = new Map<number, number>();
  const countPartials = (node: DiagramNode): number => {
    if (isLeaf(node)) return fits(node.choice) ? 1 : 0;
    const known = partials.get(node.id);
    if (known !== undefined) return known;
    const n = [...new Set(node.children)].reduce((sum, child) => sum + countPartials(child), 0);
    partials.set(node.id, n);
    return n;
  };
  // Share of all cells: facts that a path does not ask count with all their values.
  const shares = new Map<number, number>();
  const share = (node: DiagramNode): number => {
    if (isLeaf(node)) return fits(node.choice) ? 1 : 0;
    const known = shares.get(node.id);
    if (known !== undefined) return known;
    const part = node.children.reduce((sum, child) => sum + share(child), 0) / node.children.length;
    shares.set(node.id, part);
    return part;
  };

  const partial: PartialCell[] = [];
  const walk = (node: DiagramNode, path: ReadonlyMap<number, readonly number[]>): void => {
    if (partial.length >= limit || countPartials(node) === 0) return;
    if (isLeaf(node)) {
      partial.push(path);
      return;
    }
    const groups = new Map<DiagramNode, number[]>();
    node.children.forEach((child, value) => {
      const group = groups.get(child);
      if (group === undefined) groups.set(child, [value]);
      else group.push(value);
    });
    for (const [child, values] of groups) walk(child, new Map([...path, [node.fact, values]]));
  };
  walk(diagram.root, new Map());
  const total = sizes.reduce((n, size) => n * size, 1);
  return {
    partial,
    partialCount: countPartials(diagram.root),
    cellCount: Math.round(share(diagram.root) * total),
  };
}

/** Choices that occur within a condition. */
export function choicesWithin(diagram: Diagram, masks: readonly number[]): Set<Choice> {
  const found = new Set<Choice>();
  const seen = new Set<number>();
  const visit = (node: DiagramNode): void => {
    if (seen.has(node.id)) return;
    seen.add(node.id);
    if (isLeaf(node)) {
      found.add(node.choice);
      return;
    }
    node.children.forEach((child, value) => {
      if (((masks[node.fact] ?? -1) >>> value) & 1) visit(child);
    });
  };
  visit(diagram.root);
  return found;
}
