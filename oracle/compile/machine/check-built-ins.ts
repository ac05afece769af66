import type { BuiltInDraft, MachineDraft } from '../../machine-draft.ts';
import type { DiagnosticCode } from '../diagnostic.ts';
import type { Path } from '../document.ts';
import { didYouMean } from '../suggest.ts';
import type { Vocabulary } from '../vocabulary.ts';

type Say = (path: Path, code: DiagnosticCode, message: string) => void;

/** What the expressions of a machine do with its names. */
export interface Used {
  readonly read: ReadonlySet<string>;
  /** variables that a statement changes */
  readonly written: ReadonlySet<string>;
}

type List = Exclude<keyof BuiltInDraft, 'about'>;

interface Entry {
  readonly path: Path;
  readonly name: string;
}

function entries({ builtIns }: MachineDraft, list: List): Entry[] {
  return Object.entries(builtIns).flatMap(([owner, words]) =>
    words[list].map((name, i) => ({ path: ['built-in', owner, list, i], name })),
  );
}

/**
 * Every fact and outcome of a machine's tables has one meaning: in the YAML, or built in, at one place. Every variable and named
 * value is read, and every variable changed, by the YAML or by what is built in.
 */
export function checkBuiltIns(draft: MachineDraft, vocabulary: Vocabulary, used: Used, say: Say): void {
  for (const section of ['facts', 'outcomes'] as const) checkWords(section, draft, vocabulary, say);
  const { state, values, inputs, timers } = draft;
  const readable = [...Object.keys(state), ...Object.keys(values), ...Object.keys(timers)];
  checkNames('reads', draft, readable, used.read, 'reads', say);
  checkNames('writes', draft, Object.keys(state), used.written, 'changes', say);
  for (const name of Object.keys(inputs))
    if (!used.read.has(name)) say(['inputs', name], 'unused-word', `nothing reads input "${name}"`);
}

/** Words of the tables against those that have a meaning. */
function checkWords(
  section: 'facts' | 'outcomes',
  draft: MachineDraft,
  vocabulary: Vocabulary,
  say: Say,
): void {
  const meant =
    section === 'facts'
      ? new Set(Object.keys(draft.facts))
      : new Set([...Object.keys(draft.effects), ...Object.keys(draft.demands)]);
  const asked = new Map(
    draft.tables.flatMap((id) =>
      (vocabulary.tables.get(id)?.[section] ?? []).map((name, i) => [
        name,
        ['tables', id, section, i] as Path,
      ]),
    ),
  );
  const built = new Set<string>();
  for (const { path, name } of entries(draft, section)) {
    if (!asked.has(name))
      say(path, 'unused-word', `no table of the machine has "${name}"${didYouMean(name, asked.keys())}`);
    else if (meant.has(name)) say(path, 'duplicate-word', `the YAML gives "${name}" its meaning`);
    else if (built.has(name)) say(path, 'duplicate-word', `"${name}" is built in at another place`);
    built.add(name);
  }
  for (const [name, path] of asked) {
    // such an outcome names the next table, which is all that it means
    if (section === 'outcomes' && vocabulary.outcomes.get(name)?.kind === 'table') continue;
    if (meant.has(name) || built.has(name)) continue;
    say(path, 'no-meaning', `"${name}" has no meaning: give it one, or name it in "built-in"`);
  }
}

/** Names that the YAML uses, or what is built in. */
function checkNames(
  list: 'reads' | 'writes',
  draft: MachineDraft,
  declared: readonly string[],
  used: ReadonlySet<string>,
  verb: string,
  say: Say,
): void {
  const built = new Set<string>();
  for (const { path, name } of entries(draft, list)) {
    if (!declared.includes(name))
      say(path, 'unused-word', `the machine declares no "${name}"${didYouMean(name, declared)}`);
    else if (used.has(name)) say(path, 'unused-word', `the YAML ${verb} "${name}" itself`);
    built.add(name);
  }
  for (const name of declared) {
    if (used.has(name) || built.has(name)) continue;
    const section = (['state', 'values', 'timers'] as const).find((key) => draft[key][name] !== undefined);
    say([section ?? 'state', name], 'unused-word', `nothing ${verb} "${name}"`);
  }
}
