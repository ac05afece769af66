import type { Wc } from '../../../spec/verbs.ts';
import { describe } from '../../../wire/index.ts';
import type { Packet } from '../../../wire/packet.ts';
import type { FormerLife } from '../../device/former-life.ts';
import type { PostedSend } from '../../device/queues/posted-send.ts';
import { kindOf, opcodeOf } from '../../device/queues/wc-kind.ts';
import { ruleWord } from '../../rulebook/outcome.ts';
import type { When } from '../../spot.ts';
import { unmetOf } from './demands.ts';
import type { UnreliableQp } from '../qp.ts';
import { UnreliableSendQueue } from './send-queue.ts';
import { SentPacket } from './sent-packet.ts';
import type { Around } from './sent-packet.ts';
import { settled } from './sent-rest.ts';
import type { UnreliableBook } from '../tables.ts';
import { UnreliableVariables } from '../variables.ts';
import type { UnreliableInputs, UnreliableStep } from '../variables.ts';
import { newWork, noWork } from './work.ts';
import type { Work } from './work.ts';

const isWhole = ({ sent, packets }: Work): boolean => sent === packets;

/** How packets may be seen late. */
export interface Lateness {
  /** one may be recorded after the completion of its work request, or that of a later one */
  readonly skewed: boolean;
  /** what may still leave the port of a life that RESET has ended */
  readonly former: FormerLife;
}

/**
 * Judges what a UC or UD QP sends: the packets of its work requests in order, each once, and success for each that has
 * been sent. Whether work requests that are faulty fail as they must is for others to say.
 */
export class UnreliableSender {
  readonly qp: UnreliableQp;
  lost = false;
  /** its port has a link */
  linked = true;
  /** something was to be sent without a link since everything was last at rest with one */
  #dark = false;
  readonly sending = new UnreliableVariables();
  readonly #book: UnreliableBook;
  readonly #skewed: boolean;
  readonly #former: FormerLife;
  readonly #queue: UnreliableSendQueue;
  #posted = false;
  #sent = false;

  constructor(qp: UnreliableQp, book: UnreliableBook, { skewed, former }: Lateness) {
    this.qp = qp;
    this.#skewed = skewed;
    this.#former = former;
    this.#book = book;
    this.#queue = new UnreliableSendQueue(qp, book.tables.machine, this.sending);
    book.tables.machine.start({ qp, onSrq: qp.srq !== undefined }, this.sending);
  }

  /** Work was posted or packets were sent since the device last had time to settle. */
  get unsettled(): boolean {
    return this.#posted || this.#sent;
  }

  has(wrId: number): boolean {
    return this.#queue.outstanding(wrId) !== undefined;
  }

  /** Whether something is to be sent, or was since everything was last at rest. */
  get busy(): boolean {
    return this.unsettled || this.#queue.left().some((item) => !item.completed && item.sent < item.packets);
  }

  /** What it has to send may be lost unseen from now on, or wait until the link is back. */
  darken(): void {
    if (this.lost || this.#dark) return;
    const { qpState, sendFailed } = this.sending;
    if (qpState !== 'RTS' || sendFailed) return this.loseSight('the link was down');
    this.#dark = true;
  }

  /** Something happens that no rule decides. */
  step(name: UnreliableStep, inputs: Partial<UnreliableInputs> = {}): void {
    this.#book.tables.machine.step(name)(inputs, this.sending);
  }

  /** Software has called ibv_modify_qp. */
  modified(inputs: Pick<UnreliableInputs, 'qp' | 'onSrq' | 'attr'>, when: When): void {
    if (this.#dark && inputs.attr.qp_state !== undefined) this.loseSight('the link was down');
    if (this.#book.tables.machine.flag('queueEmptied')(inputs, this.sending)) this.#queue.clear();
    if (inputs.attr.qp_state === 'RESET') this.#reset(when);
    // what waited in SQD goes on
    // what may have failed unseen, and with it the queue, is over: software has had the queue go on
    if (inputs.attr.qp_state === 'RTS') this.#queue.leaveDoubtful();
    if (inputs.attr.qp_state === 'RTS' && this.#queue.left().some(({ completed }) => !completed))
      this.#posted = true;
    this.step('modified', inputs);
  }

  #reset(when: When): void {
    // what left before is recorded behind the call, perhaps
    if (this.#skewed && this.unsettled) this.loseSight('ibv_modify_qp to RESET while packets were under way');
    if (this.unsettled) this.#former.ends('RESET', when);
    this.#queue.forget();
  }

  post(send: PostedSend, mtu: number | undefined): void {
    if (this.lost) return;
    const { sending, qp } = this;
    const { machine } = this.#book.tables;
    if (!machine.flag('sends')({}, sending))
      return this.loseSight('a send work request that was taken before RTS');
    const work = newWork(qp, send, sending.tail, mtu);
    work.packets = machine.number('packets')({ qp, work }, sending);
    this.#queue.items.push(work);
    this.step('queued');
    this.#posted = true;
  }

  /** A packet that the device sent. */
  sent(packet: Packet, around: Around, when: When): void {
    if (this.lost || this.#dark) return;
    this.#sent = true;
    const { sending } = this;
    const { machine } = this.#book.tables;
    this.#queue.skipVanished(packet);
    const item = this.#queue.next();
    const sent = new SentPacket(this.#queue, packet, item, around, this.#skewed);
    if (machine.flag('mayComeLate')(sent, sending)) return;
    if (this.#former.sent(when.t) && !this.#explains(sent)) return;
    const { rule: order } = this.#book.only('uc-ud-requester-place', { inputs: sent, variables: sending });
    if (ruleWord(order, 'sends') === 'forbidden') {
      const none = item === undefined || machine.fact('workPlace')(sent, sending) === 'stopped';
      const wanted = none ? 'no packet' : `the next packet, PSN ${sending.nextPsn}`;
      this.#book.violate(order, when, wanted, describe(packet));
      this.lost = true;
      return;
    }
    if (item === undefined) return;
    if (machine.flag('mayRewind')(sent, sending))
      this.#book.decide('uc-ud-requester-place', { by: { workPlace: 'rewinds' } });
    const rules = this.#book.decide('uc-ud-requester-packet', { inputs: sent, variables: sending });
    for (const { rule, expected, observed } of unmetOf(rules, { sent, machine, sending }))
      this.#book.violate(rule, when, expected, observed);
    const receiver = { mayHaveFailed: false, faulted: false };
    if (machine.flag('begun')(sent, sending))
      this.#book.only('uc-ud-requester-standing', {
        inputs: { receiver, work: item, qp: this.qp },
        variables: sending,
      });
    this.#queue.sent(item, packet);
    this.step('sent', sent);
    if (isWhole(item)) this.#pass();
  }

  /** Whether the packet may be the next one of the work that is posted. */
  #explains(sent: SentPacket): boolean {
    const { sending } = this;
    const { machine } = this.#book.tables;
    const { rule: order } = this.#book.peek('uc-ud-requester-place', { inputs: sent, variables: sending });
    if (ruleWord(order, 'sends') === 'forbidden') return false;
    const rules = this.#book.ask('uc-ud-requester-packet', { inputs: sent, variables: sending });
    return unmetOf(rules, { sent, machine, sending }).length === 0;
  }

  #pass(): void {
    for (const item of this.#queue.pass()) this.#doneQuietly(item);
  }

  #doneQuietly(item: Work): void {
    this.#book.decide('uc-ud-requester-completion', { inputs: { work: item }, variables: this.sending });
    this.#queue.doneQuietly(item);
  }

  /** A completion of the send queue. */
  completion(wc: Wc, when: When): void {
    if (this.lost) return;
    const queue = this.#queue;
    const success = wc.status === 'IBV_WC_SUCCESS';
    const item = queue.outstanding(wc.wr_id) ?? (success ? queue.quiet(wc.wr_id) : undefined);
    if (item === undefined) return;
    item.completed = true;
    if (success) {
      // a datagram too long has vanished, and nobody can tell whether with a PSN
      if (queue.doubtful(item) && !isWhole(item)) this.step('vanished');
      this.#succeeded(item, wc, when);
      return this.#pass();
    }
    // of it, and of what was flushed, nobody can tell what has left
    item.failed = true;
    if (wc.status !== 'IBV_WC_WR_FLUSH_ERR') this.step('failed', { work: item });
    if (!queue.lacksBefore(item)) this.step('vanished');
  }

  #succeeded(item: Work, wc: Wc, when: When): void {
    const { sending } = this;
    const inputs = { work: item, came: true, wc: { grh: false, kind: kindOf(wc.opcode) } };
    const met = { inputs, variables: sending };
    const rules = this.#book.decide('uc-ud-requester-completion', met);
    const seen = `${wc.status} of work request ${wc.wr_id}`;
    const undue = this.#book.unmet(rules, 'mustCome', met)[0];
    this.#book.violate(undue, when, 'no completion of success', seen);
    const misnamed = this.#book.unmet(rules, 'mustOpcodeOf', met)[0];
    this.#book.violate(misnamed, when, opcodeOf[item.kind], wc.opcode ?? '');
  }

  /** Everything due has had its time. `open`: the QP may have failed for a reason of the other side. */
  settle(open: boolean, t: number): void {
    if (this.lost) return;
    if (this.#dark) return this.#settleDark(open, t);
    const queue = this.#queue;
    const { sending } = this;
    const book = this.#book;
    const receiver = { mayHaveFailed: open, faulted: open };
    const standing = book.peek('uc-ud-requester-standing', {
      inputs: { receiver, work: noWork, qp: this.qp },
      variables: sending,
    }).rule;
    if (this.unsettled) book.exercise([standing]);
    if (this.#sent)
      for (const workPlace of ['repeated', 'skips', 'unposted'])
        book.decide('uc-ud-requester-place', { by: { workPlace } });
    if (queue.items.some((work) => book.tables.machine.flag('stopped')({ work }, sending)))
      book.decide('uc-ud-requester-place', { by: { workPlace: 'stopped' } });
    for (const item of open ? [] : queue.left()) {
      const of = { receiver, work: item, qp: this.qp };
      const begun = book.tables.machine.flag('begun')(of, sending);
      if (queue.doubtful(item) && !begun) continue;
      const rule = begun
        ? book.only('uc-ud-requester-standing', { inputs: of, variables: sending }).rule
        : standing;
      if (!settled({ book, sending, standing: rule, t }, item)) return void (this.lost = true);
      if (isWhole(item) && !item.signaled) this.#doneQuietly(item);
    }
    queue.settle(sending.qpState === 'RTS');
    this.#former.over();
    this.#posted = false;
    this.#sent = false;
  }

  /** Which packets have left since the link went down is not known, but with the link back all is to be done. */
  #settleDark(open: boolean, t: number): void {
    if (open) return this.loseSight('the link was down');
    const [book, queue] = [this.#book, this.#queue];
    for (const item of queue.left()) {
      const inputs = { work: item, came: item.completed, link: { up: this.linked } };
      const met = { inputs, variables: this.sending };
      if (queue.doubtful(item) || !item.signaled) continue;
      for (const rule of book.broken('uc-ud-requester-outage', 'mustEnd', met)) {
        book.violate(
          rule,
          { event: item.event, t },
          `success of work request ${item.wr.wr_id}`,
          'no completion',
        );
        this.lost = true;
      }
    }
    if (!this.linked) return;
    queue.clear();
    this.step('vanished');
    this.#dark = this.#posted = this.#sent = false;
  }

  /** What follows is not judged, for the reason given. */
  leaveOut(why: string): void {
    if (!this.lost) this.#book.skip(why);
    this.lost = true;
  }

  loseSight(why: string): void {
    if (this.lost) return;
    this.#book.doubt(why);
    this.lost = true;
  }
}
