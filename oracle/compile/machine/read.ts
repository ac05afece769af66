import { basename, dirname } from 'node:path';
import type { Diagnostic, DiagnosticCode } from '../diagnostic.ts';
import type { Path, SourceDocument } from '../document.ts';
import type { BuiltInDraft, MachineDraft, StatementDraft } from '../../machine-draft.ts';
import { checkBuiltIns } from './check-built-ins.ts';
import { checkMachine } from './check.ts';
import { typeFault } from './scope.ts';
import type { Vocabulary } from '../vocabulary.ts';

type Say = (path: Path, code: DiagnosticCode, message: string) => void;
type RawStatements = string | { if: string; do: RawStatements; else?: RawStatements } | RawStatements[];
interface RawFact {
  is?: string | Record<string, string>;
  unknown?: string;
  may?: Record<string, string>;
}
interface RawOutcome {
  does?: Record<string, RawStatements>;
  holds?: Record<string, string>;
}
interface RawMachine {
  machine?: string;
  about?: string;
  inputs?: MachineDraft['inputs'];
  state?: MachineDraft['state'];
  timers?: MachineDraft['timers'];
  values?: MachineDraft['values'];
  steps?: Record<string, RawStatements>;
  facts?: Record<string, RawFact>;
  outcomes?: Record<string, RawOutcome>;
  tables?: Record<string, unknown>;
  'built-in'?: Record<string, Partial<BuiltInDraft> & { about: string }>;
  uses?: { facts?: Record<string, RawFact>; outcomes?: Record<string, RawOutcome> };
}

function statement(raw: RawStatements): StatementDraft {
  if (Array.isArray(raw)) return { all: statementList(raw) };
  if (typeof raw === 'string') return raw;
  const { if: condition, do: then, else: otherwise } = raw;
  const base = { if: condition, do: statementList(then) };
  return otherwise === undefined ? base : { ...base, else: statementList(otherwise) };
}

/** An alias is the same list as what it stands for, before and after. */
const lists = new WeakMap<RawStatements[], StatementDraft[]>();

function statementList(raw: RawStatements): StatementDraft[] {
  if (!Array.isArray(raw)) return [statement(raw)];
  const list = lists.get(raw) ?? raw.map(statement);
  lists.set(raw, list);
  return list;
}

/** Reads what the words' files of one machine say of its state; mistakes go to `report`. */
function readMachine(
  id: string,
  files: readonly SourceDocument[],
  report: (diagnostic: Diagnostic) => void,
): { draft: MachineDraft; placeOf: (path: Path) => SourceDocument } | undefined {
  const main = files.find(({ value }) => (value as RawMachine).machine !== undefined);
  if (main === undefined) return undefined;
  const raw = main.value as RawMachine;
  const say = (path: Path, code: DiagnosticCode, message: string): void =>
    report({ ...main.placeOf(path), code, message });
  if (raw.machine !== id) say(['machine'], 'schema', `machine "${raw.machine}" is in the folder of "${id}"`);
  const owners = new Map<string, SourceDocument>();
  const facts: Record<string, MachineDraft['facts'][string]> = {};
  const effects: Record<string, MachineDraft['effects'][string]> = {};
  const demands: Record<string, MachineDraft['demands'][string]> = {};
  for (const file of files) {
    for (const id of Object.keys((file.value as RawMachine).tables ?? {})) owners.set(`tables.${id}`, file);
    const { facts: own = {}, outcomes = {}, uses = {} } = file.value as RawMachine;
    for (const [name, { is, unknown, may }] of [
      ...Object.entries(own),
      ...Object.entries(uses.facts ?? {}),
    ]) {
      if (is === undefined) continue;
      facts[name] = {
        is,
        ...(unknown === undefined ? {} : { unknown }),
        ...(may === undefined ? {} : { may }),
      };
      owners.set(`facts.${name}`, file);
    }
    for (const [name, meaning] of [...Object.entries(outcomes), ...Object.entries(uses.outcomes ?? {})]) {
      const { does, holds } = meaning;
      if (does !== undefined || holds !== undefined) owners.set(`outcomes.${name}`, file);
      if (holds !== undefined) demands[name] = holds;
      if (does === undefined) continue;
      effects[name] = Object.fromEntries(
        Object.entries(does).map(([value, statements]) => [value, statementList(statements)]),
      );
    }
  }
  for (const file of files)
    for (const section of ['inputs', 'state', 'timers', 'steps'] as const)
      if (file !== main && (file.value as RawMachine)[section] !== undefined)
        report({
          ...file.placeOf([section]),
          code: 'schema',
          message: `"${section}:" belongs to the file that begins with "machine:"`,
        });
  const { inputs = {}, state = {}, timers = {} } = raw;
  // values stand where the words do that ask for them
  const values: Record<string, MachineDraft['values'][string]> = {};
  for (const file of files)
    for (const [name, value] of Object.entries((file.value as RawMachine).values ?? {})) {
      if (values[name] !== undefined)
        report({
          ...file.placeOf(['values', name]),
          code: 'duplicate-word',
          message: `value "${name}" is declared at another place as well`,
        });
      values[name] = value;
      owners.set(`values.${name}`, file);
    }
  for (const [section, declared] of Object.entries({ inputs, state, values }))
    for (const [name, { type }] of Object.entries(declared)) {
      const fault = typeFault(type);
      if (fault !== undefined)
        report({
          ...(owners.get(`${section}.${name}`) ?? main).placeOf([section, name, 'type']),
          code: 'schema',
          message: fault,
        });
    }
  const steps = Object.fromEntries(
    Object.entries(raw.steps ?? {}).map(([name, statements]) => [name, statementList(statements)]),
  );
  const builtIns: Record<string, MachineDraft['builtIns'][string]> = {};
  for (const file of files)
    for (const [place, words] of Object.entries((file.value as RawMachine)['built-in'] ?? {})) {
      const { facts: asked = [], outcomes = [], reads = [], writes = [] } = words;
      builtIns[place] = { about: words.about, facts: asked, outcomes, reads, writes };
      owners.set(`built-in.${place}`, file);
    }
  const tables = files.flatMap(({ value }) => Object.keys((value as RawMachine).tables ?? {}));
  const location = main.placeOf(['machine']);
  const draft = {
    id,
    about: raw.about ?? '',
    inputs,
    state,
    timers,
    values,
    facts,
    effects,
    demands,
    steps,
    builtIns,
    tables,
    location,
  };
  return { draft, placeOf: (path) => owners.get(`${String(path[0])}.${String(path[1])}`) ?? main };
}

function check(draft: MachineDraft, vocabulary: Vocabulary, say: Say): void {
  let sound = true;
  const used = checkMachine(draft, vocabulary, (...mistake) => {
    sound = false;
    say(...mistake);
  });
  // names in an expression that does not parse would look unused
  if (sound) checkBuiltIns(draft, vocabulary, used, say);
}

/** The machines of the words' files, grouped by folder, each checked; mistakes go to `report`. */
export function readMachines(
  files: readonly SourceDocument[],
  vocabulary: Vocabulary,
  report: (diagnostic: Diagnostic) => void,
): MachineDraft[] {
  const folders = new Map<string, SourceDocument[]>();
  for (const file of files) {
    const id = basename(dirname(file.file));
    folders.set(id, [...(folders.get(id) ?? []), file]);
  }
  return [...folders].flatMap(([id, own]) => {
    let broken = false;
    const found = readMachine(id, own, (diagnostic) => {
      broken = true;
      report(diagnostic);
    });
    if (found === undefined) return [];
    const { draft, placeOf } = found;
    if (!broken)
      check(draft, vocabulary, (path, code, message) => {
        const source = placeOf(path);
        const used = path[0] === 'facts' || path[0] === 'outcomes';
        const declared = used && !source.keysAt([String(path[0])]).includes(String(path[1]));
        report({ ...source.placeOf(declared ? ['uses', ...path] : path), code, message });
      });
    return [draft];
  });
}
