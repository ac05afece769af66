import { psnDiff } from '../../wire/psn.ts';
import { SearchWork, watched } from '../device/search-work.ts';
import type { Finding, Requester } from './requester.ts';
import { runningTime } from './requester.ts';
import { transitionsFor } from './responses/arrival.ts';
import type { Course } from './responses/course.ts';
import { completeSend } from './completions.ts';
import { announcePath } from './migration.ts';
import { sendPacket } from './requests/sending.ts';
import { exhaustionBy } from './retransmission/exhaustion.ts';
import type { RequesterTables } from './tables.ts';
import { answerOf } from '../device/packet/answer.ts';
import type { Arrival, LastResponse, RequesterState } from './state.ts';
import type { Rule } from '../rules.ts';
import type { RequesterEntry } from './entry.ts';

const stateLimit = 512;

/** What the rules say to something that the device did. */
export interface Verdict {
  rules: readonly Rule[];
  /** it must not be done here at all */
  order: Finding | undefined;
  unmet: readonly Finding[];
}

/** The ways that are left after an event, likeliest first; `certain`: what is wrong along every one of them. */
export interface Followed {
  ways: RequesterState[];
  certain: readonly Finding[];
}

const nothing: Verdict = { rules: [], order: undefined, unmet: [] };

/** A way to an event that no way explains: the state after it, and what the rules say to it. */
export interface Tried {
  after: RequesterState;
  verdict: Verdict;
}

/** The ways in which a conformant requester may have come to what is seen, and may go on. */
export class PossibleRequesterStates {
  readonly #requester: Requester;
  readonly #tables: RequesterTables;
  readonly #work = new SearchWork(watched);

  constructor(requester: Requester, tables: RequesterTables) {
    this.#requester = requester;
    this.#tables = tables;
  }

  /**
   * What an event leaves of the ways; none where no conformant requester does this. Ways differ by when the device looks at
   * the responses that have arrived, and by the choices that rules leave.
   */
  follow(ways: readonly RequesterState[], entry: RequesterEntry): Followed | 'too many' {
    this.#work.earn();
    if (entry.kind === 'response') {
      const { packet, event, t } = entry;
      for (const way of ways) way.arrivals = [...way.arrivals, { packet, event, t }];
      return { ways: [...ways], certain: [] };
    }
    if (entry.kind === 'call' && entry.commutes === true) {
      for (const way of ways) entry.apply(way);
      return { ways: [...ways], certain: [] };
    }
    const after: RequesterState[] = [];
    let certain: readonly Finding[] = [];
    const tooMany = this.#explore(ways, entry, (state) => {
      const next = state.clone();
      const { rules, order, unmet } = this.take(next, entry);
      if (order !== undefined || unmet.some((failed) => failed.certain !== true)) return false;
      next.note(rules);
      certain = unmet;
      const before = this.#exhaustedBefore(state, entry);
      if (before !== undefined) after.push(before);
      after.push(next);
      return goesOn(state, entry);
    });
    if (tooMany || after.length > stateLimit) return 'too many';
    // of the ways explored last all responses have been looked at, which is the likeliest
    return { ways: merged(after.toReversed()), certain };
  }

  /** The way in which the ACK timer had used up the last retry by the time of a call that takes the QP to ERR. */
  #exhaustedBefore(state: RequesterState, entry: RequesterEntry): RequesterState | undefined {
    if (entry.kind !== 'call' || entry.fails !== true) return undefined;
    const end = exhaustionBy(this.#requester, this.#tables, state, entry.t);
    if (end === undefined) return undefined;
    const failed = state.clone();
    failed.note(end.rules);
    end.apply(failed);
    entry.apply(failed);
    return failed;
  }

  /** Does to the state what the event does, and says what the rules say to it. */
  take(state: RequesterState, entry: RequesterEntry): Verdict {
    const requester = this.#requester;
    switch (entry.kind) {
      case 'response':
        return nothing;
      case 'call':
        entry.apply(state);
        return nothing;
      case 'sent':
        return sendPacket(requester, this.#tables, state, entry.packet, entry.t);
      case 'completion':
        return { order: undefined, ...completeSend(requester, this.#tables, state, entry.wc, entry.t) };
      case 'path':
        return { order: undefined, ...announcePath(this.#tables, state, entry.type) };
    }
  }

  /** What the rules say to an event that no way explains, on each way of looking at responses before it; the likeliest first. */
  tries(
    ways: readonly RequesterState[],
    entry: RequesterEntry,
    lastResponse: LastResponse | undefined,
  ): Tried[] {
    const tried: Tried[] = [];
    const attempt = (state: RequesterState): void => {
      const after = state.clone();
      after.lastResponse = lastResponse;
      const verdict = this.take(after, entry);
      after.lastResponse = undefined;
      after.note(verdict.rules);
      tried.push({ after, verdict });
    };
    const likeliest = this.likeliest(ways);
    this.#explore(ways, entry, (state) => {
      attempt(state);
      return false;
    });
    attempt(likeliest);
    return tried.toReversed();
  }

  /** All ways with every response looked at. */
  caughtUp(ways: readonly RequesterState[]): RequesterState[] | 'too many' {
    const after: RequesterState[] = [];
    const tooMany = this.#explore(ways, undefined, (state) => {
      // where nothing is known of the response time, even infinitely late is in time
      if (state.arrivals.length === 0) after.push(state.clone());
      return false;
    });
    return tooMany || after.length > stateLimit ? 'too many' : merged(after);
  }

  /** The likeliest of the ways, with every response looked at. */
  likeliest(ways: readonly RequesterState[]): RequesterState {
    const [first] = ways;
    if (first === undefined) throw new RangeError('no way is left');
    const state = first.clone();
    for (let [arrival] = state.arrivals; arrival !== undefined; [arrival] = state.arrivals) {
      const [course] = transitionsFor(this.#requester, this.#tables, state, arrival);
      look(state, course);
    }
    return state;
  }

  /**
   * Visits the ways, and those that come of them when the device looks at one more response, two more, and so on; what
   * arrived longer ago than an answer may take has been looked at. A visit that gives true leaves for later what can be
   * looked at later as well. Gives whether there were too many.
   */
  #explore(
    ways: readonly RequesterState[],
    entry: RequesterEntry | undefined,
    visit: (state: RequesterState) => boolean,
  ): boolean {
    const now = entry?.t ?? Number.POSITIVE_INFINITY;
    const most = Math.max(...ways.map(({ arrivals }) => arrivals.length));
    const byArrivals: RequesterState[][] = Array.from({ length: most + 1 }, () => []);
    for (const way of ways) byArrivals[way.arrivals.length]?.push(way);
    this.#work.begin();
    for (let left = most; left >= 0; left--) {
      const states = merged(byArrivals[left] ?? []);
      for (const state of states) {
        if (!this.#work.spend(state.arrivals.length)) return true;
        const [arrival] = state.arrivals;
        if (arrival === undefined) {
          visit(state);
          continue;
        }
        const courses = transitionsFor(this.#requester, this.#tables, state, arrival);
        const [course] = courses;
        const only = courses.length === 1 ? course?.effect : undefined;
        const plain = only === 'progress' && state.arrivals.every((a) => answersSent(state, a));
        const late = runningTime(this.#requester, arrival.t, now) > this.#requester.timing.responseTime;
        const idle = only === 'nothing' && !mayCount(state, arrival, entry);
        if (!idle && !late && visit(state) && plain) continue;
        for (const each of courses) {
          const after = state.clone();
          look(after, each);
          byArrivals[left - 1]?.push(after);
        }
      }
    }
    return false;
  }
}

/** Whether a response that is nothing to the requester now may be something to it after the event. */
function mayCount({ end }: RequesterState, { packet }: Arrival, entry: RequesterEntry | undefined): boolean {
  return entry?.kind === 'call' || (entry?.kind === 'sent' && psnDiff(packet.psn, end) >= 0);
}

/** Whether the response says the same whatever is sent for the first time before it is looked at. */
function answersSent({ end }: RequesterState, { packet }: Arrival): boolean {
  if (psnDiff(packet.psn, end) >= 0) return false;
  const { kind } = answerOf(packet);
  return kind === 'ack' || kind === 'read-response' || kind === 'atomic-ack';
}

function look(state: RequesterState, course: Course | undefined): void {
  state.arrivals = state.arrivals.slice(1);
  if (course === undefined) return;
  state.note(course.rules);
  course.apply(state);
}

/** Whether what the device did comes to the same before and after it looks at a response that only makes progress. */
function goesOn(state: RequesterState, entry: RequesterEntry): boolean {
  switch (entry.kind) {
    case 'sent':
      return (
        state.cursor === state.end &&
        entry.packet.psn === state.end &&
        state.causes.length === 0 &&
        psnDiff(state.una, state.end) <= 0
      );
    case 'completion':
      return entry.wc.status === 'IBV_WC_SUCCESS';
    case 'response':
    case 'call':
    case 'path':
      return false;
  }
}

/** One of each set of ways that go on alike; it may do what any of them may. */
export function merged(states: RequesterState[]): RequesterState[] {
  if (states.length < 2) return states;
  const byKey = new Map<string, RequesterState>();
  for (const state of states) {
    const key = state.key();
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, state);
    else known.absorb(state);
  }
  return [...byKey.values()];
}
