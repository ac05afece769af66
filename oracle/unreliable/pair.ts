import type { Wc } from '../../spec/verbs.ts';
import type { QpChange } from '../device/listener.ts';
import { changesReception } from '../device/packet/reception.ts';
import { isOfSendQueue } from '../device/queues/of-send-queue.ts';
import type { When } from '../spot.ts';
import type { UnreliableQp } from './qp.ts';
import { UnreliableReceiver } from './receiving/receiver.ts';
import { UnreliableSender } from './sending/sender.ts';
import type { Lateness } from './sending/sender.ts';
import type { UnreliableBook } from './tables.ts';

/** Both sides of one UC or UD QP. */
export class UnreliablePair {
  readonly qp: UnreliableQp;
  readonly receiver: UnreliableReceiver;
  readonly sender: UnreliableSender;

  constructor(qp: UnreliableQp, book: UnreliableBook, lateness: Lateness) {
    this.qp = qp;
    this.receiver = new UnreliableReceiver(qp, book);
    this.sender = new UnreliableSender(qp, book, lateness);
  }

  /** Whether something that it did to memory is not known, or may still turn out to be otherwise. */
  get writes(): boolean {
    const { receiver } = this;
    return (
      receiver.lost || receiver.unsettled || receiver.ways.all.some(({ memory }) => memory !== undefined)
    );
  }

  loseSight(why: string): void {
    this.receiver.loseSight(why);
    this.sender.loseSight(why);
  }

  /** What came before the link went down may have got in or not, and what is to be sent without one may be lost or wait. */
  changeLink(up: boolean): void {
    const { receiver, sender } = this;
    sender.linked = up;
    if (up) return;
    if (receiver.unsettled) receiver.loseSight('the link was down');
    if (sender.busy) sender.darken();
  }

  settle(t: number): void {
    const { receiver, sender } = this;
    receiver.settle(t);
    sender.settle(receiver.lost || receiver.mayHaveFailed, t);
  }

  completion(wc: Wc, cq: number, when: When): void {
    const { qp, receiver, sender } = this;
    if (!isOfSendQueue(qp, wc, cq, (wrId) => sender.has(wrId))) {
      const open = qp.srq?.posted.openAt(wc.wr_id, when.event);
      qp.srq?.posted.completed(wc.wr_id, when.event);
      return receiver.completion({ wc, open }, when);
    }
    sender.completion(wc, when);
    if (sender.sending.qpState === 'SQE') receiver.step('sendQueueFailed');
  }

  modified(change: QpChange, when: When): void {
    const { attr, to } = change;
    const { qp, receiver, sender } = this;
    if (to === 'ERR' || to === 'RESET') receiver.stopped(to);
    else if (receiver.underWay && changesReception(change))
      receiver.loseSight('modify_qp while packets were under way');
    if (attr.alt_ah_attr !== undefined) receiver.loseSight('an alternate path of a UC QP');
    const { rq_psn, sq_psn } = attr;
    const inputs = { qp, onSrq: qp.srq !== undefined, attr: { rq_psn, sq_psn, qp_state: to } };
    receiver.step('modified', inputs);
    if (to === 'RESET') receiver.ways.change((state) => state.forget());
    sender.modified(inputs, when);
  }
}
