/** Where in a trace something was found: at which event and, where one event concerns several connections, in which place. */
export interface Moment {
  event: number;
  place: number;
}

/** What was found, and when. */
export interface Found<T> {
  what: T;
  when: Moment;
}

/** Lists that are each in the order of their moments, as one; what was found at the same moment in the order of the lists. */
export function inTime<T>(lists: readonly (readonly Found<T>[])[]): Found<T>[] {
  return lists.flat().toSorted(({ when: a }, { when: b }) => a.event - b.event || a.place - b.place);
}
