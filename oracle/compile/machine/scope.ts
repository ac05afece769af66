import type { Named, Scope } from '../expression/scope.ts';
import type { PlainType, ValueType } from '../expression/types.ts';
import type { DeclaredName, MachineDraft, TypeText } from '../../machine-draft.ts';

const plainTypes: ReadonlySet<string> = new Set(['psn', 'int', 'number', 'time', 'flag', 'address']);
const range = /^0\.\.(\d+)$/;

/** Greatest value of a type that is kept with every value it may have: a bit set holds 31. */
export const mostKept = 30;

/** What is wrong with a type, for a person; undefined where nothing is. */
export function typeFault(type: TypeText): string | undefined {
  if (typeof type !== 'string')
    return type.includes('unknown') ? '"unknown" is no word of a list: say "unknown: true"' : undefined;
  if (plainTypes.has(type)) return undefined;
  const [, most] = range.exec(type) ?? [];
  if (most !== undefined && Number(most) <= mostKept) return undefined;
  return `unknown type "${type}": there are ${[...plainTypes].join(', ')}, 0..N with N up to ${mostKept}, and lists of words`;
}

/** RangeError for a type that `typeFault` refuses. */
export function valueType({ type, unknown = false }: DeclaredName): ValueType {
  if (typeof type !== 'string') return { plain: type, unknown };
  const [, most] = range.exec(type) ?? [];
  if (most !== undefined) return { plain: 'int', unknown, upTo: Number(most) };
  if (!plainTypes.has(type)) throw new RangeError(`unknown type ${type}`);
  return { plain: type as Exclude<PlainType, readonly string[]>, unknown };
}

/** Inputs of a machine with timers: when something happened, the earliest that it can have, and how late it may be seen. */
const clockNames = ['now', 'earliest', 'slack'];
const clock: Named = { kind: 'input', type: { plain: 'time', unknown: false } };

/** The names of a machine. */
export function scopeOf(draft: Pick<MachineDraft, 'inputs' | 'state' | 'timers' | 'values'>): Scope {
  const names = new Map<string, Named>();
  const add = (kind: Named['kind'], declared: Readonly<Record<string, DeclaredName>>): void => {
    for (const [name, entry] of Object.entries(declared)) names.set(name, { kind, type: valueType(entry) });
  };
  if (Object.keys(draft.timers).length > 0) for (const name of clockNames) names.set(name, clock);
  add('input', draft.inputs);
  add('value', draft.values);
  add('variable', draft.state);
  return { names, timers: new Set(Object.keys(draft.timers)) };
}
