import type { Impact } from '../../../spec/impacts.ts';
import type { HitPolicy, Outcome, Place, RuleLevel } from '../../rules.ts';
import type { Diagnostic, DiagnosticCode } from '../diagnostic.ts';
import type { Path, SourceDocument } from '../document.ts';
import { didYouMean } from '../suggest.ts';
import type { OutcomeWords, TableWords, Vocabulary } from '../vocabulary.ts';

/** A rule of one file, its words checked, before its table is built. Plain data: it can be kept as JSON. */
export interface RuleDraft {
  readonly id: string;
  readonly says: string;
  readonly level: RuleLevel;
  readonly impact: Impact;
  readonly covers: readonly string[];
  readonly uncovered?: string | undefined;
  readonly requires: readonly string[];
  readonly source?: string | undefined;
  readonly erratum?: string | undefined;
  readonly latitude?: string | undefined;
  readonly when: Readonly<Record<string, readonly string[]>>;
  readonly outcomes: readonly Outcome[];
  readonly location: Place;
}

export interface ImpossibleDraft {
  readonly when: Readonly<Record<string, readonly string[]>>;
  readonly because: string;
  readonly location: Place;
}

export interface TableDraft {
  readonly table: string;
  readonly on: Readonly<Record<string, string>>;
  readonly hit: HitPolicy;
  readonly impossible: readonly ImpossibleDraft[];
  readonly rules: readonly RuleDraft[];
  readonly location: Place;
}

type Word = string | number | boolean;
type RawMap = Record<string, Word | Word[]>;
interface RawRule {
  id: string;
  says: string;
  level: RuleLevel;
  impact?: Impact;
  covers: string[];
  uncovered?: string;
  requires?: string[];
  source?: string;
  erratum?: string;
  latitude?: string;
  when?: RawMap;
  then?: RawMap;
  oneOf?: RawMap[];
}
interface RawTable {
  table: string;
  on: Record<string, string>;
  hit: HitPolicy;
  impact?: Impact;
  impossible?: { when: RawMap; because: string }[];
  rules: RawRule[];
}

export interface DraftContext {
  readonly vocabulary: Vocabulary;
  readonly statements: ReadonlySet<string>;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** Reads one rule file that has the right shape; words that the vocabulary or the statements lack are reported. */
export function readTable(source: SourceDocument, context: DraftContext): TableDraft | undefined {
  const { vocabulary, report } = context;
  const raw = source.value as RawTable;
  const say = (place: Place, code: DiagnosticCode, message: string): void =>
    report({ ...place, code, message });
  const words = vocabulary.tables.get(raw.table);
  if (words === undefined) {
    const message = `the vocabulary has no table "${raw.table}"${didYouMean(raw.table, vocabulary.tables.keys())}`;
    say(source.placeOf(['table']), 'unknown-table', message);
    return undefined;
  }
  const rules = raw.rules.map((rule, i): RuleDraft => {
    const path: Path = ['rules', i];
    checkReferences(source, rule, path, context);
    const alternatives = readAlternatives(source, rule, path, words, context);
    const { then: _then, oneOf: _oneOf, ...rest } = rule;
    const impact = rule.impact ?? raw.impact;
    if (impact === undefined) {
      const message = `rule "${rule.id}" has no impact: give it one, or one to its table`;
      say(source.placeOf([...path, 'id']), 'schema', message);
    }
    return {
      ...rest,
      impact: impact ?? 'wrong-report',
      requires: rule.requires ?? [],
      when: readCondition(source, rule.when ?? {}, [...path, 'when'], words, context),
      outcomes: alternatives,
      location: source.placeOf([...path, 'id']),
    };
  });
  const impossible = (raw.impossible ?? []).map((entry, i): ImpossibleDraft => {
    const path: Path = ['impossible', i];
    return {
      when: readCondition(source, entry.when, [...path, 'when'], words, context),
      because: entry.because,
      location: source.placeOf(path),
    };
  });
  return {
    table: raw.table,
    on: raw.on,
    hit: raw.hit,
    impossible,
    rules,
    location: source.placeOf(['table']),
  };
}

function checkReferences(source: SourceDocument, rule: RawRule, path: Path, context: DraftContext): void {
  const { statements, vocabulary, report } = context;
  rule.covers.forEach((id, i) => {
    if (statements.has(id)) return;
    const message = `rule "${rule.id}" covers statement "${id}", which does not exist${didYouMean(id, statements)}`;
    report({ ...source.placeOf([...path, 'covers', i]), code: 'unknown-statement', message });
  });
  if (rule.covers.length === 0 && rule.uncovered === undefined) {
    const message = `rule "${rule.id}" covers no statement: name one, or say why with "uncovered: reason"`;
    report({ ...source.placeOf([...path, 'covers']), code: 'schema', message });
  }
  (rule.requires ?? []).forEach((word, i) => {
    if (vocabulary.capabilities === undefined || vocabulary.capabilities.has(word)) return;
    const message = `unknown capability "${word}"${didYouMean(word, vocabulary.capabilities.keys())}`;
    report({ ...source.placeOf([...path, 'requires', i]), code: 'unknown-capability', message });
  });
}

function readCondition(
  source: SourceDocument,
  raw: RawMap,
  path: Path,
  table: TableWords,
  { vocabulary, report }: DraftContext,
): Record<string, string[]> {
  const when: Record<string, string[]> = {};
  for (const [name, given] of Object.entries(raw)) {
    const fact = vocabulary.facts.get(name);
    if (fact === undefined || !table.facts.includes(name)) {
      const known = fact !== undefined;
      report({
        ...source.placeOfKey(path, name),
        code: known ? 'fact-not-in-table' : 'unknown-fact',
        message: known
          ? `fact "${name}" is no dimension of table "${table.id}" (those are: ${table.facts.join(', ')})`
          : `unknown fact "${name}"${didYouMean(name, table.facts)}`,
      });
      continue;
    }
    const values = (Array.isArray(given) ? given : [given]).map(String);
    values.forEach((value, i) => {
      if (fact.values.has(value)) return;
      const place = source.placeOf(Array.isArray(given) ? [...path, name, i] : [...path, name]);
      const message = `unknown value "${value}" of fact "${name}"${didYouMean(value, fact.values.keys())}`;
      report({ ...place, code: 'unknown-fact-value', message });
    });
    when[name] = values.filter((value) => fact.values.has(value));
  }
  return when;
}

function readAlternatives(
  source: SourceDocument,
  rule: RawRule,
  path: Path,
  table: TableWords,
  context: DraftContext,
): Outcome[] {
  const { report } = context;
  if ((rule.then === undefined) === (rule.oneOf === undefined)) {
    const message =
      rule.then === undefined
        ? `rule "${rule.id}" has no outcome: give "then" or "oneOf"`
        : `rule "${rule.id}" has both "then" and "oneOf"; give one of them`;
    report({ ...source.placeOf([...path, 'id']), code: 'schema', message });
  }
  if (rule.oneOf === undefined) {
    return rule.then === undefined ? [] : [readOutcome(source, rule.then, [...path, 'then'], table, context)];
  }
  const seen = new Map<string, number>();
  return rule.oneOf.map((raw, i) => {
    const outcome = readOutcome(source, raw, [...path, 'oneOf', i], table, context);
    const key = outcomeKey(outcome);
    const before = seen.get(key);
    if (before === undefined) seen.set(key, i);
    else {
      const message = `alternatives ${before + 1} and ${i + 1} of rule "${rule.id}" allow the same`;
      report({ ...source.placeOf([...path, 'oneOf', i]), code: 'duplicate-alternative', message });
    }
    return outcome;
  });
}

function readOutcome(
  source: SourceDocument,
  raw: RawMap,
  path: Path,
  table: TableWords,
  { vocabulary, report }: DraftContext,
): Outcome {
  const outcome: Record<string, string | readonly string[]> = {};
  /** outcomes with a value that they do not have */
  const slips = new Set<string>();
  const say = (place: Place, code: DiagnosticCode, message: string): void =>
    report({ ...place, code, message });
  for (const [name, given] of Object.entries(raw)) {
    const words = vocabulary.outcomes.get(name);
    if (words === undefined) {
      say(
        source.placeOfKey(path, name),
        'unknown-outcome',
        `unknown outcome "${name}"${didYouMean(name, table.outcomes)}`,
      );
      continue;
    }
    if (!table.outcomes.includes(name)) {
      const message = `outcome "${name}" is not for rules of table "${table.id}" (those are: ${table.outcomes.join(', ')})`;
      say(source.placeOfKey(path, name), 'outcome-not-in-table', message);
      continue;
    }
    if (words.kind !== 'set' && Array.isArray(given)) {
      say(
        source.placeOf([...path, name]),
        'schema',
        `outcome "${name}" takes one value, not a list; several allowed outcomes are written with "oneOf"`,
      );
      continue;
    }
    const values = (Array.isArray(given) ? given : [given]).map(String);
    values.forEach((value, i) =>
      checkValue(source, Array.isArray(given) ? [...path, name, i] : [...path, name], value, words),
    );
    outcome[name] = words.kind === 'set' ? values : (values[0] ?? '');
  }
  for (const name of table.outcomes) {
    const fallback = vocabulary.outcomes.get(name)?.default;
    if (outcome[name] === undefined && fallback !== undefined) outcome[name] = fallback;
  }
  const lack = lacking(outcome, vocabulary);
  if (lack !== undefined) {
    const { name, value, needed } = lack;
    const message = `"${name}: ${value}" does not say which: give "${needed}" as well`;
    say(source.placeOf(raw[name] === undefined ? path : [...path, name]), 'incomplete-outcome', message);
  }
  // a slip asks for nothing: it would only contradict another rule, which is no mistake of its own
  for (const name of slips) {
    const fallback = vocabulary.outcomes.get(name)?.default;
    if (fallback === undefined) delete outcome[name];
    else outcome[name] = fallback;
  }
  return outcome;

  function checkValue(source: SourceDocument, at: Path, value: string, words: OutcomeWords): void {
    const known = words.kind === 'table' ? vocabulary.tables : words.values;
    if (known.has(value)) return;
    slips.add(words.name);
    const near = didYouMean(value, known.keys());
    if (words.kind === 'table') {
      say(
        source.placeOf(at),
        'unknown-table',
        `"${words.name}" leads to table "${value}", which does not exist${near}`,
      );
    } else {
      say(
        source.placeOf(at),
        'unknown-outcome-value',
        `unknown value "${value}" of outcome "${words.name}"${near}`,
      );
    }
  }
}

/** The first value of an outcome that needs another outcome along with it which is not there. */
export function lacking(
  outcome: Outcome,
  vocabulary: Vocabulary,
): { name: string; value: string; needed: string } | undefined {
  for (const [name, value] of Object.entries(outcome)) {
    if (typeof value !== 'string') continue;
    const needed = vocabulary.outcomes.get(name)?.needs.get(value);
    if (needed !== undefined && outcome[needed] === undefined) return { name, value, needed };
  }
  return undefined;
}

/** Equal for equal outcomes, whatever the order of their keys and sets. */
export function outcomeKey(outcome: Outcome): string {
  return Object.keys(outcome)
    .toSorted()
    .map((key) => {
      const value = outcome[key] ?? '';
      return `${key}=${typeof value === 'string' ? value : [...value].toSorted().join('|')}`;
    })
    .join(';');
}
