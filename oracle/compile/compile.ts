import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { specDirectory } from '../../spec/load.ts';
import type { MachineDraft } from '../machine-draft.ts';
import type { FactDef } from '../rules.ts';
import { checkSet } from './check-set.ts';
import { checkTable } from './table/check.ts';
import { unusedWords } from './check-words.ts';
import { RuleError, sortDiagnostics } from './diagnostic.ts';
import type { Diagnostic } from './diagnostic.ts';
import { parseSource } from './document.ts';
import { readTable } from './table/draft.ts';
import type { TableDraft } from './table/draft.ts';
import { readMachines } from './machine/read.ts';
import { rulesSchema } from './schema.ts';
import type { JsonSchema } from './schema.ts';
import { checkShape } from './shape.ts';
import type { Sources } from './sources.ts';
import { statementIds } from './statements.ts';
import { readVocabulary } from './vocabulary.ts';
import type { Vocabulary } from './vocabulary.ts';
import { joinWords } from './words.ts';
import type { WordSource } from './words.ts';

let vocabularySchema: JsonSchema | undefined;
let shapeSchema: JsonSchema | undefined;

/** Vocabulary and tables of a folder, with every mistake found on the way. */
export interface Compiled {
  /** where the words of the vocabulary stand */
  readonly source?: WordSource;
  readonly vocabulary?: Vocabulary;
  readonly drafts: readonly TableDraft[];
  readonly machines: readonly MachineDraft[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What one rule file yields under one vocabulary. */
interface FileResult {
  readonly text: string;
  readonly draft?: TableDraft;
  /** set where the file has no readable shape: the table it names, or '' */
  readonly broken?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Results of the last run by file, for as long as vocabulary and statements stay: of a thousand rule mutants each changes
 * one file, and the others need not be read again.
 */
interface Memo {
  readonly words: string;
  readonly statementTexts: string;
  readonly source?: WordSource;
  readonly vocabulary?: Vocabulary;
  readonly machines?: readonly MachineDraft[];
  readonly diagnostics: readonly Diagnostic[];
  readonly statements: ReadonlySet<string>;
  readonly files: Map<string, FileResult>;
}
let memo: Memo | undefined;

function openMemo(sources: Sources): Memo {
  const named = [...sources.vocabulary].map(([name, text]) => [sources.display(name), text] as const);
  const words = named.flat().join('\0');
  const texts = sources.statements();
  const statementTexts = [...texts.values()].join('\0');
  if (memo?.words === words && memo.statementTexts === statementTexts) return memo;
  const files = named.map(([name, text]) => parseSource(name, text));
  const diagnostics = files.flatMap((file) => file.errors);
  vocabularySchema ??= JSON.parse(
    readFileSync(join(specDirectory, 'schema', 'vocabulary.schema.json'), 'utf8'),
  ) as JsonSchema;
  if (diagnostics.length === 0)
    for (const file of files) diagnostics.push(...checkShape(vocabularySchema, file));
  const base = { words, statementTexts, diagnostics };
  const rest = { statements: statementIds(texts), files: new Map<string, FileResult>() };
  // Rules are judged by the vocabulary: with a broken one every word of theirs would look wrong.
  if (diagnostics.length > 0) return (memo = { ...base, ...rest });
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const source = joinWords(files, report);
  const vocabulary = readVocabulary(source, report);
  return (memo = { ...base, ...rest, source, vocabulary, machines: readMachines(files, vocabulary, report) });
}

function compileFile(name: string, text: string, open: Memo, vocabulary: Vocabulary): FileResult {
  const file = parseSource(name, text);
  shapeSchema ??= rulesSchema();
  const shape = file.errors.length > 0 ? file.errors : checkShape(shapeSchema, file);
  if (shape.length > 0) {
    const table = (file.value as { table?: unknown } | null | undefined)?.table;
    return { text, diagnostics: shape, broken: typeof table === 'string' ? table : '' };
  }
  const diagnostics: Diagnostic[] = [];
  const { statements } = open;
  const draft = readTable(file, { vocabulary, statements, report: (d) => void diagnostics.push(d) });
  if (draft === undefined) return { text, diagnostics };
  // A condition with an unknown word would make cells look undecided that are not.
  const conditionsSound = diagnostics.every(({ code }) => !code.includes('fact'));
  if (open.diagnostics.length === 0 && conditionsSound) {
    diagnostics.push(
      ...checkTable(draft, factsOf(draft.table, vocabulary), (key) => vocabulary.outcomes.get(key)?.default),
    );
  }
  return { text, draft, diagnostics };
}

/** The words of the sources alone, without the rules; `undefined` where they are not sound. */
export function readWords(sources: Sources): Vocabulary | undefined {
  return openMemo(sources).vocabulary;
}

/** Reads and checks everything; never throws for a mistake in a file. */
export function compileSources(sources: Sources): Compiled {
  if (sources.vocabulary.size === 0) {
    const place = { file: sources.display('machines'), line: 1, column: 1 };
    return {
      drafts: [],
      machines: [],
      diagnostics: [{ ...place, code: 'schema', message: 'no machine.yaml in any folder of machines/' }],
    };
  }
  const open = openMemo(sources);
  const { source, vocabulary, machines = [] } = open;
  if (vocabulary === undefined || source === undefined)
    return { drafts: [], machines: [], diagnostics: sortDiagnostics(open.diagnostics) };
  const results = [...sources.rules].map(([name, text]): FileResult => {
    const known = open.files.get(name);
    const result = known?.text === text ? known : compileFile(sources.display(name), text, open, vocabulary);
    open.files.set(name, result);
    return result;
  });
  const diagnostics = [...open.diagnostics, ...results.flatMap((result) => result.diagnostics)];
  const drafts = results.flatMap(({ draft }) => draft ?? []);
  const broken = results.flatMap(({ broken: table }) => table ?? []);
  checkSet({ source, vocabulary, drafts, broken, report: (d) => void diagnostics.push(d) });
  return { source, vocabulary, drafts, machines, diagnostics: sortDiagnostics(diagnostics) };
}

export function factsOf(table: string, vocabulary: Vocabulary): FactDef[] {
  return (vocabulary.tables.get(table)?.facts ?? []).map((name) => ({
    name,
    values: [...(vocabulary.facts.get(name)?.values.keys() ?? [])],
  }));
}

/** A table that has passed every check; plain data. */
export interface SoundTable {
  readonly draft: TableDraft;
  readonly about: string;
  readonly facts: readonly FactDef[];
}

/** Tables of drafts without mistakes. */
function sound(drafts: readonly TableDraft[], vocabulary: Vocabulary): SoundTable[] {
  return drafts.map((draft) => ({
    draft,
    about: vocabulary.tables.get(draft.table)?.about ?? '',
    facts: factsOf(draft.table, vocabulary),
  }));
}

/** Tables and machines that have passed every check; plain data. */
export interface SoundRules {
  readonly tables: readonly SoundTable[];
  readonly machines: readonly MachineDraft[];
  /** values of the facts that machines give a meaning to, in their order */
  readonly factValues: Readonly<Record<string, readonly string[]>>;
}

/** What drafts without mistakes yield. */
export function soundRules({ drafts, machines }: Compiled, vocabulary: Vocabulary): SoundRules {
  const names = machines.flatMap(({ facts }) => Object.keys(facts));
  const factValues = Object.fromEntries(
    names.map((name) => [name, [...(vocabulary.facts.get(name)?.values.keys() ?? [])]]),
  );
  return { tables: sound(drafts, vocabulary), machines, factValues };
}

/** Compiles as `compileSources`; where nothing else is wrong, words that no rule uses are mistakes, too. */
export function compileWhole(sources: Sources): Compiled {
  const compiled = compileSources(sources);
  const { source, vocabulary, drafts, diagnostics } = compiled;
  if (diagnostics.length > 0 || vocabulary === undefined || source === undefined) return compiled;
  return { ...compiled, diagnostics: sortDiagnostics(unusedWords({ source, vocabulary, drafts })) };
}

/** The rules of the sources; throws RuleError with every mistake in them. */
export function compileRules(sources: Sources): SoundRules {
  const compiled = compileSources(sources);
  const { vocabulary, diagnostics } = compiled;
  if (diagnostics.length > 0 || vocabulary === undefined) throw new RuleError(diagnostics);
  return soundRules(compiled, vocabulary);
}
