import type { ConditionDraft, MachineDraft, StatementDraft, TypeText } from '../../machine-draft.ts';
import { flat } from './statements.ts';
import type { DecisionTable, RuleSet } from '../../rules.ts';
import { stateVariables } from './transitions.ts';
import type { StateVariable } from './transitions.ts';

const cell = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
const code = (text: string): string => `\`${cell(text)}\``;
const typeName = (type: TypeText): string => (typeof type === 'string' ? type : type.join(', '));

function rows(head: readonly string[], lines: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return lines.length === 0 ? [] : [line(head), line(head.map(() => '---')), ...lines.map(line), ''];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines];
}

function statementText(draft: string | ConditionDraft): string {
  if (typeof draft === 'string') return draft;
  const then = flat(draft.do).map(statementText).join('; ');
  const otherwise = draft.else === undefined ? '' : ` else ${flat(draft.else).map(statementText).join('; ')}`;
  return `if ${draft.if}: ${then}${otherwise}`;
}

const statementsText = (drafts: readonly StatementDraft[]): string =>
  flat(drafts)
    .map((d) => code(statementText(d)))
    .join('<br>');

function registers({ state }: MachineDraft): string[] {
  return rows(
    ['register', 'type', 'starts', 'about'],
    Object.entries(state).map(([name, { type, unknown, starts, about }]) => [
      code(name),
      cell(`${typeName(type)}${unknown === true ? ' or unknown' : ''}`),
      starts === undefined ? (unknown === true ? 'unknown' : 'set before it is read') : code(starts),
      cell(about),
    ]),
  );
}

function facts({ facts: meanings }: MachineDraft): string[] {
  return rows(
    ['fact', 'value', 'holds if'],
    Object.entries(meanings).flatMap(([name, { is, unknown, may = {} }]) => {
      const open =
        unknown === undefined ? '' : `; where something is unknown, any value, most likely ${code(unknown)}`;
      const further = Object.entries(may).map(([value, condition]) => [
        '',
        code(value),
        `possible as well if ${code(condition)}`,
      ]);
      if (typeof is === 'string') return [[code(name), 'its value', `${code(is)}${open}`], ...further];
      const cases = Object.entries(is).map(([value, condition], i) => [
        i === 0 ? code(name) : '',
        code(value),
        `${condition === 'otherwise' ? 'otherwise' : code(condition)}${i === 0 ? open : ''}`,
      ]);
      return [...cases, ...further];
    }),
  );
}

function effects({ effects: meanings }: MachineDraft): string[] {
  return rows(
    ['outcome', 'value', 'does'],
    Object.entries(meanings).flatMap(([name, byValue]) =>
      Object.entries(byValue).map(([value, statements], i) => [
        i === 0 ? code(name) : '',
        code(value),
        statementsText(statements),
      ]),
    ),
  );
}

function demands({ demands: meanings }: MachineDraft): string[] {
  return rows(
    ['outcome', 'value', 'holds if'],
    Object.entries(meanings).flatMap(([name, byValue]) =>
      Object.entries(byValue).map(([value, condition], i) => [
        i === 0 ? code(name) : '',
        code(value),
        code(condition),
      ]),
    ),
  );
}

/** Words whose meaning is TypeScript, each with the place and the reason. */
function builtIns({ builtIns: places }: MachineDraft): string[] {
  const list = (verb: string, names: readonly string[]): string[] =>
    names.length === 0 ? [] : [`${verb}${names.map(code).join(', ')}`];
  return rows(
    ['place', 'words', 'why no expression says it'],
    Object.entries(places).map(([place, { about, facts: asked, outcomes, reads, writes }]) => [
      `\`oracle/${place}\``,
      [...list('', [...asked, ...outcomes]), ...list('reads ', reads), ...list('changes ', writes)].join(
        '; ',
      ),
      cell(about),
    ]),
  );
}

/** Tables that the rules of a table lead to. */
function leadsTo({ rules }: DecisionTable, set: RuleSet): string[] {
  const found = rules.flatMap(({ outcomes }) => outcomes.flatMap((outcome) => Object.values(outcome)));
  return [...new Set(found.flat())].filter((word) => set.tables.has(word));
}

function diagram({ variable, about, states, transitions }: StateVariable): string[] {
  const key = (state: string): string => `s_${state.replaceAll(/\W/g, '_')}`;
  const edges = new Map<string, string[]>();
  for (const { from, to, cause } of transitions) {
    const edge = `${from === undefined ? '[*]' : key(from)} --> ${key(to)}`;
    edges.set(edge, [...new Set([...(edges.get(edge) ?? []), cause])]);
  }
  return [
    `### ${variable}`,
    '',
    `${about}. An edge from the black dot may begin in any state.`,
    '',
    '```mermaid',
    'stateDiagram-v2',
    ...states.map((state) => `  ${key(state)}: ${state}`),
    ...[...edges].map(([edge, causes]) => {
      const more = causes.length > 3 ? [`${causes.length - 3} more`] : [];
      return `  ${edge}: ${[...causes.slice(0, 3), ...more].join(', ')}`;
    }),
    '```',
    '',
  ];
}

/** The page of one machine, as markdown: registers, timers, values, steps, what its words mean, tables, state diagrams. */
export function machinePage(draft: MachineDraft, set: RuleSet): string {
  const machine = set.machines.get(draft.id);
  const tables = [...set.tables.values()].filter((t) => t.rules[0]?.location.file.includes(`/${draft.id}/`));
  const states = machine === undefined ? [] : stateVariables(machine, set.rules);
  return [
    `<!-- Generated from spec/machines/${draft.id}/ by \`npm run generate\`; do not edit. -->`,
    '',
    `# ${draft.id}`,
    '',
    draft.about,
    '',
    ...section('Registers', registers(draft)),
    ...section(
      'Timers',
      rows(
        ['timer', 'from', 'to', 'off if', 'about'],
        Object.entries(draft.timers).map(([name, { from, to = from, off, about }]) => [
          code(name),
          code(from),
          code(to),
          off === undefined ? 'never' : code(off),
          cell(about),
        ]),
      ),
    ),
    ...section(
      'Values',
      rows(
        ['value', 'is', 'about'],
        Object.entries(draft.values).map(([name, { is, about }]) => [code(name), code(is), cell(about)]),
      ),
    ),
    ...section('What rules ask', facts(draft)),
    ...section('What rules do', effects(draft)),
    ...section('What rules demand', demands(draft)),
    ...section(
      'What happens besides',
      rows(
        ['step', 'does'],
        Object.entries(draft.steps).map(([name, statements]) => [code(name), statementsText(statements)]),
      ),
    ),
    ...section('What is built in', builtIns(draft)),
    ...section(
      'Tables',
      rows(
        ['table', 'rules', 'asks', 'leads to', 'about'],
        tables.map((table) => [
          `[${table.id}](../vocabulary.md#${table.id})`,
          String(table.rules.length),
          table.facts.map(({ name }) => code(name)).join(', '),
          leadsTo(table, set).map(code).join(', '),
          cell(table.about),
        ]),
      ),
    ),
    ...section('State diagrams', states.flatMap(diagram)),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}
