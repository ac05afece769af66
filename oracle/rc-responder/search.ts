import type { Qp } from '../device/qp.ts';
import type { SearchWork } from '../device/search-work.ts';
import { RequestView } from './request.ts';
import { acceptReply, matchRepeat, matchReply } from './responses/match.ts';
import type { ReplyMatch } from './responses/match.ts';
import type { Unmet } from './responses/demands.ts';
import type { ResponderState } from './state.ts';
import { Calls } from './racing-calls.ts';
import type { Entry } from './entry.ts';
import { LateRequests } from './capture/late.ts';
import type { Elsewhere } from './capture/late.ts';
import { SeenRefusals } from './capture/seen-refusals.ts';
import type { ResponderRules } from './rules.ts';

const stateLimit = 2048;
/** where packets may be late, a way costs more */
const lateStateLimit = 512;
/** Ways that are followed where not all of them can be. */
const someLimit = 48;

/**
 * All states in which a conformant responder may be after the window, starting from any of `checkpoint`; the likeliest
 * first. Ways differ by the branches that rules leave open, by packets lost beyond the capture, and by calls that were
 * made while packets were under way. With `elsewhere`, ways differ by packets delayed or
 * duplicated beyond the capture as well. With `until`, states are those before that entry of the window. With `some`, unlikely ways are
 * left out, and where many are left, the unlikeliest of them. `work` is what it may cost.
 */
export function search(
  connection: Qp,
  rules: ResponderRules,
  checkpoint: readonly ResponderState[],
  window: readonly Entry[],
  work: SearchWork,
  accept: (state: ResponderState) => boolean,
  { elsewhere, until = window.length, some }: { elsewhere?: Elsewhere; until?: number; some?: true } = {},
): ResponderState[] | 'too many' {
  const calls = new Calls(window);
  const refusals = new SeenRefusals(window);
  let states = checkpoint.map((state) => state.clone());
  work.begin();
  const late =
    elsewhere && new LateRequests(connection, rules, elsewhere, { work, refusals, some: some === true });
  for (const entry of window.slice(0, until)) {
    const next = new Map<string, ResponderState>();
    const starts = late === undefined ? states : late.before(entry, states, lateStateLimit);
    if (starts === 'too many') return starts;
    for (const state of starts) {
      for (const successor of successors(connection, rules, state, entry, calls)) {
        if (!work.spend(successor.size)) return 'too many';
        if (some === true && entry.kind === 'request' && refusals.lack(successor, entry.event)) continue;
        const key = successor.key();
        if (!next.has(key)) next.set(key, successor);
      }
    }
    if (next.size === 0) return [];
    if (next.size > stateLimit && some !== true) return 'too many';
    states = some === true ? likeliest([...next.values()]) : [...next.values()];
    if (entry.kind === 'request') late?.saw(entry);
  }
  return states.filter(accept);
}

/** Of more states than may be followed, those of which most is known. */
function likeliest(states: ResponderState[]): ResponderState[] {
  if (states.length <= someLimit) return states;
  return states.toSorted((a, b) => Number(a.ePsn < 0) - Number(b.ePsn < 0)).slice(0, someLimit);
}

/**
 * The state after a response of the life that a call has ended, and what is wrong with the response in every state; `undefined` where it is
 * none of that life.
 */
export function formerReply(
  connection: Qp,
  { demands }: ResponderRules,
  state: ResponderState,
  entry: Entry & { kind: 'reply' },
): { after: ResponderState; unmet: readonly Unmet[] } | undefined {
  const former = state.former?.clone();
  if (former === undefined) return undefined;
  const match = matchReply(former, entry.seen, false);
  if (match.kind === 'mismatch') return undefined;
  const unmet = demands.unmet(connection, former, entry.seen, match.item);
  if (unmet.some(({ certain }) => certain !== true)) return undefined;
  acceptReply(former, entry, match);
  const after = state.clone();
  after.former = former;
  return { after, unmet };
}

function* successors(
  connection: Qp,
  rules: ResponderRules,
  state: ResponderState,
  entry: Entry,
  calls: Calls,
): Generator<ResponderState> {
  switch (entry.kind) {
    case 'request':
      for (const start of calls.madeEarly(state, (at) =>
        rules.machine.flag('wqeSurelyWaits')(new RequestView(connection, at, entry), at),
      )) {
        const request = new RequestView(connection, start, entry);
        for (const branch of rules.decider.all(request)) {
          const after = start.clone();
          rules.effects.apply(request.in(after), branch, entry.event);
          yield after;
        }
      }
      if (!connection.atDevice || entry.mayBeLost === true) yield state;
      return;
    case 'call':
      calls.apply(state, entry);
      yield state;
      return;
    case 'frame':
      rules.effects.frame(state, entry.branch, entry.event);
      yield state;
      return;
    case 'reply': {
      const before = entry.former === true ? formerReply(connection, rules, state, entry) : undefined;
      if (before !== undefined) yield before.after;
      const lossy = !connection.atDevice;
      const meets = ({ item }: Extract<ReplyMatch, { kind: 'match' }>): boolean =>
        entry.reported === true ||
        rules.demands.unmet(connection, state, entry.seen, item).every(({ certain }) => certain === true);
      const match = matchReply(state, entry.seen, lossy);
      const again = lossy ? matchRepeat(state, entry.seen) : undefined;
      const other = again !== undefined && meets(again) ? state.clone() : undefined;
      if (match.kind === 'match' && meets(match)) {
        acceptReply(state, entry, match);
        yield state;
      }
      if (again === undefined || other === undefined) return;
      acceptReply(other, entry, again);
      yield other;
      return;
    }
    case 'completion':
    case 'async': {
      const compared =
        entry.kind === 'completion'
          ? rules.reports.completion(connection, state, entry.wc, entry.event)
          : rules.reports.event(state, entry.what);
      if (compared === undefined || entry.reported || compared.unmet.length === 0) yield state;
      return;
    }
  }
}
