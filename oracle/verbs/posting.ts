import type { RecvWr, SendWr } from '../../spec/verbs.ts';
import type { ObjectListener, RefusedList, RefusedPost } from '../device/listener.ts';
import { workKind, type PostedSend } from '../device/queues/posted-send.ts';
import type { Qp, Srq } from '../device/qp.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import type { When } from '../spot.ts';
import type { SrqJudge } from '../srq/judge.ts';
import type { VerbsContext } from './context.ts';
import { callInputs, eventInputs, workInputs, type VerbsEvent } from './inputs.ts';
import { listRefused, listTaken } from './lists.ts';
import type { KnownQp, KnownSrq } from './objects.ts';
import { newWork, sendFaults, takenIn, type Becomes, type VerbsWork } from './outstanding.ts';
import { askWorkRequest, faultBehind, regionsOf } from './send-fault.ts';
import type { VerbsInputs } from './variables.ts';

const ENOMEM = 12;

/** A send queue as the machine asks for it. */
class SendQueueInputs implements Readonly<VerbsInputs['queue']> {
  readonly posted: number;
  readonly forgetful: boolean;
  readonly size: number;
  readonly maxSge: number;
  readonly reported: boolean;
  readonly #waiting: () => number;

  constructor({ sends, qp: { most, roomReported } }: KnownQp, waiting: () => number) {
    this.posted = sends.length;
    this.forgetful = sends.forgetful;
    this.size = most.send;
    this.maxSge = most.sendSge;
    this.reported = roomReported;
    this.#waiting = waiting;
  }

  /** It is asked for only where the queue may be full. */
  get waiting(): number {
    return this.#waiting();
  }
}

/** Judges whether posting succeeds, and records what was posted. `errno`: the call failed with it. */
export class PostingJudge implements ObjectListener {
  readonly #context: VerbsContext;
  readonly #srqs: SrqJudge;

  constructor(context: VerbsContext, srqs: SrqJudge) {
    this.#context = context;
    this.#srqs = srqs;
  }

  sendPosted(qp: Qp, { wr }: PostedSend, when: When, listed: boolean): void {
    this.#send(this.#context.of(qp), wr, when, undefined, listed);
  }

  localPosted(qp: Qp, wr: SendWr, when: When, listed: boolean): void {
    this.#send(this.#context.of(qp), wr, when, undefined, listed);
  }

  receivePosted(qp: Qp, wr: RecvWr, when: When, listed: boolean): void {
    this.#receive(this.#context.of(qp), wr, when, undefined, listed);
  }

  sharedPosted(srq: Srq, wr: RecvWr, when: When, listed: boolean): void {
    this.#shared(this.#context.ofSrq(srq), wr, when, undefined, listed);
  }

  listRefused(post: RefusedPost, list: RefusedList, when: When): void {
    listRefused(this.#context, post, list, when);
  }

  postRefused(post: RefusedPost, errno: number, when: When): void {
    switch (post.queue) {
      case 'send':
        return this.#send(this.#context.of(post.qp), post.wr, when, errno);
      case 'receive':
        return this.#receive(this.#context.of(post.qp), post.wr, when, errno);
      case 'shared':
        return this.#shared(this.#context.ofSrq(post.srq), post.wr, when, errno);
    }
  }

  #send(qp: KnownQp | undefined, wr: SendWr, when: When, errno: number | undefined, listed = false): void {
    this.#context.sight.traffic = true;
    if (qp === undefined) return;
    const { rules, objects } = this.#context;
    const { signalsAll } = qp.qp;
    const inputs = this.#context.event(qp);
    askWorkRequest(this.#context, qp, wr, inputs);
    inputs.queue = new SendQueueInputs(qp, () => this.#waiting(qp, when));
    inputs.work = workInputs('send');
    this.#judge('post-send', 'ibv_post_send', qp, inputs, when, errno);
    const found = rules.machine.word('sendFault')(inputs, qp);
    const fault = sendFaults.find((word) => word === found) ?? 'none';
    if (errno !== undefined) return this.#refusedBeyond(qp, fault);
    if (listed) listTaken(this.#context, qp);
    const regions = fault === 'none' ? regionsOf(wr.sg_list, objects.memory) : [];
    const signaled = signalsAll || wr.send_flags?.includes('IBV_SEND_SIGNALED') === true;
    qp.sends.add({
      ...newWork(wr.wr_id, qp.qpState, this.#becomes('post-send', qp), when, listed),
      signaled,
      quiet: !signaled && workKind(wr) === 'internal',
      fault,
      places: rules.machine.flag('places')(inputs, qp),
      foreign: rules.machine.flag('bindsForeign')(inputs, qp),
      waits: qp.service === 'RC' && faultBehind(qp.qp.pmtu, this.#context, qp, wr),
      regions,
    });
    qp.step('sendPosted', when);
  }

  /** What a QP has no room for is refused, so that it does not succeed. */
  #refusedBeyond(qp: KnownQp, fault: VerbsWork['fault']): void {
    const { book } = this.#context;
    if (fault !== 'elements' && fault !== 'inline') return;
    book.decide('send-fault', this.#context.work(qp, { ...workInputs('send'), fault }));
  }

  #receive(qp: KnownQp | undefined, wr: RecvWr, when: When, errno: number | undefined, listed = false): void {
    if (qp === undefined) return;
    const { most, roomReported: reported } = qp.qp;
    const { length: posted, forgetful } = qp.receives;
    const inputs = this.#context.event(qp);
    inputs.list = { elements: wr.sg_list.length, bytes: 0 };
    inputs.queue = { posted, waiting: 0, forgetful, size: most.receive, maxSge: most.receiveSge, reported };
    inputs.work = workInputs('receive');
    this.#judge('post-receive', 'ibv_post_recv', qp, inputs, when, errno);
    qp.triedUnused ||= qp.srq !== undefined;
    if (errno !== undefined) return;
    if (listed) listTaken(this.#context, qp);
    if (qp.srq !== undefined) return void qp.unused.add(wr.wr_id);
    const work = newWork(wr.wr_id, qp.qpState, this.#becomes('post-receive', qp), when, listed);
    qp.receives.add({ ...work, fault: elementsFault(wr, most.receiveSge, reported) });
    qp.step('receivePosted', when);
  }

  #shared(srq: KnownSrq, wr: RecvWr, when: When, errno: number | undefined, listed = false): void {
    this.#srqs.post(srq, wr, when, errno);
    if (errno !== undefined) return;
    if (listed) listTaken(this.#context, undefined);
    const { maxSge, roomReported } = srq.srq;
    const work = newWork(wr.wr_id, 'RTS', 'queued', when, listed);
    srq.posted.add({ ...work, fault: elementsFault(wr, maxSge, roomReported) });
  }

  /** What becomes of a work request that a QP in its state has taken. */
  #becomes(table: 'post-send' | 'post-receive', { qpState }: KnownQp): Becomes {
    const [rule] = this.#context.book.ask(table, { by: takenIn(qpState) });
    const word = ruleWord(rule, 'becomes');
    return word === 'held' || word === 'flushed' ? word : 'queued';
  }

  #judge(
    table: 'post-send' | 'post-receive',
    call: string,
    qp: KnownQp,
    inputs: VerbsEvent,
    when: When,
    errno: number | undefined,
  ): void {
    const { book } = this.#context;
    if (errno !== undefined) qp.step('postRefused', when);
    if (this.#context.flag('postOpen', qp)) return book.skip('posting to a QP that may have failed unseen');
    inputs.event = eventInputs(when);
    inputs.call = callInputs(errno);
    const met = this.#context.met(qp, inputs);
    const at = { ...when, qp: qp.name };
    book.ended(book.decide(table, met), met, { call: `${call} in ${qp.qpState}`, at, errno });
    if (errno === undefined) return;
    for (const rule of book.broken('post-refused', 'mustErrno', met))
      book.violate(rule, at, `${call} fails with errno ${ENOMEM} (ENOMEM)`, `errno ${errno}`);
  }

  /** Outstanding work requests that cannot have completed. */
  #waiting(qp: KnownQp, when: When): number {
    const event = eventInputs(when);
    const waits = this.#context.rules.machine.flag('waits');
    return qp.sends
      .all()
      .filter((work) => waits(this.#context.work(qp, workInputs('send', work), undefined, event).inputs, qp))
      .length;
  }
}

/** What is wrong with a receive work request whose queue has room for so many elements. */
function elementsFault({ sg_list: list }: RecvWr, most: number, reported: boolean): VerbsWork['fault'] {
  return reported && list.length > most ? 'elements' : 'none';
}
