import { eventType } from '../spec/constants.ts';
import type { EventType } from '../spec/verbs.ts';

const newest = Math.max(...Object.values(eventType.numbers));

/** The word for a type of event; adapters call one that has no name here by its number. */
export function eventWord(type: string): string {
  if (Object.hasOwn(eventType.numbers, type)) return type;
  const number = Number(/^IBV_EVENT_UNKNOWN_(\d+)$/.exec(type)?.[1]);
  return number > newest ? 'newer' : 'other';
}

/** Events that report an error of a request that a QP received. */
export const requestErrors: ReadonlySet<EventType> = new Set([
  'IBV_EVENT_QP_REQ_ERR',
  'IBV_EVENT_QP_ACCESS_ERR',
]);
