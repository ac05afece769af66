import type { FactDef } from '../../rules.ts';
import { cellsWhere, choicesWithin, describeCell } from './cells.ts';
import { buildDiagram } from './diagram.ts';
import type { Diagram } from './diagram.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { outcomeKey } from './draft.ts';
import type { RuleDraft, TableDraft } from './draft.ts';
import { diagramOf, masksOf } from './table.ts';

const shownCells = 10;

/** Outcome words of a key that stand where a rule says nothing. */
export type Defaults = (key: string) => string | readonly string[] | undefined;

/** Proves one table complete and free of contradiction, or says where it is not. */
export function checkTable(draft: TableDraft, facts: readonly FactDef[], defaults: Defaults): Diagnostic[] {
  const diagram = diagramOf(draft, facts);
  return [
    ...checkImpossible(draft, facts),
    ...checkDead(draft, facts, diagram),
    ...(draft.hit === 'unique' ? checkOverlaps(draft, facts, diagram) : []),
    ...(draft.hit === 'all' ? checkTogether(draft, facts, { diagram, defaults }) : []),
    ...checkUndecided(draft, facts, diagram),
  ];
}

function checkImpossible(draft: TableDraft, facts: readonly FactDef[]): Diagnostic[] {
  const masks = draft.impossible.map((entry) => masksOf(entry.when, facts));
  const sizes = facts.map((f) => f.values.length);
  const diagram = buildDiagram(sizes, [], masks, 'first');
  const needed = new Set(diagram.choices.flatMap((choice) => (choice.kind === 'rules' ? choice.rules : [])));
  return draft.impossible.flatMap((entry, i): Diagnostic[] => {
    if (needed.has(i)) return [];
    const covering = choicesWithin(diagram, masks[i] ?? []);
    const others = [...covering].flatMap((choice) => (choice.kind === 'rules' ? choice.rules : []));
    return [
      {
        ...entry.location,
        code: 'redundant-impossible',
        message: `impossible entry ${i + 1} adds nothing: its cells are declared impossible already`,
        related: others.flatMap((n) => {
          const other = draft.impossible[n];
          return other === undefined ? [] : [{ ...other.location, message: `by this: ${other.because}` }];
        }),
      },
    ];
  });
}

function checkDead(draft: TableDraft, facts: readonly FactDef[], diagram: Diagram): Diagnostic[] {
  const alive = new Set(diagram.choices.flatMap((choice) => (choice.kind === 'rules' ? choice.rules : [])));
  return draft.rules.flatMap((rule, i): Diagnostic[] => {
    if (alive.has(i)) return [];
    const choices = choicesWithin(diagram, masksOf(rule.when, facts));
    const deciding = [...choices]
      .flatMap((choice) => (choice.kind === 'rules' ? choice.rules : []))
      .toSorted((a, b) => a - b);
    const others = deciding.flatMap((n) => draft.rules[n] ?? []);
    const message =
      others.length === 0
        ? `rule "${rule.id}" can never decide: all its cells are declared impossible`
        : `rule "${rule.id}" can never decide: all its cells are taken by ${quoted(others)}, which come${others.length === 1 ? 's' : ''} before it`;
    return [
      {
        ...rule.location,
        code: 'dead-rule',
        message,
        related: others.map((other) => ({ ...other.location, message: `"${other.id}" is here` })),
      },
    ];
  });
}

function quoted(rules: readonly RuleDraft[]): string {
  return rules.map((rule) => `"${rule.id}"`).join(', ');
}

/** Two rules that match cells together, and these cells in words. */
interface Overlap {
  readonly one: RuleDraft;
  readonly two: RuleDraft;
  readonly cells: string;
}

/** Whether the rules of a table of `hit: all` can hold together: of those that match one cell, no two ask for different words. */
export function holdTogether(draft: TableDraft, facts: readonly FactDef[], defaults: Defaults): boolean {
  return checkTogether(draft, facts, { diagram: diagramOf(draft, facts), defaults }).length === 0;
}

function overlapsOf(draft: TableDraft, facts: readonly FactDef[], diagram: Diagram): Overlap[] {
  const pairs = new Map<string, [number, number]>();
  for (const choice of diagram.choices) {
    if (choice.kind !== 'rules') continue;
    choice.rules.forEach((a, i) => {
      for (const b of choice.rules.slice(i + 1)) pairs.set(`${a},${b}`, [a, b]);
    });
  }
  return [...pairs.values()].flatMap(([a, b]): Overlap[] => {
    const [one, two] = [draft.rules[a], draft.rules[b]];
    if (one === undefined || two === undefined) return [];
    const both = cellsWhere(
      diagram,
      (choice) => choice.kind === 'rules' && choice.rules.includes(a) && choice.rules.includes(b),
      1,
    );
    const example = both.partial[0] === undefined ? '' : describeCell(both.partial[0], facts);
    const count = both.cellCount === 1 ? 'one cell' : `${both.cellCount} cells, among them`;
    return [{ one, two, cells: `${count} { ${example} }` }];
  });
}

function checkOverlaps(draft: TableDraft, facts: readonly FactDef[], diagram: Diagram): Diagnostic[] {
  return overlapsOf(draft, facts, diagram).map(({ one, two, cells }): Diagnostic => {
    const equal = allowed(one) === allowed(two);
    return {
      ...two.location,
      code: equal ? 'redundant-rule' : 'contradiction',
      message: equal
        ? `rules "${one.id}" and "${two.id}" say the same twice for ${cells}; make their conditions exclude each other`
        : `rules "${one.id}" and "${two.id}" contradict each other for ${cells}: ${difference(one, two)}`,
      related: [{ ...one.location, message: `"${one.id}" is here` }],
    };
  });
}

/**
 * Rules that hold together may not ask for two words of one key. A word that is only the default asks for nothing, and a
 * rule of another level may ask for more (a device must not send x, and should send y).
 */
function checkTogether(
  draft: TableDraft,
  facts: readonly FactDef[],
  { diagram, defaults }: { diagram: Diagram; defaults: Defaults },
): Diagnostic[] {
  const asked = (rule: RuleDraft, key: string): Set<string> | undefined => {
    const usual = outcomeKey({ [key]: defaults(key) ?? [] });
    const given = rule.outcomes.map((outcome) => outcome[key] ?? []);
    return given.some((word) => outcomeKey({ [key]: word }) === usual) ? undefined : new Set(given.flat());
  };
  return overlapsOf(draft, facts, diagram).flatMap(({ one, two, cells }): Diagnostic[] => {
    if (one.level !== two.level) return [];
    const apart = Object.keys(one.outcomes[0] ?? {}).filter((key) => {
      const [a, b] = [asked(one, key), asked(two, key)];
      return a !== undefined && b !== undefined && ![...a].some((word) => b.has(word));
    });
    if (apart.length === 0) return [];
    const keys = apart.map((key) => `"${key}"`).join(', ');
    const message = `rules "${one.id}" and "${two.id}" hold together for ${cells} and ask for different words of ${keys}`;
    const related = [{ ...one.location, message: `"${one.id}" is here` }];
    return [{ ...two.location, code: 'contradiction', message, related }];
  });
}

function allowed(rule: RuleDraft): string {
  return rule.outcomes.map(outcomeKey).toSorted().join(' or ');
}

function show(value: string | readonly string[] | undefined): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'string' ? `"${value}"` : `[${value.join(', ')}]`;
}

/** The first outcome key in which two rules differ. */
function difference(one: RuleDraft, two: RuleDraft): string {
  const [a, b] = [one.outcomes[0], two.outcomes[0]];
  if (one.outcomes.length === 1 && two.outcomes.length === 1 && a !== undefined && b !== undefined) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      if (outcomeKey({ [key]: a[key] ?? '' }) === outcomeKey({ [key]: b[key] ?? '' })) continue;
      return `"${key}" is ${show(a[key])} in the one and ${show(b[key])} in the other`;
    }
  }
  return 'they allow different outcomes';
}

function checkUndecided(draft: TableDraft, facts: readonly FactDef[], diagram: Diagram): Diagnostic[] {
  const found = cellsWhere(diagram, (choice) => choice.kind === 'undecided', shownCells);
  if (found.partialCount === 0) return [];
  const rest = found.partialCount - found.partial.length;
  const list = found.partial.map((cell) => `\n    { ${describeCell(cell, facts)} }`).join('');
  return [
    {
      ...draft.location,
      code: 'undecided-cells',
      message: `table "${draft.table}" leaves ${found.cellCount} cell${found.cellCount === 1 ? '' : 's'} undecided; add rules for them or declare them impossible:${list}${rest > 0 ? `\n    and ${rest} more groups` : ''}`,
    },
  ];
}
