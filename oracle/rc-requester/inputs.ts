import { psnDiff } from '../../wire/psn.ts';
import { endOf } from '../device/send-queue.ts';
import type { WorkItem } from '../device/send-queue.ts';
import type { QpStateName } from '../device/qp-state.ts';
import type { Requester } from './requester.ts';
import { earliestDeparture, oldest, runningTime, timeoutInUse } from './requester.ts';
import type { Cause, RequesterState } from './state.ts';
import type { RcRequesterInputs } from './variables.ts';
import { acknowledgedWork } from './words/acknowledged-work.ts';
import { readsBefore } from './words/reads-before.ts';

/** What is known of an event besides the state of the requester. */
export interface EventParts {
  packet?: { psn: number; ackReq: boolean };
  /** the work request of the packet or completion */
  work?: WorkItem | undefined;
  /** the packet is one that the device sent */
  sent?: boolean;
  cause?: Cause;
  response?: Pick<RcRequesterInputs['response'], 'acknowledges' | 'resume' | 'gap'>;
  nak?: { since: number; wait: number };
  call?: { to: QpStateName | undefined; sqPsn: number | undefined; counters: boolean };
}

/**
 * What the expressions of the machine may ask of one event in one state. It is worked out when they ask; RangeError where the
 * event has nothing of the kind.
 */
export class RequesterEvent implements RcRequesterInputs {
  readonly #requester: Requester;
  readonly #state: RequesterState;
  readonly #parts: EventParts;
  #work: RcRequesterInputs['work'] | undefined;
  readonly now: number;

  constructor(requester: Requester, state: RequesterState, now: number, parts: EventParts = {}) {
    this.#requester = requester;
    this.#state = state;
    this.#parts = parts;
    this.now = now;
  }

  #part<Name extends keyof EventParts>(name: Name): NonNullable<EventParts[Name]> {
    const part = this.#parts[name];
    if (part === undefined || part === null) throw new RangeError(`the event has no ${name}`);
    return part;
  }

  /** A packet left no earlier than the recorder allows for, nor before its work request was posted. */
  get earliest(): number {
    const { sent, work } = this.#parts;
    return sent === true ? Math.max(earliestDeparture(this.#requester, this.now), work?.t ?? 0) : this.now;
  }

  get slack(): number {
    return this.#requester.timing.responseTime;
  }

  readonly ran = (since: number): number => runningTime(this.#requester, since, this.now);

  get packet(): RcRequesterInputs['packet'] {
    return this.#part('packet');
  }

  get attr(): RcRequesterInputs['attr'] {
    const { retryCnt, rnrRetry, maxRdAtomic } = this.#requester.attributes;
    return { retry_cnt: retryCnt, rnr_retry: rnrRetry, max_rd_atomic: maxRdAtomic };
  }

  get call(): RcRequesterInputs['call'] {
    const { to, sqPsn, counters } = this.#part('call');
    return { qp_state: to, sq_psn: sqPsn ?? -1, counters };
  }

  get path(): RcRequesterInputs['path'] {
    const { migration } = this.#state;
    return { timeout: timeoutInUse(this.#requester, this.#state), state: migration.pathState };
  }

  get device(): RcRequesterInputs['device'] {
    const { minTimeout, stalls } = this.#requester;
    return { minTimeout, ran: this.ran(0), held: stalls.holdsAt(this.now) };
  }

  get queue(): RcRequesterInputs['queue'] {
    return this.#requester.work;
  }

  // several facts of one table ask for it
  get work(): RcRequesterInputs['work'] {
    return (this.#work ??= this.#workOf(this.#parts.work));
  }

  #workOf(work: WorkItem | undefined): RcRequesterInputs['work'] {
    if (work === undefined) return noWork;
    const { index, kind, psn, signaled, fenced } = work;
    const [requester, state] = [this.#requester, this.#state];
    return {
      index,
      kind,
      psn,
      end: endOf(work),
      signaled,
      fenced,
      get readsBefore() {
        return readsBefore(requester, state, work).length;
      },
    };
  }

  get oldest(): RcRequesterInputs['oldest'] {
    const item = oldest(this.#requester, this.#state);
    if (item === undefined) return { psn: this.#state.end, end: -1, reads: false };
    return { psn: item.psn, end: endOf(item), reads: item.kind === 'read' || item.kind === 'atomic' };
  }

  get response(): RcRequesterInputs['response'] {
    const { acknowledges, resume, gap } = this.#part('response');
    const [requester, state] = [this.#requester, this.#state];
    const upTo = (): number => state.machine.acknowledged(this, state);
    return {
      acknowledges,
      resume,
      gap,
      get head() {
        return acknowledgedWork(requester, state, upTo());
      },
      get answersNak() {
        return state.causes.some(({ psn }) => psnDiff(psn, upTo()) < 0);
      },
    };
  }

  get cause(): Cause {
    return this.#part('cause');
  }

  get nak(): RcRequesterInputs['nak'] {
    const { since, wait } = this.#part('nak');
    return { since, wait, ran: this.ran(since) };
  }

  get pending(): RcRequesterInputs['pending'] {
    const { causes, machine } = this.#state;
    if (causes.length === 0) return nothingPending;
    const rnr = causes.filter(({ cause }) => cause === 'rnr-nak');
    const from = (): number => machine.resumesAt(this, this.#state);
    const { cause } = this.#parts;
    return {
      rnr: rnr.length > 0,
      get rnrBefore() {
        return rnr.some(({ psn }) => psnDiff(psn, from()) <= 0);
      },
      get same() {
        return causes.some((known) => known.cause === cause && known.psn === from());
      },
    };
  }
}

const nothingPending: RcRequesterInputs['pending'] = { rnr: false, rnrBefore: false, same: false };

/** No work request has the packet's PSN, or the completion's id. */
const noWork: RcRequesterInputs['work'] = {
  index: -1,
  kind: 'send',
  psn: 0,
  end: 0,
  signaled: false,
  fenced: false,
  readsBefore: 0,
};
