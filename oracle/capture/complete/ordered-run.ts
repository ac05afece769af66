import { requestShape } from '../../device/packet/opcode-shape.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import type { RequestEntry } from '../../rc-responder/entry.ts';
import { isPositive } from './positive.ts';

/** More of them are not kept: no requester has as many requests under way. */
const mostKept = 4096;

/** A message that a response shows to be carried out, and nothing behind it. */
export interface Reached {
  /** its packets, and the place of the last one in the trace */
  readonly message: readonly RequestEntry[];
  readonly end: number;
  /** the requests that have come behind it */
  readonly behind: readonly RequestEntry[];
}

/**
 * The requests of one connection that have come in order, without a gap or a repetition, and are not answered. In a busy connection no
 * response answers the newest request: what an Acknowledge says holds behind the message that it names, and what came since is known.
 */
export class OrderedRun {
  #entries: RequestEntry[] = [];
  /** place in the trace of the first response to one of them: those that come behind it are answered behind all that was before; -1: none */
  #since = -1;

  add(entry: RequestEntry): void {
    if (this.#entries.length >= mostKept) this.restart();
    this.#entries.push(entry);
  }

  /** The next request is not the one behind the newest. */
  restart(): void {
    if (this.#entries.length > 0) this.#entries = [];
    this.#since = -1;
  }

  /** A response; gives what it shows, if that is certain: the state behind the message does not depend on anything before the run. */
  answered(seen: ObservedReply, event: number): Reached | undefined {
    if (!isPositive(seen)) this.restart();
    // a READ may be counted before its last response
    if (seen.kind !== 'ack' && seen.kind !== 'atomic-ack') return undefined;
    const entries = this.#entries;
    const index = entries.findIndex(({ packet }) => packet.psn === seen.psn);
    const end = entries[index];
    if (end === undefined) return undefined;
    const since = this.#since;
    if (since < 0) this.#since = event;
    const behind = entries.slice(index + 1);
    this.#entries = behind;
    if (since < 0 || end.event < since) return undefined;
    const message = messageUntil(entries.slice(0, index + 1));
    return message && { message, end: end.event, behind };
  }
}

/** The packets of the message that ends with the last of these; `undefined` where it does not end there, or has begun before them. */
function messageUntil(entries: readonly RequestEntry[]): readonly RequestEntry[] | undefined {
  const positionOf = ({ packet }: RequestEntry): string => requestShape(packet.opcode).position;
  const end = entries.at(-1);
  const last = end && positionOf(end);
  if (last === 'only') return entries.slice(-1);
  if (last !== 'last') return undefined;
  const first = entries.findLastIndex((entry) => positionOf(entry) === 'first');
  return first < 0 ? undefined : entries.slice(first);
}
