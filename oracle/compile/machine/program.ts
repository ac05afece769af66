import type { MachineDraft } from '../../machine-draft.ts';
import type { Machine, MachineFact, MachineLayout, Outcome } from '../../rules.ts';
import { evaluate } from '../evaluate.ts';
import { makeCellOf, makeFiller } from './filler.ts';
import { machineText } from './text.ts';
import type { MachineText } from './text.ts';

type Act = (inputs: object, variables: object) => void;
type Holds = (outcome: Outcome, inputs: object, variables: object) => boolean | undefined;
type Read = (inputs: object, variables: object) => unknown;

/** What the text of a machine evaluates to. */
interface Program {
  readonly facts: Readonly<Record<string, Pick<MachineFact, 'read' | 'likeliest'>>>;
  readonly effects: Readonly<Record<string, Readonly<Record<string, Act>>>>;
  readonly demands: Readonly<Record<string, Holds>>;
  readonly steps: Readonly<Record<string, Act>>;
  readonly values: Readonly<Record<string, Read>>;
  readonly narrow: Readonly<Record<string, (inputs: object, variables: object, value: number) => void>>;
  readonly start: Act;
  readonly layout: MachineLayout;
  readonly words: object;
}

/** Bit set of what `of` makes of every value in a bit set; results out of 0..upTo are left out. */
function every(set: number, upTo: number, of: (k: number) => number): number {
  let made = 0;
  for (let k = 0; k < 32 && set >>> k !== 0; k++) {
    if (((set >>> k) & 1) === 0) continue;
    const value = of(k);
    if (value >= 0 && value <= upTo) made |= 1 << value;
  }
  return made;
}

/** What a name stands for; RangeError where the machine does not have it. */
function required<T>(map: Readonly<Record<string, T>>, name: string, what: string): T {
  const found = map[name];
  if (found === undefined) throw new RangeError(`${what} "${name}" is not in the YAML`);
  return found;
}

/** The machine of a draft; `text`: what `machineText` makes of it, where that is known. `valuesOf`: values of a fact of the vocabulary, in their order. */
export function makeMachine(
  draft: MachineDraft,
  valuesOf: (fact: string) => readonly string[],
  { program: text, facts: texts }: MachineText = machineText(draft, valuesOf),
): Machine {
  const program = evaluate(text, { every }) as Program;
  const around = { c: program.values, words: program.words, every };
  const facts = new Map(
    Object.entries(texts).map(([name, { kind }]): [string, MachineFact] => [
      name,
      {
        kind,
        values: valuesOf(name),
        ...required(program.facts, name, 'the meaning of fact'),
        narrow: program.narrow[name],
      },
    ]),
  );
  const acts = new WeakMap<Outcome, readonly Act[]>();
  const actsOf = (outcome: Outcome): readonly Act[] => {
    const found = Object.keys(draft.effects).flatMap((name) => {
      const value = outcome[name];
      return typeof value === 'string' ? (program.effects[name]?.[value] ?? []) : [];
    });
    acts.set(outcome, found);
    return found;
  };
  return {
    draft,
    facts,
    apply: (outcome, inputs, variables) => {
      for (const act of acts.get(outcome) ?? actsOf(outcome)) act(inputs, variables);
    },
    effect: (name) => {
      const byValue = required(program.effects, name, `machine ${draft.id}: the effect of outcome`);
      return (outcome, inputs, variables) => {
        const value = outcome[name];
        if (typeof value === 'string') byValue[value]?.(inputs, variables);
      };
    },
    holds: (name) => required(program.demands, name, `machine ${draft.id}: the demand of outcome`),
    filler: (positions) => makeFiller(texts, positions, around),
    cellOf: (table, given) => makeCellOf(texts, table, given, around),
    start: program.start,
    layout: program.layout,
    step: (name) => required(program.steps, name, `machine ${draft.id}: step`),
    value: (name) => required(program.values, name, `machine ${draft.id}: value`),
  };
}
