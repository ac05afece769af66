import { captureLatitude } from '../../../spec/latitudes.ts';
import { psnDiff } from '../../../wire/psn.ts';
import type { Qp } from '../../device/qp.ts';
import type { SearchWork } from '../../device/search-work.ts';
import { requestShape } from '../../device/packet/opcode-shape.ts';
import { RequestView } from '../request.ts';
import type { ResponderState } from '../state.ts';
import type { Entry, RequestEntry } from '../entry.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import { matchReply } from '../responses/match.ts';
import type { ResponderRules } from '../rules.ts';
import type { SeenRefusals } from './seen-refusals.ts';

/** Requests beside those of a window that the responder may take beyond the capture. */
export interface Elsewhere {
  /** the newest before the window */
  readonly earlier: readonly RequestEntry[];
  /** the newest that the capture shows once more, and that may be copies made on the way */
  readonly copies: readonly RequestEntry[];
}

export const { late: lateSpan, stray: strayCount, far: farAway } = captureLatitude().packets;
/** Late requests in a row that one packet of the capture may follow. */
const chainLength = 8;

/** What a search for late requests may cost. */
interface LateSearch {
  work: SearchWork;
  /** NAKs that tell of a request which was refused */
  refusals: SeenRefusals;
  /** where states are too many, some of them will do */
  some: boolean;
}

/**
 * Requests of a capture that arrive later than it shows them, or once more: the path beyond it may reorder and
 * duplicate. Those that the responder waits for may come in before any packet, others just before a response, since
 * nothing else would tell of them.
 */
export class LateRequests {
  readonly #connection: Qp;
  readonly #rules: ResponderRules;
  readonly #work: SearchWork;
  readonly #copies: readonly RequestEntry[];
  readonly #some: boolean;
  readonly #refusals: SeenRefusals;
  #seen: readonly RequestEntry[];

  constructor(
    connection: Qp,
    rules: ResponderRules,
    { earlier, copies }: Elsewhere,
    { work, refusals, some }: LateSearch,
  ) {
    this.#some = some;
    this.#refusals = refusals;
    this.#connection = connection;
    this.#rules = rules;
    this.#seen = earlier;
    this.#copies = copies;
    this.#work = work;
  }

  /** From here on the request may be late. */
  saw(entry: RequestEntry): void {
    this.#seen = [...this.#seen.slice(1 - lateSpan), entry];
  }

  /** The states, and those after late requests; `too many` beyond `limit`. */
  before(entry: Entry, states: readonly ResponderState[], limit: number): ResponderState[] | 'too many' {
    const all = new Map(states.map((state) => [state.key(), state]));
    let heads = states;
    for (let i = 0; i < chainLength && heads.length > 0; i++) {
      const next: ResponderState[] = [];
      for (const head of heads) {
        const strays = entry.kind === 'reply' ? this.#strays(head, entry.event) : [];
        for (const request of strays)
          for (const state of this.#deliver(head, request, entry.t))
            if (entry.kind === 'reply' && mayCall(state, entry.seen)) all.set(state.key(), state);
        for (const request of this.#awaited(head))
          for (const state of this.#deliver(head, request, entry.t)) {
            // only its NAK shows that one was refused
            if (state.ePsn === head.ePsn && this.#refusals.lack(state, request.event)) continue;
            const key = state.key();
            if (!all.has(key)) next.push(state);
            all.set(key, state);
          }
        if (!this.#work.spend(head.size)) return 'too many';
        if (all.size <= limit) continue;
        if (!this.#some) return 'too many';
        return [...all.values()].map((state) => state.clone());
      }
      heads = next;
    }
    return [...all.values()].map((state) => state.clone());
  }

  #awaited({ ePsn }: ResponderState): RequestEntry[] {
    const found = ePsn < 0 ? undefined : this.#seen.findLast(({ packet }) => packet.psn === ePsn);
    return found === undefined ? [] : [found];
  }

  #strays({ ePsn }: ResponderState, before: number): readonly RequestEntry[] {
    if (ePsn < 0) return [];
    const newest = this.#seen.slice(-strayCount);
    const again = this.#copies.filter(
      ({ event, packet: { psn } }) => event < before && newest.every(({ packet }) => packet.psn !== psn),
    );
    return [...newest, ...again].filter(({ packet }) => psnDiff(packet.psn, ePsn) !== 0);
  }

  /** `t`: when it has come at last. */
  *#deliver(state: ResponderState, entry: RequestEntry, t: number): Generator<ResponderState> {
    const request = new RequestView(this.#connection, state, { ...entry, t });
    for (const branch of this.#rules.decider.all(request)) {
      const after = state.clone();
      this.#rules.effects.apply(request.in(after), branch, entry.event);
      yield after;
    }
  }
}

/** Whether the response is one that the newest request may have called for. */
function mayCall(state: ResponderState, seen: ObservedReply): boolean {
  return matchReply(state, seen, true, state.replies.length - 1).kind === 'match';
}

/**
 * Whether requests are missing between those seen: the PSNs of the newest ones leave a hole that no READ accounts for.
 * A READ whose number of responses is unknown accounts for none, and neither does a damaged packet: what the responder has taken was
 * sent again, or the capture has damaged it. `state` has the path MTU.
 */
export function lacksRequests(all: readonly RequestEntry[], state: ResponderState): boolean {
  const seen = all.filter(({ packet }) => packet.icrcOk);
  const last = seen.at(-1);
  if (last === undefined) return false;
  // what was sent in a connection before leaves no hole
  const own = seen.filter(({ packet }) => Math.abs(psnDiff(packet.psn, last.packet.psn)) <= farAway);
  const responses = state.machine.number('readResponses');
  const spans = own
    .map(({ packet }) => {
      const isRead = requestShape(packet.opcode).family === 'read';
      const count = isRead ? Math.max(1, responses({ announced: packet.reth?.dmaLen }, state)) : 1;
      const from = psnDiff(packet.psn, last.packet.psn);
      return { from, to: from + count };
    })
    .toSorted((a, b) => a.from - b.from);
  let end = spans[0]?.from ?? 0;
  for (const { from, to } of spans) {
    if (from > end) return true;
    end = Math.max(end, to);
  }
  return false;
}
