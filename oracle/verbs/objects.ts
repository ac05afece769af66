import type { QpStateName } from '../device/qp-state.ts';
import type { Cq, Qp, Service, Srq } from '../device/qp.ts';
import { WorkList } from './outstanding.ts';

export type Happened =
  | 'nothing'
  | 'refused-post'
  | 'flushed-post'
  | 'port-error'
  | 'aborted'
  | 'failed-send'
  | 'failed-receive'
  | 'fatal-event';

const gravity: Readonly<Record<Happened, number>> = {
  nothing: 0,
  'refused-post': 1,
  'flushed-post': 2,
  'port-error': 3,
  aborted: 4,
  'failed-send': 5,
  'failed-receive': 6,
  'fatal-event': 7,
};

/** What is known of a CQ besides what software made it. */
export interface KnownCq {
  readonly cq: Cq;
  /** index in the trace of IBV_EVENT_CQ_ERR */
  lostAt: number | undefined;
  /** completions seen at one moment of a virtual clock, and that moment */
  together: { t: number; count: number };
  /** completions seen since everything was last at rest */
  taken: number;
  /** that it overflowed without a word has been told */
  told: boolean;
}

export function knownCq(cq: Cq): KnownCq {
  return { cq, lostAt: undefined, together: { t: -1, count: 0 }, taken: 0, told: false };
}

/** What is known of an SRQ besides what software made it. */
export interface KnownSrq {
  readonly srq: Srq;
  readonly posted: WorkList;
  /** limit armed; 0: none */
  limit: number;
  standing: 'unset' | 'armed' | 'raised' | 'open';
  /** the WQEs may have been below the limit when it was armed */
  armedBelow: boolean;
  /** limit whose event has come, until completions show why; 0: none */
  raisedAt: number;
  /** the WQEs have been below the limit since it was armed */
  fell: boolean;
  /** index of the event in the trace that armed it or made it fall */
  cause: number;
}

export function knownSrq(srq: Srq): KnownSrq {
  return {
    srq,
    posted: new WorkList(srq.size),
    limit: 0,
    // some devices take a limit when an SRQ is made, others do not look at it
    standing: srq.limitedAtFirst ? 'open' : 'unset',
    armedBelow: false,
    raisedAt: 0,
    fell: false,
    cause: 0,
  };
}

/** What is known of a queue pair through its verbs, besides what software made and set. */
export class KnownQp {
  readonly qp: Qp;
  readonly service: Service;
  readonly sendCq: KnownCq;
  readonly receiveCq: KnownCq;
  readonly srq: KnownSrq | undefined;
  readonly sends: WorkList;
  readonly receives: WorkList;
  /** as software asked for it, or completions, events and queries tell */
  state: QpStateName = 'RESET';
  /** it may be in another state by now, which nothing seen tells */
  unsure = false;
  happened: Happened = 'nothing';
  /** index of the event that `happened` */
  happenedAt = 0;
  /** packets to the QP since everything was last at rest, and whether there ever was one in this life */
  arrived = 0;
  everArrived = false;
  /** index of the newest packet to it */
  newestArrival = -1;
  /** send work was begun since everything was last at rest */
  busy = false;
  /** receive completions with success in this life */
  received = 0;
  /** flushes seen whose cause has not been seen yet */
  uncaused: { event: number; t: number; queue: 'send' | 'receive' | 'shared' }[] = [];
  /** flushes of WQEs of the SRQ since the QP went to ERR */
  sharedFlushes = 0;
  /** work request ids that were outstanding when the QP was last reset */
  leftover = new Set<number>();
  drain: 'not-asked' | 'asked' | 'told' = 'not-asked';
  lastWqe: 'none' | 'due' | 'told' = 'none';
  /** index of what put the QP into its state */
  stateAt = 0;
  /** IBV_EVENT_COMM_EST since the QP came to RTR */
  established = false;
  /** messages received in RTR since everything was last at rest */
  receivedInRtr = false;
  /** IBV_EVENT_QP_LAST_WQE_REACHED came before the failure that it follows was seen */
  earlyLastWqe: { event: number; t: number } | undefined;
  fatal: 'none' | 'due' | 'told' = 'none';
  /** something was not seen, so that nothing can be owed */
  blind = false;

  constructor(
    qp: Qp,
    service: Service,
    { sendCq, receiveCq, srq }: Pick<KnownQp, 'sendCq' | 'receiveCq' | 'srq'>,
  ) {
    this.qp = qp;
    this.service = service;
    this.sendCq = sendCq;
    this.receiveCq = receiveCq;
    this.srq = srq;
    this.sends = new WorkList(qp.most.send);
    this.receives = new WorkList(qp.most.receive);
  }

  get name(): string {
    return this.qp.name;
  }

  /** Remembers the gravest of what has happened. */
  happens(what: Happened, event: number): void {
    if (gravity[what] <= gravity[this.happened]) return;
    this.happened = what;
    this.happenedAt = event;
  }

  /** The state is known anew. */
  enter(state: QpStateName, event: number): void {
    if (state !== this.state) this.stateAt = event;
    this.state = state;
  }

  get cqLost(): boolean {
    return this.sendCq.lostAt !== undefined || this.receiveCq.lostAt !== undefined;
  }

  get failed(): boolean {
    return this.state === 'ERR' || this.state === 'SQE';
  }
}
