/** Where in a trace something was told: at which event, and, of what one event tells of several connections, in which place. */
export interface Moment {
  event: number;
  place: number;
}

/** What was told, and when. */
export interface Told<T> {
  what: T;
  when: Moment;
}

/** Lists that are each in the order of their moments, as one; what was told at the same moment in the order of the lists. */
export function inTime<T>(lists: readonly (readonly Told<T>[])[]): Told<T>[] {
  return lists.flat().toSorted(({ when: a }, { when: b }) => a.event - b.event || a.place - b.place);
}
