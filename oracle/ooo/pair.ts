import type { Wc } from '../../spec/verbs.ts';
import type { QpChange } from '../device/listener.ts';
import { changesReception } from '../device/packet/reception.ts';
import { isOfSendQueue } from '../device/queues/of-send-queue.ts';
import type { Qp } from '../device/qp.ts';
import type { When } from '../spot.ts';
import type { OooDevice } from './device.ts';
import { OutOfOrderRequester } from './requester/judge.ts';
import { OutOfOrderResponder } from './responder/judge.ts';
import type { OooBook } from './registers.ts';

/** Both roles of one out-of-order QP. */
export class OutOfOrderPair {
  readonly qp: Qp;
  readonly responder: OutOfOrderResponder;
  readonly requester: OutOfOrderRequester;

  constructor(qp: Qp, device: OooDevice, book: OooBook) {
    this.qp = qp;
    this.responder = new OutOfOrderResponder(qp, device, book);
    this.requester = new OutOfOrderRequester(qp, device, book);
  }

  /** What it did to memory is not known, or not yet. */
  get unsure(): boolean {
    const { requester, responder } = this;
    return responder.lost || responder.unsettled || requester.lost;
  }

  loseSight(why: string): void {
    this.responder.loseSight(why);
    this.requester.loseSight(why);
  }

  /** The link has gone down. */
  withoutLink(): void {
    const { responder, requester } = this;
    const why = 'the link was down';
    if (responder.unsettled) responder.loseSight(why);
    if (requester.busy) requester.loseSight(why);
  }

  settle(when: When): void {
    this.responder.settle(when.t);
    this.requester.settle(when);
  }

  completion(wc: Wc, cq: number, when: When): void {
    const { qp, requester, responder } = this;
    if (!isOfSendQueue(qp, wc, cq, (wrId) => requester.has(wrId))) return responder.completion(wc, when);
    requester.completion(wc, when);
    if (requester.failed) responder.requesterFailed();
  }

  modified(change: QpChange): void {
    const { attr, to } = change;
    const { qp, responder, requester } = this;
    if (to !== undefined) requester.enters(to);
    if (responder.unsettled && changesReception(change))
      responder.loseSight('modify_qp while packets were under way');
    if (requester.unsettled && to !== undefined)
      requester.loseSight('modify_qp while packets were under way');
    if (to === 'SQD') requester.leaveOut('out-of-order QPs in SQD');
    if (attr.alt_ah_attr !== undefined) requester.leaveOut('alternate paths of out-of-order QPs');
    if (to === 'RESET') {
      if (qp.srq === undefined) responder.reset();
      // which WQEs of an SRQ it had taken by then is not known
      else if (responder.reached) responder.loseSight('RESET of a QP on an SRQ');
    }
    if (attr.rq_psn !== undefined) responder.start(attr.rq_psn);
    if (attr.sq_psn !== undefined) requester.start(attr.sq_psn);
  }

  /** Software has written to memory, or `removed` a region. */
  memoryChanged(why: string, removed: boolean): void {
    const { responder, requester } = this;
    if (responder.unsettled) responder.loseSight(why);
    if (removed && requester.unsettled) requester.loseSight(why);
    else requester.written();
  }
}
