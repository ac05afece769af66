import { owedAt } from './duties.ts';
import type { Owed } from './duties.ts';
import type { PossibleRequesterStates } from './explore.ts';
import type { RequesterReport } from './report.ts';
import type { Requester } from './requester.ts';
import { rulesKept } from './restraint.ts';
import type { RequesterState } from './state.ts';
import type { RequesterTables } from './tables.ts';

/** ways kept when the trace does not tell them apart */
const waysKept = 64;

/** Judges what is due from one requester when everything that waits for no timer has had its time. */
export class RequesterRest {
  readonly #requester: Requester;
  readonly #tables: RequesterTables;
  readonly #explorer: PossibleRequesterStates;
  readonly #report: RequesterReport;

  constructor(
    requester: Requester,
    tables: RequesterTables,
    explorer: PossibleRequesterStates,
    report: RequesterReport,
  ) {
    this.#requester = requester;
    this.#tables = tables;
    this.#explorer = explorer;
    this.#report = report;
  }

  /** The states in which nothing is due, likeliest first; `lost` where there is none, which has been reported. */
  paid(states: readonly RequesterState[], t: number): RequesterState[] | 'too many' | 'lost' {
    const ways = this.#explorer.caughtUp(states);
    if (ways === 'too many') return ways;
    let paid = ways.filter((state) => this.#owed(state, t).length === 0);
    if (paid.length === 0) paid = this.#unannounced(ways, t);
    const [first] = paid;
    if (first === undefined) {
      this.#overdue(this.#explorer.likeliest(states), t);
      return 'lost';
    }
    if (paid.length > waysKept) return 'too many';
    this.#report.exerciseAll(first);
    owedAt(this.#requester, this.#tables, first, t, (rules) => this.#report.exercise(rules));
    this.#report.exercise(rulesKept(this.#requester, this.#tables, first, this.#report.activity));
    this.#report.activity = { sent: false, wentBack: false };
    return paid;
  }

  #overdue(state: RequesterState, t: number): void {
    this.#report.exerciseAll(state);
    const [owed] = this.#owed(state, t);
    if (owed !== undefined) this.#report.violate({ event: owed.event, t }, owed);
    else this.#report.doubt('no single way explains what was seen');
  }

  /** Ways that lack nothing but events of path migration, which leave no doubt about the state of the device. */
  #unannounced(ways: readonly RequesterState[], t: number): RequesterState[] {
    const unannounced = ways.filter((state) => this.#owed(state, t).every(({ news }) => news === true));
    const [first] = unannounced;
    for (const { event, ...failed } of first === undefined ? [] : this.#owed(first, t))
      this.#report.violate({ event, t }, failed);
    for (const state of unannounced) state.migration = state.migration.rested.settled;
    return unannounced;
  }

  #owed(state: RequesterState, t: number): Owed[] {
    return owedAt(this.#requester, this.#tables, state, t);
  }
}
