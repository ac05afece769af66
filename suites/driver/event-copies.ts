import type { Profile } from '../../adapters/adapter.ts';
import type { AsyncEvent } from '../../spec/verbs.ts';

type Context = 'first' | 'second';

interface Copy<Run> {
  event: AsyncEvent;
  context: Context;
  time: number;
  /** whose traces hold it */
  runs: ReadonlySet<Run>;
}

/**
 * Copies of an event of the port or of the device that two user contexts receive, one shortly behind the other. A run that begins between
 * them is given neither: it would see one context receive what the other does not.
 */
export class EventCopies<Run> {
  readonly #responseTime: number;
  readonly #paired: boolean;
  /** those whose other copy has not come */
  #single: Copy<Run>[] = [];

  constructor({ capabilities, responseTime }: Pick<Profile, 'capabilities' | 'responseTime'>) {
    this.#paired = capabilities.includes('second-context');
    this.#responseTime = responseTime;
  }

  /** An event came to a context, for these runs; gives those that it concerns. */
  come(context: Context, event: AsyncEvent, time: number, concerned: Iterable<Run>): Iterable<Run> {
    const { event_type: type, port_num: port, qp_num, cq, srq } = event;
    if (!this.#paired || qp_num !== undefined || cq !== undefined || srq !== undefined) return concerned;
    // what takes longer does not come any more
    this.#single = this.#single.filter((copy) => time - copy.time <= this.#responseTime);
    const place = this.#single.findIndex(
      (copy) => copy.context !== context && copy.event.event_type === type && copy.event.port_num === port,
    );
    const [other] = place < 0 ? [] : this.#single.splice(place, 1);
    if (other !== undefined) return [...concerned].filter((run) => other.runs.has(run));
    const runs = new Set(concerned);
    this.#single.push({ event, context, time, runs });
    return runs;
  }
}
