import type { Place } from '../rules.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { TableDraft } from './table/draft.ts';
import type { Vocabulary } from './vocabulary.ts';
import type { WordSource } from './words.ts';

export interface SetCheck {
  /** of the vocabulary */
  readonly source: WordSource;
  readonly vocabulary: Vocabulary;
  readonly drafts: readonly TableDraft[];
  /** tables whose file could not be read; '' where the file does not say which */
  readonly broken: readonly string[];
  readonly report: (diagnostic: Diagnostic) => void;
}

/** What can only be seen over all files: ids used twice, tables without rules, circles. */
export function checkSet(set: SetCheck): void {
  checkIds(set);
  checkTables(set);
  checkCircles(set);
}

function checkIds({ drafts, report }: SetCheck): void {
  const first = new Map<string, Place>();
  for (const { rules } of drafts) {
    for (const { id, location } of rules) {
      const before = first.get(id);
      if (before === undefined) {
        first.set(id, location);
        continue;
      }
      report({
        ...location,
        code: 'duplicate-rule',
        message: `rule id "${id}" is used already; ids are unique over all tables`,
        related: [{ ...before, message: 'used here first' }],
      });
    }
  }
}

function checkTables({ source, vocabulary, drafts, broken, report }: SetCheck): void {
  const first = new Map<string, Place>();
  for (const { table, location } of drafts) {
    const before = first.get(table);
    if (before === undefined) first.set(table, location);
    else {
      report({
        ...location,
        code: 'duplicate-table',
        message: `table "${table}" has a rule file already; a table is one file`,
        related: [{ ...before, message: 'given here first' }],
      });
    }
  }
  if (broken.includes('')) return;
  for (const id of vocabulary.tables.keys()) {
    if (first.has(id) || broken.includes(id)) continue;
    report({
      ...source.placeOfKey(['tables'], id),
      code: 'missing-rules',
      message: `table "${id}" has no rules: no file says "table: ${id}"`,
    });
  }
}

/** Tables that lead to one another must not lead back: a packet would be judged for ever. */
function checkCircles({ vocabulary, drafts, report }: SetCheck): void {
  const leading = [...vocabulary.outcomes.values()].filter((o) => o.kind === 'table').map((o) => o.name);
  const edges = new Map<string, Map<string, { rule: string; place: Place }>>();
  for (const { table, rules } of drafts) {
    const targets = edges.get(table) ?? new Map<string, { rule: string; place: Place }>();
    edges.set(table, targets);
    for (const { id, outcomes, location } of rules) {
      for (const to of outcomes.flatMap((outcome) => leading.map((key) => outcome[key])))
        if (typeof to === 'string' && !targets.has(to)) targets.set(to, { rule: id, place: location });
    }
  }
  const state = new Map<string, 'open' | 'done'>();
  const way: string[] = [];
  const visit = (table: string): void => {
    state.set(table, 'open');
    way.push(table);
    for (const [to, { rule, place }] of edges.get(table) ?? []) {
      if (state.get(to) === 'open') {
        const circle = [...way.slice(way.indexOf(to)), to].join(' -> ');
        report({
          ...place,
          code: 'table-cycle',
          message: `rule "${rule}" closes a circle of tables: ${circle}`,
        });
      } else if (state.get(to) === undefined) visit(to);
    }
    way.pop();
    state.set(table, 'done');
  };
  for (const table of edges.keys()) if (state.get(table) === undefined) visit(table);
}
