import type { ResponderContext } from '../context.ts';
import type { Entry } from '../entry.ts';
import { tooManyWays } from '../possible-states.ts';
import type { Stopped } from '../possible-states.ts';

/**
 * Holds a receive completion or an asynchronous event of one responder against what is due by every state that it may be in. Gives why
 * judging cannot go on; `undefined` where it can.
 */
export function judgeSoftware(
  { connection, rules: { reports }, states, report }: ResponderContext,
  entry: Entry & { kind: 'completion' | 'async' },
): Stopped | undefined {
  const before = states.state.clone();
  const compare = (): ReturnType<typeof reports.event> =>
    entry.kind === 'completion'
      ? reports.completion(connection, states.state, entry.wc, entry.event)
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
  report.exercise(compared.exercised);
  for (const failed of compared.unmet) report.violate(entry, failed);
  return undefined;
}
