import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { specDirectory } from '../../spec/load.ts';
import type { DecisionTable, FactDef, Rule, RuleSet } from '../rules.ts';
import { checkSet } from './check-set.ts';
import { checkTable } from './check-table.ts';
import { RuleError, sortDiagnostics } from './diagnostic.ts';
import type { Diagnostic } from './diagnostic.ts';
import { parseSource } from './document.ts';
import { readTable } from './draft.ts';
import type { TableDraft } from './draft.ts';
import { rulesSchema } from './schema.ts';
import type { JsonSchema } from './schema.ts';
import { checkShape } from './shape.ts';
import { readSources } from './sources.ts';
import type { LoadOptions, Sources } from './sources.ts';
import { statementIds } from './statements.ts';
import { makeTable } from './table.ts';
import { readVocabulary } from './vocabulary.ts';
import type { Vocabulary } from './vocabulary.ts';

export type { LoadOptions } from './sources.ts';
export { RuleError, formatDiagnostic } from './diagnostic.ts';
export type { Diagnostic } from './diagnostic.ts';

let vocabularySchema: JsonSchema | undefined;
let shapeSchema: JsonSchema | undefined;

/** Vocabulary and tables of a folder, with every mistake found on the way. */
export interface Compiled {
  readonly vocabulary?: Vocabulary;
  readonly drafts: readonly TableDraft[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads and checks everything; never throws for a mistake in a file. */
export function compileSources(sources: Sources): Compiled {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const vocabularyFile = sources.display('vocabulary.yaml');
  if (sources.vocabulary === undefined) {
    report({
      file: vocabularyFile,
      line: 1,
      column: 1,
      code: 'schema',
      message: 'the vocabulary is missing',
    });
    return { drafts: [], diagnostics };
  }
  const source = parseSource(vocabularyFile, sources.vocabulary);
  diagnostics.push(...source.errors);
  vocabularySchema ??= JSON.parse(
    readFileSync(join(specDirectory, 'schema', 'vocabulary.schema.json'), 'utf8'),
  ) as JsonSchema;
  if (source.errors.length === 0) diagnostics.push(...checkShape(vocabularySchema, source));
  // Rules are judged by the vocabulary: with a broken one every word of theirs would look wrong.
  if (diagnostics.length > 0) return { drafts: [], diagnostics };
  const vocabulary = readVocabulary(source, report);
  const vocabularySound = diagnostics.length === 0;

  shapeSchema ??= rulesSchema();
  const statements = statementIds(sources.statements());
  const drafts: TableDraft[] = [];
  const broken: string[] = [];
  for (const [name, text] of sources.rules) {
    const file = parseSource(sources.display(name), text);
    const shape = file.errors.length > 0 ? file.errors : checkShape(shapeSchema, file);
    diagnostics.push(...shape);
    const table = (file.value as { table?: unknown } | null | undefined)?.table;
    if (shape.length > 0) {
      broken.push(typeof table === 'string' ? table : '');
      continue;
    }
    const mistakes: Diagnostic[] = [];
    const draft = readTable(file, { vocabulary, statements, report: (d) => void mistakes.push(d) });
    diagnostics.push(...mistakes);
    if (draft === undefined) continue;
    drafts.push(draft);
    // A condition with an unknown word would make cells look undecided that are not.
    const conditionsSound = mistakes.every(({ code }) => !code.includes('fact'));
    if (vocabularySound && conditionsSound) {
      diagnostics.push(...checkTable(draft, factsOf(draft.table, vocabulary)));
    }
  }
  checkSet({ source, vocabulary, drafts, broken, report });
  return { vocabulary, drafts, diagnostics: sortDiagnostics(diagnostics) };
}

function factsOf(table: string, vocabulary: Vocabulary): FactDef[] {
  return (vocabulary.tables.get(table)?.facts ?? []).map((name) => ({
    name,
    values: [...(vocabulary.facts.get(name)?.values.keys() ?? [])],
  }));
}

function link(drafts: readonly TableDraft[], vocabulary: Vocabulary, digest: string): RuleSet {
  const rules: Rule[] = [];
  const tables = new Map<string, DecisionTable>();
  for (const draft of drafts) {
    const own = draft.rules.map((rule, i): Rule => ({
      ...rule,
      index: rules.length + i,
      table: draft.table,
    }));
    rules.push(...own);
    const about = vocabulary.tables.get(draft.table)?.about ?? '';
    tables.set(draft.table, makeTable(draft, about, factsOf(draft.table, vocabulary), own));
  }
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return { tables, rules, digest, rule: (id) => byId.get(id) };
}

/** Compiles the rules and reports every mistake; `rules` is there only where there is none. */
export function lintRules(options: LoadOptions = {}): { rules?: RuleSet; diagnostics: Diagnostic[] } {
  const sources = readSources(options);
  const { vocabulary, drafts, diagnostics } = compileSources(sources);
  if (diagnostics.length > 0 || vocabulary === undefined) return { diagnostics: [...diagnostics] };
  return { rules: link(drafts, vocabulary, sources.digest), diagnostics: [] };
}

/** The rule set of a folder (default: the package's `spec/`). Throws RuleError with every mistake in it. */
export function loadRules(options: LoadOptions = {}): RuleSet {
  const { rules, diagnostics } = lintRules(options);
  if (rules === undefined) throw new RuleError(diagnostics);
  return rules;
}
