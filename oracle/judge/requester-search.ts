import type { Requester, RequesterTables } from '../model/requester.ts';
import { coursesOf } from '../model/requester-arrival.ts';
import { completeSend } from '../model/requester-completions.ts';
import { announcePath } from '../model/requester-migration.ts';
import { sendPacket } from '../model/requester-sending.ts';
import type { RequesterState } from '../model/requester-state.ts';
import type { RequesterEntry } from './requester.ts';

const stateLimit = 2048;
const stepLimit = 100_000;

/**
 * All states in which a conformant requester may be after the window, starting from any of `checkpoint`. Ways differ by when
 * the device looks at the responses that have arrived, and by the choices that rules leave. In the states given every
 * response has been looked at.
 */
export function searchRequester(
  requester: Requester,
  tables: RequesterTables,
  checkpoint: readonly RequesterState[],
  window: readonly RequesterEntry[],
  accept: (state: RequesterState) => boolean,
): RequesterState[] | 'too many' {
  let states = checkpoint.map((state) => state.clone());
  let steps = 0;
  for (const entry of window) {
    const next = new Map<string, RequesterState>();
    for (const state of states) {
      for (const successor of successors(requester, tables, state, entry)) {
        if (++steps > stepLimit) return 'too many';
        const key = successor.key();
        if (!next.has(key)) next.set(key, successor);
      }
    }
    if (next.size > stateLimit) return 'too many';
    states = [...next.values()];
    if (states.length === 0) return [];
  }
  const all = new Map<string, RequesterState>();
  for (const state of states)
    for (const caught of caughtUp(requester, tables, state, 0))
      if (caught.arrivals.length === 0) all.set(caught.key(), caught);
  return [...all.values()].filter(accept);
}

function* successors(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  entry: RequesterEntry,
): Generator<RequesterState> {
  switch (entry.kind) {
    case 'call': {
      for (const after of caughtUp(requester, tables, state, entry.t)) {
        const changed = after.clone();
        entry.apply(changed);
        yield changed;
      }
      return;
    }
    case 'response': {
      const after = state.clone();
      after.arrivals = [...state.arrivals, { packet: entry.packet, event: entry.event, t: entry.t }];
      yield after;
      return;
    }
    case 'sent':
      for (const before of caughtUp(requester, tables, state, entry.t)) {
        const after = before.clone();
        const { order, unmet } = sendPacket(requester, tables, after, entry.packet, entry.t);
        const open = unmet.some(({ certain }) => certain !== true);
        if (entry.reported || (order === undefined && !open)) yield after;
      }
      return;
    case 'path':
      for (const before of caughtUp(requester, tables, state, entry.t)) {
        const after = before.clone();
        const { unmet } = announcePath(tables, after, entry.type);
        if (entry.reported || unmet.length === 0) yield after;
      }
      return;
    case 'completion':
      for (const before of caughtUp(requester, tables, state, entry.t)) {
        const after = before.clone();
        const { unmet } = completeSend(requester, tables, after, entry.wc, entry.t);
        if (entry.reported || unmet.length === 0) yield after;
      }
      return;
  }
}

/**
 * The state, and those after the device has looked at one more response, two more, and so on. What arrived longer ago than
 * an answer may take has been looked at.
 */
function* caughtUp(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  now: number,
): Generator<RequesterState> {
  const [arrival, ...rest] = state.arrivals;
  if (arrival === undefined || now - arrival.t <= requester.timing.responseTime) yield state;
  if (arrival === undefined) return;
  for (const course of coursesOf(requester, tables, state, arrival)) {
    const after = state.clone();
    after.arrivals = rest;
    course.apply(after);
    yield* caughtUp(requester, tables, after, now);
  }
}
