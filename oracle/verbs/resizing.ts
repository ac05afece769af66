import type { ObjectListener, QpChange, Resizing } from '../device/listener.ts';
import type { Cq, Qp } from '../device/qp.ts';
import type { CallSpan, When } from '../spot.ts';
import type { VerbsContext } from './context.ts';
import { owesCompletion, type WorkList } from './outstanding.ts';

/** Judges ibv_resize_cq, by the completions that a CQ surely holds. */
export class ResizeJudge implements ObjectListener {
  readonly #context: VerbsContext;
  /** when software put QPs into ERR that it has not taken out again */
  readonly #failedAt = new WeakMap<Qp, number>();

  constructor(context: VerbsContext) {
    this.#context = context;
  }

  modified(qp: Qp, { to, from }: QpChange, { t }: When): void {
    if (to === 'ERR' && from !== 'ERR') this.#failedAt.set(qp, t);
    else if (to !== undefined && to !== 'ERR') this.#failedAt.delete(qp);
  }

  cqResized(cq: Cq, resizing: Resizing, when: CallSpan): void {
    this.#context.completionQueues.resized(this.#context.ofCq(cq), resizing, this.#held(cq, when), when);
  }

  /** Completions that were surely in a CQ when a call began: of work that had its time to be flushed, and that software has not seen. */
  #held(cq: Cq, { start }: CallSpan): number {
    const { header, stalls } = this.#context;
    const { responseTime } = header.timing ?? { responseTime: Number.POSITIVE_INFINITY };
    const flushed = (list: WorkList, since: number): number =>
      list.all().filter((work) => {
        const from = Math.max(since, work.t);
        return owesCompletion(work) && start - from - stalls.between(from, start) >= responseTime;
      }).length;
    let held = 0;
    for (const qp of this.#context.on(cq)) {
      const since = this.#failedAt.get(qp.qp);
      if (since === undefined || qp.blind || qp.unsure || qp.inputs.cqError) continue;
      if (qp.sendCq.cq === cq) held += flushed(qp.sends, since);
      if (qp.receiveCq.cq === cq && qp.srq === undefined) held += flushed(qp.receives, since);
    }
    return held;
  }
}
