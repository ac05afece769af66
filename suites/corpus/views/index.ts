export { captureHeader } from './recorders.ts';
export type { RecordedTrace, Wire } from './view.ts';
import { hashOf } from '../../hash.ts';
import { stepped, timed } from './aimed.ts';
import { nudged } from './nudged.ts';
import { picked } from './picked.ts';
import { recorders } from './recorders.ts';
import { spoiled } from './spoiled.ts';
import type { RecordedTrace, View, Wire } from './view.ts';

/**
 * Other traces that are made of one: seen from elsewhere, by a recorder that knows or sees less, or of a device that did
 * something else. What the spec says of them is not the question; both builds have to say the same.
 */
const views: Readonly<Record<string, View>> = { ...recorders, ...spoiled };

/** The ways in which a trace may be seen. */
export const viewNames: readonly string[] = Object.keys(views);

/** One more trace that is made of this one, which of them is a matter of `number`. `wire`: of the build that keeps the trace. */
export function viewOf(
  trace: RecordedTrace,
  number: number,
  wire: Wire,
): { view: string; trace: RecordedTrace } | undefined {
  for (let i = 0; i < viewNames.length; i++) {
    const view = viewNames[(number + i) % viewNames.length] ?? '';
    const found = views[view]?.(trace, wire);
    if (found !== undefined) return { view, trace: found };
  }
  return undefined;
}

/** Views of which there are many, by number. */
const numbered: Readonly<
  Record<string, (trace: RecordedTrace, number: number, wire: Wire) => ReturnType<View>>
> = {
  nudged,
  picked,
  timed,
  stepped,
};

/** The ways of which there are many: their names go on with a number. */
export const numberedNames: readonly string[] = Object.keys(numbered);

function once(trace: RecordedTrace, view: string, wire: Wire): RecordedTrace | undefined {
  const [name = '', number] = view.split(/ (?=\d+$)/);
  return number === undefined ? views[view]?.(trace, wire) : numbered[name]?.(trace, Number(number), wire);
}

/**
 * What a view of this name makes of a trace: one of `viewNames`, one of `numberedNames` with a number (`nudged 3`), or several of them, such as `capture + nudged 3`.
 * Undefined where it makes nothing.
 */
export function viewed(trace: RecordedTrace, view: string, wire: Wire): RecordedTrace | undefined {
  let made: RecordedTrace | undefined = trace;
  for (const part of view.split(' + ')) made = made && once(made, part, wire);
  return made;
}

/** One trace of a corpus. `name`: see `Case`. */
export interface CorpusTrace {
  readonly name: string;
  /** in which way it was made of the trace of that name; absent: it is that one */
  readonly view?: string;
  readonly trace: RecordedTrace;
}

/** A trace, or one that was made of it. */
export interface Seen {
  view?: string;
  trace: RecordedTrace;
}

/** A trace, and another one that is made of it, which way is a matter of the case's name. */
export function seenOf(trace: RecordedTrace | undefined, name: string, wire: Wire): Seen[] {
  if (trace === undefined) return [];
  const other = viewOf(trace, hashOf(name), wire);
  return other === undefined ? [{ trace }] : [{ trace }, other];
}
