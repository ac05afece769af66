import type { DeclaredName, MachineDraft } from '../../machine-draft.ts';
import { valueType } from './scope.ts';
import { isNumber, isWord } from '../expression/types.ts';

/** `rc-responder` as `RcResponder`. */
function pascal(id: string): string {
  return id
    .split('-')
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
    .join('');
}

function typeText(declared: DeclaredName): string {
  const type = valueType(declared);
  if (isWord(type)) {
    const words = type.plain.map((word) => `'${word}'`).join(' | ');
    return type.unknown ? `${words} | undefined` : words;
  }
  if (isNumber(type)) return 'number';
  const plain = type.plain === 'flag' ? 'boolean' : 'string';
  return type.unknown ? `${plain} | undefined` : plain;
}

/** What is in a variable before the machine begins. */
function blank(declared: DeclaredName): string {
  const type = valueType(declared);
  if (isWord(type)) return type.unknown ? 'undefined' : `'${type.plain[0] ?? ''}'`;
  if (isNumber(type)) return type.upTo === undefined ? '-1' : '1';
  if (type.unknown) return 'undefined';
  return type.plain === 'flag' ? 'false' : "''";
}

/** Unit or range of what a number holds, for the docstring. */
function shape(declared: DeclaredName): string {
  const type = valueType(declared);
  const unknown = type.unknown ? (isNumber(type) ? '; -1: unknown' : '; undefined: unknown') : '';
  if (type.upTo !== undefined) return ` (bit n: it may be n, 0 to ${type.upTo})`;
  if (type.plain === 'psn') return ` (PSN${unknown})`;
  if (type.plain === 'time') return ` (nanoseconds${unknown})`;
  return unknown === '' ? '' : ` (${unknown.slice(2)})`;
}

interface Tree {
  readonly [name: string]: Tree | DeclaredName;
}

const isDeclared = (node: Tree | DeclaredName): node is DeclaredName =>
  typeof (node as DeclaredName).about === 'string';

function inputTree(inputs: MachineDraft['inputs']): Tree {
  const tree: Record<string, Tree | DeclaredName> = {};
  for (const [name, declared] of Object.entries(inputs)) {
    const parts = name.split('.');
    const last = parts.pop() ?? name;
    let node = tree;
    for (const part of parts) node = (node[part] ??= {}) as Record<string, Tree | DeclaredName>;
    node[last] = declared;
  }
  return tree;
}

/** What is not known may as well be left out. */
function inputType(declared: DeclaredName): string {
  const type = typeText(declared);
  if (declared.unknown !== true) return `: ${type}`;
  return `?: ${type}${type.endsWith('undefined') ? '' : ' | undefined'}`;
}

function members(tree: Tree, indent: string): string[] {
  return Object.entries(tree).flatMap(([name, node]) =>
    isDeclared(node)
      ? [`${indent}/** ${node.about}${shape(node)} */`, `${indent}readonly ${name}${inputType(node)};`]
      : [`${indent}readonly ${name}: {`, ...members(node, `${indent}  `), `${indent}};`],
  );
}

/** TypeScript of the variables, inputs, steps and values of a machine. */
export function variablesText(draft: MachineDraft): string {
  const name = pascal(draft.id);
  const timers = Object.entries(draft.timers).flatMap(([timer, { about }]) => [
    `  /** ${about}: the earliest instant from which it may count (nanoseconds; -1: it does not run) */`,
    `  ${timer}Earliest = -1;`,
    `  /** likewise, the latest */`,
    `  ${timer}Latest = -1;`,
  ]);
  const clock =
    timers.length === 0
      ? []
      : [
          '  /** when it happened, and the earliest that it can have happened (nanoseconds) */',
          '  readonly now: number;',
          '  readonly earliest: number;',
          '  /** how late what is due may be seen (nanoseconds) */',
          '  readonly slack: number;',
          '  /** how long the device has surely been running since then (nanoseconds) */',
          '  readonly ran: (since: number) => number;',
        ];
  const union = (words: readonly string[]): string =>
    words.length === 0 ? 'never' : words.map((word) => `'${word}'`).join(' | ');
  const values = [
    ...Object.keys(draft.values),
    ...Object.keys(draft.timers).map((timer) => `${timer} phase`),
  ];
  return [
    `/** Generated from spec/machines/${draft.id}/machine.yaml by \`npm run generate\`; do not edit. */`,
    '',
    `/** State of the machine ${draft.id}; \`start\` of the machine gives every variable its first value. */`,
    ...(Object.keys(draft.state).length > 0
      ? []
      : [
          '// oxlint-disable-next-line typescript/no-extraneous-class -- a machine without state, as others have it',
        ]),
    `export class ${name}Variables {`,
    ...Object.entries(draft.state).flatMap(([variable, declared]) => [
      `  /** ${declared.about}${shape(declared)} */`,
      `  ${variable}: ${typeText(declared)} = ${blank(declared)};`,
    ]),
    ...timers,
    '}',
    '',
    `/** What its expressions read of an event. */`,
    `export interface ${name}Inputs {`,
    ...members(inputTree(draft.inputs), '  '),
    ...clock,
    '}',
    '',
    `/** What happens to it that no rule decides. */`,
    `export type ${name}Step = ${union(Object.keys(draft.steps))};`,
    '',
    `/** Its named values. */`,
    `export type ${name}Value = ${union(values)};`,
    '',
  ].join('\n');
}
