import type { Wc } from '../../../spec/verbs.ts';
import type { Packet } from '../../../wire/packet.ts';
import type { Qp } from '../../device/qp.ts';
import { demanding } from '../../rulebook/outcome.ts';
import type { When } from '../../spot.ts';
import type { OooDevice } from '../device.ts';
import { OooRegisters } from '../registers.ts';
import type { OooBook } from '../registers.ts';
import { Arrivals } from './arrivals.ts';
import type { OooResponderContext } from './context.ts';
import { Executions } from './executions.ts';
import { Intake } from './intake.ts';
import { PendingReplies, pendingWords } from './pending.ts';
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
  /** since then, its rate may have kept responses back */
  #held = false;
  readonly #replies: Replies;
  readonly #executions: Executions;
  readonly #receives: ReceiveCompletions;
  readonly #intake: Intake;

  constructor(qp: Qp, device: OooDevice, book: OooBook) {
    const registers = new OooRegisters(device.rules);
    const context = {
      qp,
      device,
      book,
      pending: new PendingReplies(),
      registers,
      arrivals: new Arrivals(registers),
      dropped: [],
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

  /** Whether any packet may have taken a receive WQE since it began. */
  get reached(): boolean {
    return this.context.arrivals.any || this.context.registers.faulted;
  }

  /** The QP begins anew: this PSN is expected. */
  start(psn: number): void {
    const { context } = this;
    context.registers.do('receives', { call: { psn } });
    context.arrivals = new Arrivals(context.registers);
    context.pending.forget();
    context.dropped = [];
    context.device.placements.beginAnew(context.qp.memory.regions.values());
    this.#executions.forget();
    this.#receives.forget();
  }

  /** ibv_modify_qp to RESET forgets the WQEs of the QP's own receive queue. */
  reset(): void {
    const { registers, qp } = this.context;
    registers.do('forgetsReceives', { queue: qp.posted });
  }

  /** The rate of the QP may keep responses from leaving. */
  hold(): void {
    this.#held = true;
  }

  /** What fails the requester fails the QP; what its rate keeps back then leaves or not. */
  requesterFailed(): void {
    if (this.#held && this.unsettled) this.loseSight('failure of a QP whose rate kept responses back');
    this.context.registers.do('requesterFailed', {});
  }

  packet(packet: Packet, when: When): void {
    if (this.lost || this.context.registers.faulted) return;
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
    const { registers, qp } = this.context;
    const failed = registers.faulted;
    if (failed) this.#receives.refused(wc, when);
    // the rules of flushes judge what else becomes of the receive queue of a QP in ERR
    if (failed || qp.state === 'ERR') return;
    if (wc.status !== 'IBV_WC_SUCCESS' || !this.#receives.judge(wc, when)) this.lost = true;
  }

  /** Everything due has had its time. */
  settle(t: number): void {
    this.#held = false;
    if (this.lost) return;
    const { book, pending, qp, registers } = this.context;
    const failed = registers.faulted;
    if (qp.state === 'ERR' && !failed) return;
    const missing = pending.settle() ?? this.#executions.settle();
    if (missing !== undefined) {
      book.violate(missing.rule, { event: missing.event, t }, pendingWords(missing), 'nothing');
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
    book.decide('responder-answer', { answered: 'unasked', olderReads: 'answered' });
    book.decide('responder-completion', { arrivedMessage: 'none' });
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
