import type { Qp } from '../device/qp.ts';
import type { RateState } from './dcqcn.ts';

/** A CNP that reached the device. */
export interface ArrivedCnp {
  t: number;
  event: number;
  /** the reaction point must take note of it */
  owed: boolean;
}

/** What is known of the rate limiter of one QP. Times in nanoseconds of the trace; `undefined`: there was none. */
export class Limiter {
  readonly qp: Qp;
  /** what the device said last; `undefined` where nothing is known */
  told: RateState | undefined;
  stage: 'idle' | 'limited' | 'at-line' = 'idle';
  /** sight was lost, or something was wrong: until the next cut nothing is known of counters and slots */
  unsure = false;
  /** CNPs that the reaction point has not said that it noted, oldest first */
  unnoted: ArrivedCnp[] = [];
  /** the oldest noted CNP since the last cut, which may call for one, and the newest */
  oldestUncut: { t: number; event: number } | undefined;
  newestUncut: number | undefined;
  started: number | undefined;
  lastCut: number | undefined;
  slotEnd: number | undefined;
  /** CNPs noted since the slot of alpha ended, that which started the limiter aside */
  cnpsInSlot = 0;
  /** the limiter was started in this slot */
  startedInSlot = false;
  timerEvents = 0;
  byteEvents = 0;
  increased = false;
  /** of the last cut or timer event */
  timerSince: number | undefined;
  /** of the last cut or increase of any kind */
  idleSince: number | undefined;
  /** bytes of whole frames since the last cut or increase by bytes */
  frameBytes = 0;
  /** bytes of payload since the last cut or increase of any kind */
  payloadBytes = 0;
  /** since when these are as many as the byte counter counts */
  bytesFull: number | undefined;

  constructor(qp: Qp, told: RateState | undefined) {
    this.qp = qp;
    this.told = told;
  }

  /** The first CNP, or one to a limiter that may have let go. */
  start(t: number): void {
    this.stage = 'limited';
    this.started = t;
    this.slotEnd = undefined;
    this.cnpsInSlot = 0;
    this.startedInSlot = true;
    this.timerSince = this.idleSince = undefined;
    if (this.lastCut === undefined) this.#resetCounters();
  }

  /** A cut begins the spans of timer and byte counter anew, and fast recovery. */
  cut(t: number): void {
    if (this.unsure) this.start(t);
    this.unsure = false;
    this.lastCut = t;
    this.oldestUncut = this.newestUncut = undefined;
    this.increased = false;
    this.timerSince = this.idleSince = t;
    this.#resetCounters();
  }

  #resetCounters(): void {
    this.timerEvents = this.byteEvents = 0;
    this.frameBytes = this.payloadBytes = 0;
    this.bytesFull = undefined;
  }

  get slotFact(): 'some' | 'none' | 'open' {
    if (this.cnpsInSlot > 0) return 'some';
    return this.startedInSlot ? 'open' : 'none';
  }
}
