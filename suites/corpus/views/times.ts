import type { TraceEvent } from '../../../oracle/index.ts';

/** An event at another time; a call starts and ends then, and a stall lasts as long. */
export function at(event: TraceEvent, t: number): TraceEvent {
  if (event.kind === 'stall') return { ...event, t, until: t + (event.until - event.t) };
  return 'start' in event ? { ...event, t, start: t } : { ...event, t };
}
