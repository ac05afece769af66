import { psnDiff } from '../../wire/psn.ts';
import type { Connection } from '../model/connection.ts';
import { requestShape } from '../model/request.ts';
import type { ResponderState } from '../model/state.ts';
import type { Entry } from './entry.ts';
import type { ResponderRules } from './responder.ts';

export type RequestEntry = Entry & { kind: 'request' };

/** Requests that may still be on their way beyond the capture. */
export const lateSpan = 64;
/** Of those, the newest that may arrive out of place without moving the responder on. */
const strayCount = 8;
/** Late requests in a row that one packet of the capture may follow. */
const chainLength = 8;

/**
 * Requests of a capture that arrive later than it shows them, or once more: the path beyond it may reorder and
 * duplicate. Those that the responder waits for may come in before any packet, others just before a response, since
 * nothing else would tell of them.
 */
export class LateRequests {
  readonly #connection: Connection;
  readonly #rules: ResponderRules;
  #seen: readonly RequestEntry[];

  constructor(connection: Connection, rules: ResponderRules, earlier: readonly RequestEntry[]) {
    this.#connection = connection;
    this.#rules = rules;
    this.#seen = earlier;
  }

  /** From here on the request may be late. */
  saw(entry: RequestEntry): void {
    this.#seen = [...this.#seen.slice(1 - lateSpan), entry];
  }

  /** The states, and those after late requests. */
  *before(entry: Entry, states: readonly ResponderState[]): Generator<ResponderState> {
    for (const start of states) {
      yield start.clone();
      let heads = [start];
      for (let i = 0; i < chainLength; i++) {
        const next: ResponderState[] = [];
        for (const head of heads) {
          if (entry.kind === 'reply')
            for (const request of this.#strays(head)) yield* this.#deliver(head, request);
          for (const request of this.#awaited(head)) next.push(...this.#deliver(head, request));
        }
        if (next.length === 0) break;
        yield* next.map((state) => state.clone());
        heads = next.slice(0, strayCount);
      }
    }
  }

  #awaited({ ePsn }: ResponderState): RequestEntry[] {
    const found = ePsn < 0 ? undefined : this.#seen.findLast(({ packet }) => packet.psn === ePsn);
    return found === undefined ? [] : [found];
  }

  #strays({ ePsn }: ResponderState): readonly RequestEntry[] {
    const newest = this.#seen.slice(-strayCount);
    return ePsn < 0 ? newest : newest.filter(({ packet }) => psnDiff(packet.psn, ePsn) !== 0);
  }

  *#deliver(state: ResponderState, { packet, event }: RequestEntry): Generator<ResponderState> {
    const shape = requestShape(packet.opcode);
    const connection = this.#connection;
    for (const branch of this.#rules.decider.all({ connection, state, packet, shape })) {
      const after = state.clone();
      this.#rules.effects.apply({ connection, state: after, packet, shape }, branch, event);
      yield after;
    }
  }
}
