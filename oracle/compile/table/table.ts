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
  const { impossible, rules } = conditionsOf(draft, facts);
  return buildDiagram(
    facts.map((f) => f.values.length),
    impossible,
    rules,
    draft.hit,
  );
}

/** Conditions of a table as bit sets by fact. */
interface Conditions {
  readonly impossible: readonly ConditionMasks[];
  readonly rules: readonly ConditionMasks[];
}

function conditionsOf(draft: TableDraft, facts: readonly FactDef[]): Conditions {
  return {
    impossible: draft.impossible.map((entry) => masksOf(entry.when, facts)),
    rules: draft.rules.map((rule) => masksOf(rule.when, facts)),
  };
}

function holds(masks: ConditionMasks, values: readonly number[]): boolean {
  return masks.every((mask, fact) => (mask >>> (values[fact] ?? 0)) & 1);
}

/** The most answers whose numbers a cell holds. */
const mostAnswers = 0xffff;

/** The rules by the number of a cell, in mixed radix with the last fact fastest. Each cell is worked out when it is first asked for. */
class Cells {
  readonly #numbers: Uint16Array;
  readonly #draft: TableDraft;
  readonly #facts: readonly FactDef[];
  readonly #strides: readonly number[];
  readonly #rules: readonly Rule[];
  readonly #conditions: Conditions;
  /** each once, so that equal ones are the same object; the numbers of cells that were asked for count from 1 */
  readonly #answers: (readonly Rule[])[] = [];
  readonly #known = new Map<string, number>();

  constructor(
    draft: TableDraft,
    facts: readonly FactDef[],
    strides: readonly number[],
    rules: readonly Rule[],
  ) {
    this.#numbers = new Uint16Array(facts.reduce((product, { values }) => product * values.length, 1));
    this.#draft = draft;
    this.#facts = facts;
    this.#strides = strides;
    this.#rules = rules;
    this.#conditions = conditionsOf(draft, facts);
  }

  at(cell: number): readonly Rule[] {
    const number = this.#numbers[cell];
    if (number === undefined) return none;
    return number === 0 ? this.#workOut(cell) : (this.#answers[number - 1] ?? none);
  }

  #workOut(cell: number): readonly Rule[] {
    const found = this.#deciding(cell);
    const key = found.join();
    const known = this.#known.get(key);
    if (known !== undefined) {
      this.#numbers[cell] = known;
      return this.#answers[known - 1] ?? none;
    }
    const answer = found.flatMap((r) => this.#rules[r] ?? []);
    if (this.#answers.length === mostAnswers) return answer;
    this.#known.set(key, this.#answers.push(answer));
    this.#numbers[cell] = this.#answers.length;
    return answer;
  }

  /** Places of the rules that decide. */
  #deciding(cell: number): number[] {
    const values = this.#facts.map(
      (fact, i) => Math.floor(cell / (this.#strides[i] ?? 1)) % fact.values.length,
    );
    const { impossible, rules } = this.#conditions;
    if (impossible.some((masks) => holds(masks, values))) return [];
    const found = rules.flatMap((masks, r) => (holds(masks, values) ? r : []));
    return this.#draft.hit === 'first' ? found.slice(0, 1) : found;
  }
}

const none: readonly Rule[] = [];

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

/** The table that the judge asks. */
export function makeTable(
  draft: TableDraft,
  about: string,
  facts: readonly FactDef[],
  rules: readonly Rule[],
): DecisionTable {
  let diagram: Diagram | undefined;
  const getDiagram = (): Diagram => (diagram ??= diagramOf(draft, facts));
  const strides = stridesOf(facts);
  let laidOut: Cells | undefined;
  const cells = (): Cells => (laidOut ??= new Cells(draft, facts, strides, rules));
  const sizes = facts.map((f) => f.values.length);
  const count = sizes.length;

  const decide = (values: ArrayLike<number>): readonly Rule[] => {
    let cell = 0;
    for (let i = 0; i < count; i++) {
      const value = values[i] ?? -1;
      if ((value | 0) !== value || value < 0 || value >= (sizes[i] ?? 0)) return none;
      cell += value * (strides[i] ?? 0);
    }
    return cells().at(cell);
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

  const cell = (number: number): readonly Rule[] => cells().at(number);

  let numberOf: ((words: Words) => number) | undefined;
  const by = (words: Words): readonly Rule[] => cell((numberOf ??= makeNumberOf(draft.table, facts))(words));

  const { table: id, on, hit } = draft;
  return { id, about, on, hit, facts, rules, decide, decideAny, cell, by };
}
