import type { Qp } from '../../device/qp.ts';
import type { Entry } from '../entry.ts';
import { tooManyWays } from '../possible-states.ts';
import type { PossibleResponderStates, Stopped } from '../possible-states.ts';
import type { ResponderReport } from '../report.ts';
import type { ResponderRules } from '../rules.ts';

/** Judges the receive completions and the asynchronous events of one responder by every state that it may be in. */
export class SoftwareJudge {
  readonly #connection: Qp;
  readonly #rules: ResponderRules;
  readonly #states: PossibleResponderStates;
  readonly #report: ResponderReport;

  constructor(
    connection: Qp,
    rules: ResponderRules,
    states: PossibleResponderStates,
    report: ResponderReport,
  ) {
    this.#connection = connection;
    this.#rules = rules;
    this.#states = states;
    this.#report = report;
  }

  /** Holds a completion or an event against what is due. Gives why judging cannot go on; `undefined` where it can. */
  judge(entry: Entry & { kind: 'completion' | 'async' }): Stopped | undefined {
    const states = this.#states;
    const before = states.state.clone();
    const { reports } = this.#rules;
    const compare = (): ReturnType<typeof reports.event> =>
      entry.kind === 'completion'
        ? reports.completion(this.#connection, states.state, entry.wc, entry.event)
        : reports.event(states.state, entry.what);
    const compared = compare();
    if (compared === undefined) {
      states.pop();
      return undefined;
    }
    if (compared.unmet.length > 0) {
      states.state = before;
      const other = states.otherWay();
      if (other === 'too many') return tooManyWays;
      if (other) return undefined;
      compare();
      entry.reported = true;
    }
    this.#report.exercise(compared.exercised);
    for (const failed of compared.unmet) this.#report.violate(entry, failed);
    return undefined;
  }
}
