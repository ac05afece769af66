import type { PossibleRequesterStates } from './explore.ts';
import { exhaustionBy } from './retransmission/exhaustion.ts';
import { overdueTimer } from './duties.ts';
import type { Owed } from './duties.ts';
import type { Requester } from './requester.ts';
import { runningTime } from './requester.ts';
import type { RequesterState } from './state.ts';
import type { RequesterTables } from './tables.ts';

/**
 * Timers that have run out without an effect, found when an answer comes: it may cancel what was due from the device. Held back until rest,
 * since nothing more is due from a device that has failed for reasons of its own, and software may not have polled the completion yet.
 */
export class OverdueTimers {
  readonly #requester: Requester;
  readonly #tables: RequesterTables;
  readonly #explorer: PossibleRequesterStates;
  #found: (Owed & { t: number }) | undefined;

  constructor(requester: Requester, tables: RequesterTables, explorer: PossibleRequesterStates) {
    this.#requester = requester;
    this.#tables = tables;
    this.#explorer = explorer;
  }

  /** An answer reaches the device at `t`. */
  answered(states: readonly RequesterState[], t: number): void {
    const [first] = states;
    if (this.#found !== undefined || first === undefined || this.#justBusy(first, t)) return;
    if (this.#overdue(first, t) === undefined) return;
    const ways = this.#explorer.caughtUp(states);
    if (ways === 'too many') return;
    const found = ways.map((state) => this.#overdue(state, t));
    const [owed] = found;
    if (owed !== undefined && !found.includes(undefined)) this.#found = { ...owed, t };
  }

  /** An answer came so lately that the time since can be no timeout. This is a cheap check for long READs. */
  #justBusy({ arrivals }: RequesterState, t: number): boolean {
    const last = arrivals.at(-1);
    return (
      last !== undefined && runningTime(this.#requester, last.t, t) <= this.#requester.timing.responseTime
    );
  }

  #overdue(state: RequesterState, t: number): Owed | undefined {
    const owed = overdueTimer(this.#requester, this.#tables, state, t);
    // the last retry may have been spent, which nothing on the wire tells
    return owed === undefined || exhaustionBy(this.#requester, this.#tables, state, t) !== undefined
      ? undefined
      : owed;
  }

  /** What was found since everything was last at rest, of a device that still works in all of these states. */
  atRest(states: readonly RequesterState[]): (Owed & { t: number }) | undefined {
    const found = this.#found;
    this.#found = undefined;
    const works = states.every((state) => state.machine.mayFail({}, state));
    return works ? found : undefined;
  }

  /** Software has called: a QP that it takes out of work may have failed before. */
  called(states: readonly RequesterState[]): void {
    if (!states.every((state) => state.machine.works({}, state))) this.#found = undefined;
  }
}
