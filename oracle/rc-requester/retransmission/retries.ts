import type { Outcome, Rule } from '../../rules.ts';
import type { Course, Taken } from '../responses/course.ts';
import { failOldest } from './exhaustion.ts';
import { RequesterEvent } from '../inputs.ts';
import { migrateExhausted } from '../migration.ts';
import { mayBeLeft, retryRule } from './retry.ts';
import type { Counter } from './retry.ts';
import type { RetransmitCause, RequesterState } from '../state.ts';
import { outcomeWord, outcomeWords } from '../../rulebook/outcome.ts';

/** A response that is a cause of retransmission; `progress`: what it does to counters and timer besides. */
export interface Called extends Taken {
  cause: RetransmitCause['cause'];
  progress: Rule;
}

/** What a cause of retransmission may lead to, by what may be left of its counter. */
export function retriesOf(
  called: Called,
  state: RequesterState,
  eventOf: (state: RequesterState) => RequesterEvent,
): Course[] {
  const { tables, progress } = called;
  const event = eventOf(state);
  const counter: Counter = state.machine.counter(event, state) === 'rnr_retry' ? 'rnrLeft' : 'retryLeft';
  const retransmission = state.machine.retransmission(event, state);
  const counted = state.clone();
  state.machine.applyAny(progress.outcomes, event, counted);
  const courses: Course[] = [];
  for (const left of mayBeLeft(counter, event, counted)) {
    const rule = retryRule(tables, event, state, { [counter]: left, retransmission });
    for (const outcomes of alike(rule.outcomes)) {
      const apply = (after: RequesterState): void => {
        // from here on the counter is known to have had something left, or nothing
        state.machine.left[counter].narrow(event, after, left);
        act(after, { ...called, outcomes, retry: rule, event: eventOf(after) });
      };
      courses.push({ rules: [rule], effect: 'other', apply });
    }
  }
  return courses;
}

/** Outcomes that differ in what they take from a counter only are one way on: the counter may be either. */
function alike(outcomes: readonly Outcome[]): (readonly Outcome[])[] {
  const same = outcomes.filter(
    (o) => outcomeWord(o, 'action') === 'retransmit' || outcomeWord(o, 'action') === 'ignore',
  );
  const others = outcomes.filter((o) => !same.includes(o)).map((o) => [o]);
  return same.length > 0 ? [same, ...others] : others;
}

interface Act extends Called {
  outcomes: readonly Outcome[];
  retry: Rule;
  event: RequesterEvent;
}

function act(
  state: RequesterState,
  { requester, outcomes, retry, rule, cause, arrival, event, view }: Act,
): void {
  const [outcome = {}] = outcomes;
  const { machine } = state;
  const psn = machine.resumesAt(event, state);
  const known = state.causes.find((l) => l.cause === cause && l.psn === psn);
  switch (outcomeWord(outcome, 'action') ?? 'ignore') {
    case 'fail': {
      const statuses = outcomeWords(outcome, 'failure');
      return failOldest(requester, state, { statuses, rule: retry, event: arrival.event });
    }
    case 'migrate':
      migrateExhausted(requester, state, { rule: retry, outcome, event: arrival.event });
      break;
    default:
      machine.applyAny(outcomes, event, state);
      // what may be ignored is no duty, and what waits already needs no second permission
      if (known === undefined && outcomes.some((o) => outcomeWord(o, 'action') === 'ignore'))
        return machine.steps.mayIgnore(event, state);
  }
  const since = arrival.t;
  const { wait } = view.answer;
  const anew = { cause, psn, rule, event: arrival.event, since, wait, latest: { since, wait } };
  const sooner = known === undefined ? anew : sameWait(known, anew, state, event);
  state.causes = [...state.causes.filter((l) => l !== known), sooner];
  if (cause === 'rnr-nak') machine.steps.refused(event, state);
}

/** A wait that runs already may go on, or begin anew: the earlier of the two may end it, and the later. */
function sameWait(
  known: RetransmitCause,
  anew: RetransmitCause,
  state: RequesterState,
  { requester, now, parts }: RequesterEvent,
): RetransmitCause {
  const both = new RequesterEvent(requester, state, now, { ...parts, nak: anew, waiting: known });
  const latest = { since: anew.since, wait: state.machine.longestWait(both, state) };
  return { ...(state.machine.endsFirst(both, state) ? known : anew), latest };
}
