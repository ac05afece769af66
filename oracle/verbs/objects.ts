import type { QpType } from '../../spec/verbs.ts';
import type { QpStateName } from '../device/qp-state.ts';
import { WorkList } from './outstanding.ts';

export type Service = 'RC' | 'UC' | 'UD';

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

/** A CQ as software knows it. */
export interface KnownCq {
  handle: number;
  entries: number;
  /** index in the trace of IBV_EVENT_CQ_ERR */
  lostAt: number | undefined;
  qps: Set<KnownVerbsQp>;
  /** completions seen at one moment of a virtual clock, and that moment */
  together: { t: number; count: number };
  /** completions seen since everything was last at rest */
  taken: number;
  /** that it overflowed without a word has been told */
  told: boolean;
}

/** An SRQ as software knows it. */
export interface KnownSrq {
  handle: number;
  size: number;
  maxSge: number;
  posted: WorkList;
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
  qps: Set<KnownVerbsQp>;
}

/** A queue pair as software knows it. */
export class KnownVerbsQp {
  readonly handle: number;
  readonly number: number;
  readonly name: string;
  readonly service: Service;
  readonly pd: number;
  readonly sendCq: KnownCq;
  readonly receiveCq: KnownCq;
  readonly srq: KnownSrq | undefined;
  readonly most: { send: number; receive: number; sendSge: number; receiveSge: number; inline: number };
  readonly signalAll: boolean;
  readonly sends: WorkList;
  readonly receives: WorkList;
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
  /** it may hold a WQE of its SRQ for each message of which a packet came early */
  outOfOrder = false;
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

  constructor(of: {
    handle: number;
    number: number;
    type: Service;
    pd: number;
    sendCq: KnownCq;
    receiveCq: KnownCq;
    srq: KnownSrq | undefined;
    most: KnownVerbsQp['most'];
    signalAll: boolean;
  }) {
    this.handle = of.handle;
    this.number = of.number;
    this.name = `qp 0x${of.number.toString(16).padStart(6, '0')}`;
    this.service = of.type;
    this.pd = of.pd;
    this.sendCq = of.sendCq;
    this.receiveCq = of.receiveCq;
    this.srq = of.srq;
    this.most = of.most;
    this.signalAll = of.signalAll;
    this.sends = new WorkList(of.most.send);
    this.receives = new WorkList(of.most.receive);
    of.sendCq.qps.add(this);
    of.receiveCq.qps.add(this);
    of.srq?.qps.add(this);
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

/** Service of a type of QP; `undefined`: none that the verbs of this project know. */
export function serviceOf(type: QpType): Service | undefined {
  switch (type) {
    case 'IBV_QPT_RC':
      return 'RC';
    case 'IBV_QPT_UC':
      return 'UC';
    case 'IBV_QPT_UD':
      return 'UD';
    case 'IBV_QPT_XRC_SEND':
    case 'IBV_QPT_XRC_RECV':
      return undefined;
  }
}
