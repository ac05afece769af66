import type { ResponderContext } from './context.ts';
import type { Unmet } from './responses/demands.ts';
import { PendingReplies } from './pending-replies.ts';
import { expectation } from './responses/expectation.ts';
import { tooManyWays } from './possible-states.ts';
import type { Stopped } from './possible-states.ts';
import type { ResponderState } from './state.ts';
import { leaveUnbound } from './words/memory.ts';

type Owed = Unmet & { event: number };

/** Judges what is due from one responder when everything due has had its time. */
export class RestJudge {
  readonly #context: ResponderContext;

  constructor(context: ResponderContext) {
    this.#context = context;
  }

  /** What is still due will not come. Gives why judging cannot go on; `undefined` where it can. */
  settle(t: number): Stopped | 'lost' | undefined {
    const { connection, rules, states, report } = this.#context;
    const owed = this.#owed(states.state);
    let ways = [states.state];
    if (owed.length > 0 || states.ambiguous) {
      const survivors = states.search((state) => this.#owed(state).length === 0);
      if (survivors === 'too many') return tooManyWays;
      const first = survivors[0];
      if (first === undefined && !this.#onlyUnreported(owed, t)) return this.#overdue(owed, t);
      if (first !== undefined) {
        ways = survivors;
        states.state = first;
      }
    }
    report.chose(states.state);
    for (const state of ways) {
      state.choices = undefined;
      state.replies = PendingReplies.none;
      leaveUnbound(connection, state);
      // an optional completion that did not come left its WQE on the SRQ
      state.machine.step('returned')({ returned: state.completions.length }, state);
      state.completions = [];
      state.left = [];
      state.leftEvent = false;
      state.former = undefined;
    }
    if (states.unsettled && connection.verbs) report.exercise(rules.reports.restraint(states.state));
    states.settle(ways);
    return undefined;
  }

  /** What is due whatever way is taken for requests before that place in the trace; `undefined` where nothing is for sure. */
  late(before: number): Unmet | undefined {
    const { states } = this.#context;
    const late = (state: ResponderState): Owed[] => this.#owed(state).filter(({ event }) => event < before);
    const [first] = late(states.state);
    if (first === undefined || states.guessing) return undefined;
    const ways = states.ambiguous ? states.search((state) => late(state).length === 0) : [];
    return ways.length === 0 ? first : undefined;
  }

  /** A fault that was never reported to software is a violation, and leaves the state of the device known. */
  #onlyUnreported(owed: readonly Owed[], t: number): boolean {
    const { state, guessing } = this.#context.states;
    const { report } = state;
    if (report === undefined || guessing || owed.length !== 1 || owed[0]?.rule !== report.rule) return false;
    if (state.completions.some((due) => !due.optional)) return false;
    this.#violate(owed[0], t);
    state.machine.step('faultGivenUp')({}, state);
    return true;
  }

  #violate({ event, ...unmet }: Owed, t: number): void {
    this.#context.report.violate({ event, t }, unmet);
  }

  #overdue(owed: readonly Owed[], t: number): Stopped | 'lost' {
    const { states, report } = this.#context;
    if (states.guessing) return { why: 'more packets without an answer than the oracle keeps' };
    for (const unmet of owed.slice(0, 1)) this.#violate(unmet, t);
    // in an ambiguous trace nothing may be due along the likeliest way, and it may still have no explanation
    if (owed.length === 0) report.doubt('no single way explains what was seen');
    return 'lost';
  }

  #owed(state: ResponderState): Owed[] {
    const replies = state.replies
      .list()
      .filter((r) => !r.optional)
      .map((r) => ({ rule: r.rule, expected: expectation(r), observed: 'no response', event: r.event }));
    const { connection, rules } = this.#context;
    return connection.verbs ? [...replies, ...rules.reports.overdue(state)] : replies;
  }
}
