import type { AsyncEvent } from '../../spec/verbs.ts';
import type { When } from '../spot.ts';
import type { TraceEvent } from '../trace.ts';
import type { Then } from './inputs.ts';

interface Early extends When {
  what: AsyncEvent;
  then: Then;
}

/**
 * Asynchronous events that may have come during a call: what came while it was made belongs behind it, which is noted when it has returned.
 * Packets may come until then, so that what they had shown before is kept with the event.
 */
export class EarlyEvents {
  readonly #take: (what: AsyncEvent, when: When, then: Then) => void;
  #waiting: Early[] = [];
  /** a call, or a change of the link, is being noted: what waits belongs behind it */
  #during = false;

  constructor(take: (what: AsyncEvent, when: When, then: Then) => void) {
    this.#take = take;
  }

  add(what: AsyncEvent, when: When, then: Then): void {
    this.#waiting.push({ what, then, ...when });
  }

  /** Before an event that is no packet: what came before it is taken. */
  before(event: TraceEvent): void {
    // a stall says nothing of what came when
    if (this.#waiting.length === 0 || event.kind === 'async' || event.kind === 'stall') return;
    const spans = 'start' in event;
    this.#until(spans ? event.start : Number.POSITIVE_INFINITY);
    this.#during = spans;
  }

  /** The call, or the change of the port, has been taken. */
  after(): void {
    if (!this.#during) return;
    this.#during = false;
    this.all();
  }

  all(): void {
    this.#until(Number.POSITIVE_INFINITY);
  }

  #until(t: number): void {
    for (let [next] = this.#waiting; next !== undefined && next.t < t; [next] = this.#waiting) {
      this.#waiting.shift();
      this.#take(next.what, { event: next.event, t: next.t }, next.then);
    }
  }
}
