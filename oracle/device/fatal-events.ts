import type { TraceEvent } from '../trace.ts';
import type { Qp } from './qp.ts';

/** Events after which nothing is known of what a QP has still to do. */
const fatalEvents: ReadonlySet<string> = new Set([
  'IBV_EVENT_QP_FATAL',
  'IBV_EVENT_CQ_ERR',
  'IBV_EVENT_SRQ_ERR',
  'IBV_EVENT_DEVICE_FATAL',
]);

/** Why nothing is known after the event of what QPs have still to do; `undefined`: it is as it was. */
function sightLost(event: TraceEvent): string | undefined {
  if (event.kind === 'gap') return event.reason;
  if (event.kind !== 'async') return undefined;
  const { event_type: type } = event.event;
  return fatalEvents.has(type) ? type : undefined;
}

/** Whether such an event may concern a QP: it names none, or that one, or its CQ or SRQ. */
function concerns(event: TraceEvent, { qpNumber, sendCq, receiveCq, srq: own }: Qp): boolean {
  if (event.kind !== 'async') return true;
  const { qp_num: number, cq, srq } = event.event;
  if (number !== undefined) return number === qpNumber;
  if (cq !== undefined) return cq === sendCq.handle || cq === receiveCq.handle;
  return srq === undefined || srq === own?.handle;
}

/** What is not judged of a trace whose device said that it has failed for good: once for each such trace. */
export const behindDeviceFatal = 'what follows IBV_EVENT_DEVICE_FATAL, after which nothing is guaranteed';

/** Why nothing at all is due or forbidden any more after the event; `undefined`: it is as it was. */
export function guaranteesLost(event: TraceEvent): string | undefined {
  if (event.kind !== 'async' && event.kind !== 'second-context') return undefined;
  if (event.event.event_type !== 'IBV_EVENT_DEVICE_FATAL') return undefined;
  return behindDeviceFatal;
}

/** QPs that an event concerns are no longer judged if what they do from then on is unknown. */
export function loseSight(
  event: TraceEvent,
  judged: Iterable<{ readonly qp: Qp; loseSight(why: string): void }>,
): void {
  const why = sightLost(event);
  if (why === undefined) return;
  for (const each of judged) if (concerns(event, each.qp)) each.loseSight(why);
}
