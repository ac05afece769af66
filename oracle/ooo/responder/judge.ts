import type { Wc } from '../../../spec/verbs.ts';
import type { Packet } from '../../../wire/packet.ts';
import type { Qp } from '../../device/qp.ts';
import { demanding } from '../../rulebook/outcome.ts';
import type { When } from '../../spot.ts';
import type { OooDevice } from '../device.ts';
import type { OooBook } from '../tables.ts';
import { Arrivals } from './arrivals.ts';
import type { OooResponderContext } from './context.ts';
import { Executions } from './executions.ts';
import { Intake } from './intake.ts';
import { OwedReplies, owedWords } from './pending.ts';
import { ReceiveCompletions } from './receives.ts';
import { Replies } from './replies.ts';
import { Turns } from './turns.ts';

/**
 * Judges what an out-of-order QP does as responder. It places packets as they come, which leaves one way to follow; where the
 * documents leave faults to RC, it is not followed further.
 */
export class OutOfOrderResponder {
  readonly context: OooResponderContext;
  lost = false;
  /** packets have come since the device last had time to settle */
  unsettled = false;
  readonly #replies: Replies;
  readonly #executions: Executions;
  readonly #receives: ReceiveCompletions;
  readonly #intake: Intake;

  constructor(qp: Qp, device: OooDevice, book: OooBook) {
    const context = {
      qp,
      device,
      book,
      owed: new OwedReplies(),
      firstReceive: 0,
      arrivals: new Arrivals(0),
      dropped: [],
      failed: false,
      leave: (why: string): void => {
        book.skip(why);
        this.lost = true;
      },
    };
    this.context = context;
    this.#executions = new Executions(context);
    this.#replies = new Replies(context, this.#executions);
    this.#receives = new ReceiveCompletions(context);
    const turns = new Turns(context, this.#executions, this.#receives);
    this.#intake = new Intake(context, this.#executions, this.#receives, turns);
  }

  /** Whether any packet has come since it began. */
  get reached(): boolean {
    const { next, window } = this.context.arrivals;
    return next > 0 || window.size > 0;
  }

  /** The QP begins anew: this PSN is expected. */
  start(psn: number): void {
    const { context } = this;
    context.arrivals = new Arrivals(psn);
    context.owed.forget();
    context.dropped = [];
    context.device.placements.beginAnew(context.qp.memory.regions.values());
    context.failed = false;
    this.#executions.forget();
    this.#receives.forget();
  }

  packet(packet: Packet, when: When): void {
    if (this.lost || this.context.failed) return;
    this.unsettled = true;
    this.#intake.packet(packet, when);
  }

  /** A response that the device sent. */
  replied(packet: Packet, when: When): void {
    if (this.lost) return;
    if (!this.#replies.judge(packet, when)) this.lost = true;
  }

  completion(wc: Wc, when: When): void {
    if (this.lost) return;
    const { failed, qp } = this.context;
    if (failed) this.#receives.refused(wc, when);
    // what else becomes of the receive queue of a QP in ERR is told by the rules of flushes
    if (failed || qp.state === 'ERR') return;
    if (wc.status !== 'IBV_WC_SUCCESS' || !this.#receives.judge(wc, when)) this.lost = true;
  }

  /** Everything due has had its time. */
  settle(t: number): void {
    if (this.lost) return;
    const { book, owed, qp, failed } = this.context;
    if (qp.state === 'ERR' && !failed) return;
    const missing = owed.settle() ?? this.#executions.settle();
    if (missing !== undefined) {
      book.violate(missing.rule, { event: missing.event, t }, owedWords(missing), 'nothing');
      this.lost = true;
      return;
    }
    if (failed) this.#receives.settleRefused(t);
    else if (!this.#receives.settle(t)) this.lost = true;
    if (this.unsettled) this.#restrained();
    this.unsettled = false;
  }

  /** What has not come decides as well. */
  #restrained(): void {
    const { book } = this.context;
    book.decide('responder-answer', { answered: 'unasked' });
    book.decide('responder-completion', { placedCompletion: 'undue' });
    const naks = book.ask('responder-response', { placedReply: 'sequence-nak' });
    const unasked = demanding(naks, 'mustAnswer', 'request');
    if (unasked !== undefined) book.exercise([unasked]);
  }

  loseSight(why: string): void {
    if (this.lost) return;
    this.context.book.doubt(why);
    this.lost = true;
  }
}
