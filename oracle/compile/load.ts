import type { DecisionTable, Rule, RuleSet } from '../rules.ts';
import { compileRules, compileWhole, soundRules } from './compile.ts';
import type { SoundRules } from './compile.ts';
import type { Diagnostic } from './diagnostic.ts';
import { makeMachine } from './machine/program.ts';
import { readSnapshot } from './snapshot.ts';
import type { Snapshot } from './snapshot.ts';
import { readSources } from './sources.ts';
import type { LoadOptions } from './sources.ts';
import type { RuleDraft } from './table/draft.ts';
import { makeTable } from './table/table.ts';

export type { LoadOptions } from './sources.ts';
export { RuleError, formatDiagnostic } from './diagnostic.ts';
export type { Diagnostic } from './diagnostic.ts';

/** Every rule has the same properties, which makes reading them fast. */
function ruleOf(draft: RuleDraft, index: number, table: string): Rule {
  const { id, says, level, impact, covers, requires, when, outcomes, location } = draft;
  const { uncovered, source, erratum, latitude } = draft;
  const known = { id, index, table, says, level, impact, covers, requires, outcomes, when, location };
  return { ...known, uncovered, source, erratum, latitude };
}

/** The rule set of what has passed every check. */
export function link(
  { tables: sources, machines: drafts, factValues }: SoundRules,
  digest: string,
  texts?: Snapshot['texts'],
): RuleSet {
  const rules: Rule[] = [];
  const tables = new Map<string, DecisionTable>();
  for (const { draft, about, facts } of sources) {
    const own = draft.rules.map((rule, i) => ruleOf(rule, rules.length + i, draft.table));
    rules.push(...own);
    tables.set(draft.table, makeTable(draft, about, facts, own));
  }
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const machines = new Map(
    drafts.map((draft) => [
      draft.id,
      makeMachine(draft, (fact) => factValues[fact] ?? [], texts?.[draft.id]),
    ]),
  );
  return { machines, tables, rules, digest, rule: (id) => byId.get(id) };
}

/** Compiles the rules and reports every mistake; `rules` is there only where there is none. */
export function lintRules(options: LoadOptions = {}): { rules?: RuleSet; diagnostics: Diagnostic[] } {
  const sources = readSources(options);
  const compiled = compileWhole(sources);
  const { vocabulary, diagnostics } = compiled;
  if (diagnostics.length > 0 || vocabulary === undefined) return { diagnostics: [...diagnostics] };
  return { rules: link(soundRules(compiled, vocabulary), sources.digest), diagnostics: [] };
}

/** What was loaded last of the package: what the oracle makes of a set of rules it makes once. */
let loaded: RuleSet | undefined;

/**
 * The rule set of a folder (default: the package's `spec/`). Throws RuleError with every mistake in it. Files that the
 * build has proved already are not proved again (see snapshot.ts). As long as the package's files stay as they are, the rule set
 * is the same object.
 */
export function loadRules(options: LoadOptions = {}): RuleSet {
  const sources = readSources(options);
  if (options.directory !== undefined) return link(compileRules(sources), sources.digest);
  if (loaded?.digest === sources.digest) return loaded;
  const proved = readSnapshot(sources.digest);
  loaded = link(proved?.rules ?? compileRules(sources), sources.digest, proved?.texts);
  return loaded;
}
