import { checkMachine } from '../../oracle/compile/machine/check.ts';
import { flips, type Flip } from '../../oracle/compile/table/flips.ts';
import { machineFlips, type MachineFlip } from '../../oracle/compile/machine/flips.ts';
import { compileSources } from '../../oracle/compile/compile.ts';
import { readSources } from '../../oracle/compile/sources.ts';
import type { Vocabulary } from '../../oracle/compile/vocabulary.ts';
import { redrafted, withMachine, withOutcomes } from '../../oracle/compile/variant.ts';
import type { RuleSet } from '../../oracle/index.ts';
import type { MachineDraft } from '../../oracle/machine-draft.ts';
import { dependents } from './dependents.ts';

/** One word of the YAML that says something else. */
export interface AnyFlip {
  /** folder below `spec/machines/` */
  readonly machine: string;
  /** rule; absent for a word of `machine.yaml` */
  readonly rule?: string;
  /** place within the rule or `machine.yaml`, such as `reply`, `1 reply` (of the second alternative), or `state.msn.starts` */
  readonly where: string;
  /** which word: the same for all flips that put another one in its place, or leave it out */
  readonly word: string;
  readonly from: string;
  /** empty where the word is taken out */
  readonly to: string;
  /** file and line */
  readonly place: string;
  /** marks of traces that may show it: see `Watch` */
  readonly marks: readonly string[];
  /** the rules with this flip; undefined where the compiler refuses it */
  rules(): RuleSet | undefined;
}

/** `rule where: from -> to`, or with `machine` for the rule: the name of a flip. */
export function nameOf({ machine, rule, where, from, to }: AnyFlip): string {
  return `${rule ?? machine} ${where}: ${from} -> ${to === '' ? 'left out' : to}`;
}

function ofRule(set: RuleSet, flip: Flip): AnyFlip {
  const { rule: id, alternative, key, from, to, usual } = flip;
  const { file = '', line = 0 } = set.rule(id)?.location ?? {};
  return {
    machine: file.split('/').at(-2) ?? '',
    rule: id,
    where: alternative === 0 ? key : `${alternative} ${key}`,
    word: usual === undefined ? `${id} ${alternative} ${key}` : `${usual} ${key}, default`,
    from,
    to,
    place: `${file}:${line}`,
    marks: [id],
    rules: () => withOutcomes(set, flip),
  };
}

function ofMachine(set: RuleSet, flip: MachineFlip, sound: (draft: MachineDraft) => boolean): AnyFlip {
  const { machine, where, word, from, to, users, draft } = flip;
  let marks: readonly string[] | undefined;
  return {
    machine,
    where,
    word: `${machine} ${word}`,
    from,
    to,
    place: draft.location.file,
    // few are asked for them, and all of them take seconds
    get marks() {
      return (marks ??= [...new Set(users.flatMap((user) => dependents(draft, user)))]);
    },
    rules: () => (sound(draft) ? withMachine(set, redrafted(set, draft)) : undefined),
  };
}

/** What is read of the files of the package: plain data, of which threads can have a copy. */
export interface Drafts {
  readonly vocabulary: Vocabulary;
  readonly machines: readonly MachineDraft[];
}

/** In these, what stands once and is used in several places is known as such. Takes seconds. */
export function readDrafts(): Drafts {
  const { vocabulary, machines } = compileSources(readSources());
  if (vocabulary === undefined) throw new Error('the vocabulary does not compile');
  return { vocabulary, machines };
}

/** Every flip of the rules of the package, in the order of its files. `deeper`: see `machineFlips`. */
export function everyFlip(set: RuleSet, drafts: Drafts, deeper = false): AnyFlip[] {
  const { vocabulary } = drafts;
  const sound = (draft: MachineDraft): boolean => {
    let found = true;
    checkMachine(draft, vocabulary, () => (found = false));
    return found;
  };
  const valuesOf = (fact: string): readonly string[] => [
    ...(vocabulary.facts.get(fact)?.values.keys() ?? []),
  ];
  const machines = drafts.machines.flatMap((draft) => machineFlips(draft, valuesOf, deeper));
  return [
    ...flips(set).map((flip) => ofRule(set, flip)),
    ...machines.map((flip) => ofMachine(set, flip, sound)),
  ].toSorted((a, b) => (a.machine < b.machine ? -1 : a.machine > b.machine ? 1 : 0));
}
