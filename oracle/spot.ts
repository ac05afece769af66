/** When something was seen: index of the event in the trace, and its time in nanoseconds. */
export interface When {
  event: number;
  t: number;
}

/** When a call returned, and when it was made. */
export interface CallSpan extends When {
  start: number;
}

/** Where and when something was seen; `qp` as reports name it. */
export interface Spot extends When {
  qp: string;
}
