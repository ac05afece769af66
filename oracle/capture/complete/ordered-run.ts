import { requestShape } from '../../device/packet/opcode-shape.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import type { RequestEntry } from '../../rc-responder/entry.ts';
import { psnAdd } from '../../../wire/psn.ts';
import { isPositive } from './positive.ts';

/** More of them are not kept: no requester has as many requests under way. */
const mostKept = 4096;

interface Asked {
  readonly entry: RequestEntry;
  /** the PSN behind those that it stands for */
  readonly reaches: number;
}

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
  #asked: Asked[] = [];
  /** place in the trace of the first response to one of them: those that come behind it are answered behind all that was before; -1: none */
  #since = -1;

  /** `reaches`: the PSN behind those that it stands for. */
  add(entry: RequestEntry, reaches: number): void {
    if (this.#asked.length >= mostKept) this.restart();
    this.#asked.push({ entry, reaches });
  }

  /** The next request is not the one behind the newest. */
  restart(): void {
    if (this.#asked.length > 0) this.#asked = [];
    this.#since = -1;
  }

  /** A response; gives what it shows, if that is certain: the state behind the message does not depend on anything before the run. */
  answered(seen: ObservedReply, event: number): Reached | undefined {
    if (!isPositive(seen)) this.restart();
    if (!endsAnswer(seen)) return undefined;
    const reached = psnAdd(seen.psn, 1);
    const index = this.#asked.findIndex(({ reaches }) => reaches === reached);
    if (index < 0) return undefined;
    const until = this.#asked.slice(0, index + 1).map(({ entry }) => entry);
    this.#asked = this.#asked.slice(index + 1);
    const since = this.#since;
    if (since < 0) this.#since = event;
    const end = until.at(-1)?.event ?? -1;
    if (since < 0 || end < since) return undefined;
    const message = messageUntil(until);
    return message && { message, end, behind: this.#asked.map(({ entry }) => entry) };
  }
}

/** Whether nothing more comes in answer to what it answers. */
function endsAnswer({ kind, position }: ObservedReply): boolean {
  if (kind === 'read-response') return position === 'last' || position === 'only';
  return kind === 'ack' || kind === 'atomic-ack';
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
