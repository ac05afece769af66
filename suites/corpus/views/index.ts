export { captureHeader } from './recorders.ts';
export type { RecordedTrace, Wire } from './view.ts';
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

/** A trace, or one that was made of it. */
export interface Seen {
  view?: string;
  trace: RecordedTrace;
}

/** A trace, and another one that is made of it, which way is a matter of the case's name. */
export function seenOf(trace: RecordedTrace | undefined, name: string, wire: Wire): Seen[] {
  if (trace === undefined) return [];
  const other = viewOf(trace, numberOf(name), wire);
  return other === undefined ? [{ trace }] : [{ trace }, other];
}

/** FNV-1a, so that neighbours are seen each in another way. */
function numberOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const char of name) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  return hash >>> 0;
}
