import type { MachineDraft } from '../../machine-draft.ts';
import { valueType } from './scope.ts';

const of = (object: string, name: string): string => `${object}[${JSON.stringify(name)}]`;

/** JavaScript of what is done to all variables of a machine alike: an expression whose value is a MachineLayout. */
export function layoutText({ state, timers }: MachineDraft): string {
  const timed = Object.keys(timers).flatMap((name) => [`${name}Earliest`, `${name}Latest`]);
  const apart: string[] = [];
  const merged: string[] = [];
  for (const [name, { merges, ...declared }] of Object.entries(state)) {
    const [a, b] = [of('a', name), of('b', name)];
    if (valueType(declared).upTo !== undefined) merged.push(`${a} |= ${b};`);
    else if (merges !== undefined)
      merged.push(`${a} = Math.${merges === 'greatest' ? 'max' : 'min'}(${a}, ${b});`);
    else apart.push(name);
  }
  for (const name of Object.keys(timers)) {
    const [from, to] = [`${name}Earliest`, `${name}Latest`];
    merged.push(
      `${of('a', from)} = Math.min(${of('a', from)}, ${of('b', from)});`,
      `${of('a', to)} = Math.max(${of('a', to)}, ${of('b', to)});`,
    );
  }
  const copies = [...Object.keys(state), ...timed].map((name) => `${of('b', name)} = ${of('a', name)};`);
  const key = apart.map((name) => of('a', name)).join(' + "|" + ');
  return `{
    copy: (a, b) => { ${copies.join(' ')} },
    key: (a) => "" + ${key === '' ? '""' : key},
    absorb: (a, b) => { ${merged.join(' ')} },
  }`;
}
