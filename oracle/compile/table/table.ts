import type { DecisionTable, FactDef, Rule, Words } from '../../rules.ts';
import { evaluate } from '../evaluate.ts';
import { stridesOf, wordHelpers, wordText } from './cell.ts';
import { buildDiagram, fullMask, isLeaf } from './diagram.ts';
import type { ConditionMasks, Diagram, DiagramNode } from './diagram.ts';
import type { TableDraft } from './draft.ts';

/** Bit sets of a condition, by fact. */
export function masksOf(
  when: Readonly<Record<string, readonly string[]>>,
  facts: readonly FactDef[],
): ConditionMasks {
  return facts.map(({ name, values }) => {
    const allowed = when[name];
    if (allowed === undefined) return fullMask(values.length);
    return allowed.reduce((mask, value) => mask | (1 << values.indexOf(value)), 0);
  });
}

export function diagramOf(draft: TableDraft, facts: readonly FactDef[]): Diagram {
  return buildDiagram(
    facts.map((f) => f.values.length),
    draft.impossible.map((entry) => masksOf(entry.when, facts)),
    draft.rules.map((rule) => masksOf(rule.when, facts)),
    draft.hit,
  );
}

/** Choice number by cell, mixed radix with the last fact fastest. Equal blocks are copied, not walked again. */
function fillCells(
  diagram: Diagram,
  facts: readonly FactDef[],
): { cells: Uint16Array | Uint32Array; strides: number[] } {
  const strides = stridesOf(facts);
  const total = facts.reduce((product, { values }) => product * values.length, 1);
  const cells = diagram.choices.length <= 0x10000 ? new Uint16Array(total) : new Uint32Array(total);
  const choiceNumber = new Map(diagram.choices.map((choice, i) => [choice, i]));
  const filled = diagram.sizes.map(() => new Map<number, number>());
  const fill = (node: DiagramNode, depth: number, offset: number): void => {
    const block = depth === 0 ? total : (strides[depth - 1] ?? 1);
    if (isLeaf(node)) {
      cells.fill(choiceNumber.get(node.choice) ?? 0, offset, offset + block);
      return;
    }
    const memo = filled[depth];
    const before = memo?.get(node.id);
    if (before !== undefined) {
      cells.copyWithin(offset, before, before + block);
      return;
    }
    const stride = strides[depth] ?? 1;
    for (let value = 0; value < (diagram.sizes[depth] ?? 0); value++) {
      const next = node.fact === depth ? node.children[value] : node;
      if (next !== undefined) fill(next, depth + 1, offset + value * stride);
    }
    memo?.set(node.id, offset);
  };
  fill(diagram.root, 0, 0);
  return { cells, strides };
}

/** Answers of decideAny kept by mask of each fact in turn. */
interface Kept {
  readonly next: Map<number, Kept>;
  answer?: readonly Rule[];
}

const maxKept = 65_536;

function makeNumberOf(id: string, facts: readonly FactDef[]): (words: Words) => number {
  const strides = stridesOf(facts);
  const parts = facts.map((fact, i) => wordText(fact, strides[i] ?? 1));
  const text = `return (given) => { let x; return ${parts.join(' + ') || '0'}; };`;
  return evaluate(text, wordHelpers(id, facts)) as (words: Words) => number;
}

/** The table that the judge asks. Cells are laid out when first asked for. */
export function makeTable(
  draft: TableDraft,
  about: string,
  facts: readonly FactDef[],
  rules: readonly Rule[],
): DecisionTable {
  let diagram: Diagram | undefined;
  const getDiagram = (): Diagram => (diagram ??= diagramOf(draft, facts));
  let laidOut:
    { cells: Uint16Array | Uint32Array; strides: number[]; answers: (readonly Rule[])[] } | undefined;
  const layOut = (): NonNullable<typeof laidOut> => {
    const made = getDiagram();
    const answers = made.choices.map((choice) =>
      choice.kind === 'rules' ? choice.rules.flatMap((r) => rules[r] ?? []) : [],
    );
    return (laidOut = { ...fillCells(made, facts), answers });
  };
  const none: readonly Rule[] = [];
  const sizes = facts.map((f) => f.values.length);
  const count = sizes.length;

  const decide = (values: ArrayLike<number>): readonly Rule[] => {
    const { cells, strides, answers } = laidOut ?? layOut();
    let cell = 0;
    for (let i = 0; i < count; i++) {
      const value = values[i] ?? -1;
      if ((value | 0) !== value || value < 0 || value >= (sizes[i] ?? 0)) return none;
      cell += value * (strides[i] ?? 0);
    }
    return answers[cells[cell] ?? -1] ?? none;
  };

  let kept: Kept = { next: new Map() };
  let keptCount = 0;
  const search = (masks: ArrayLike<number>): readonly Rule[] => {
    const made = getDiagram();
    // A fact that the diagram leaves out still has to have some value.
    for (let i = 0; i < sizes.length; i++) if (((masks[i] ?? 0) & fullMask(sizes[i] ?? 0)) === 0) return none;
    const seen = new Uint8Array(made.count);
    const chosen = new Set<number>();
    const visit = (node: DiagramNode): void => {
      if (seen[node.id] === 1) return;
      seen[node.id] = 1;
      if (isLeaf(node)) {
        if (node.choice.kind === 'rules') for (const rule of node.choice.rules) chosen.add(rule);
        return;
      }
      const mask = masks[node.fact] ?? 0;
      node.children.forEach((child, value) => {
        if ((mask >>> value) & 1) visit(child);
      });
    };
    visit(made.root);
    return [...chosen].toSorted((a, b) => a - b).flatMap((r) => rules[r] ?? []);
  };

  const decideAny = (masks: ArrayLike<number>): readonly Rule[] => {
    let at = kept;
    for (let i = 0; i < sizes.length; i++) {
      const mask = (masks[i] ?? 0) & fullMask(sizes[i] ?? 0);
      let next = at.next.get(mask);
      if (next === undefined) {
        if (++keptCount > maxKept) {
          kept = { next: new Map() };
          keptCount = 0;
          return search(masks);
        }
        next = { next: new Map() };
        at.next.set(mask, next);
      }
      at = next;
    }
    return (at.answer ??= search(masks));
  };

  const cell = (number: number): readonly Rule[] => {
    const { cells, answers } = laidOut ?? layOut();
    return answers[cells[number] ?? -1] ?? none;
  };

  let numberOf: ((words: Words) => number) | undefined;
  const by = (words: Words): readonly Rule[] => cell((numberOf ??= makeNumberOf(draft.table, facts))(words));

  const { table: id, on, hit } = draft;
  return { id, about, on, hit, facts, rules, decide, decideAny, cell, by };
}
