import type { Objects } from '../device/objects.ts';
import type { Qp } from '../device/qp.ts';
import type { ResponderJudge } from '../rc-responder/judge.ts';
import type { When } from '../spot.ts';
import type { ReliablePair } from './pair.ts';

/** The RC QPs of a device that are judged, each with both its roles. */
export class ReliablePairs {
  readonly #objects: Objects;
  readonly #pairs = new Map<Qp, ReliablePair>();
  /** of QPs that were destroyed, as long as it is not certain what they did to memory */
  #gone: ReliablePair[] = [];

  constructor(objects: Objects) {
    this.#objects = objects;
  }

  get all(): ReadonlyMap<Qp, ReliablePair> {
    return this.#pairs;
  }

  *responders(): Generator<ResponderJudge> {
    for (const { responder } of this.#pairs.values()) yield responder;
  }

  of(qp: Qp): ReliablePair | undefined {
    return this.#pairs.get(qp);
  }

  byNumber(qpNumber: number | undefined): ReliablePair | undefined {
    const qp = qpNumber === undefined ? undefined : this.#objects.byNumber(qpNumber);
    return qp && this.#pairs.get(qp);
  }

  add(pair: ReliablePair): void {
    this.#pairs.set(pair.qp, pair);
  }

  /** Those that may have written to memory: the living, and of the others those that matter. */
  get writers(): ReliablePair[] {
    return [...this.#pairs.values(), ...this.#gone];
  }

  /** The QP is destroyed; what was under way ends as with RESET. */
  remove(qp: Qp, when: When): void {
    const pair = this.#pairs.get(qp);
    if (pair === undefined) return;
    pair.modified({ attr: { qp_state: 'IBV_QPS_RESET' }, from: qp.state, to: 'RESET' }, when);
    this.#pairs.delete(qp);
    this.#gone.push(pair);
    this.#forget();
  }

  /** Everything due has had its time. */
  settle(t: number): void {
    for (const responder of this.responders()) responder.settle(t);
    for (const { responder } of this.#gone) responder.settle(t);
    for (const pair of this.writers) pair.settle(t);
    this.#forget();
  }

  #forget(): void {
    this.#gone = this.#gone.filter((pair) => pair.open || pair.writes);
  }

  /** Whether requests of a QP are unanswered; `undefined` where packets do not tell. */
  underWay(qp: Qp): boolean | undefined {
    return this.#pairs.get(qp)?.requester?.underWay;
  }

  /** The rate of a QP keeps it from sending until then. */
  hold(qp: Qp, from: number, until: number): void {
    const pair = this.#pairs.get(qp);
    pair?.requester?.requester.stalls.hold(from, until);
    pair?.responder.hold();
  }

  /** Calls that change more than the receive queue are judged only where no packet races with them. */
  raceEnds(what: string, pd: number): void {
    for (const { qp, responder } of this.all.values())
      if (qp.reaches(pd) && responder.unsettled) responder.loseSight(what);
  }
}
