import type { Wc } from '../../spec/verbs.ts';
import { describe } from '../../wire/index.ts';
import type { Packet } from '../../wire/packet.ts';
import type { MemoryNode } from '../device/memory.ts';
import type { PostedSend } from '../device/posted-send.ts';
import type { QpStateName } from '../device/qp-state.ts';
import { demanding, ruleWord } from '../rulebook/outcome.ts';
import type { When } from '../spot.ts';
import { unmetOf } from './demands.ts';
import type { UnreliableQp } from './qp.ts';
import { UnreliableSendQueue } from './send-queue.ts';
import { completionOpcodeOf, sendItem } from './send.ts';
import type { SendItem } from './send.ts';
import { settled } from './sent-rest.ts';
import type { UnreliableBook } from './tables.ts';

/** What a sender has to know of a packet besides the packet. */
interface Around {
  address: (ah: number | undefined) => string | undefined;
  memory: MemoryNode | undefined;
}

/**
 * Judges what a UC or UD QP sends: the packets of its work requests in order, each once, and success for each that has
 * been sent. Whether work requests that are faulty fail as they must is for others to say.
 */
export class UnreliableSender {
  readonly qp: UnreliableQp;
  lost = false;
  /** a work request has completed in error */
  failed = false;
  state: QpStateName = 'RESET';
  readonly #book: UnreliableBook;
  /** a packet may be recorded after the completion of its work request, or that of a later one */
  readonly #skewed: boolean;
  readonly #queue: UnreliableSendQueue;
  #posted = false;
  #sent = false;

  constructor(qp: UnreliableQp, book: UnreliableBook, skewed: boolean) {
    this.qp = qp;
    this.#skewed = skewed;
    this.#book = book;
    this.#queue = new UnreliableSendQueue(qp);
  }

  /** Work was posted or packets were sent since the device last had time to settle. */
  get unsettled(): boolean {
    return this.#posted || this.#sent;
  }

  has(wrId: number): boolean {
    return this.#queue.outstanding(wrId) !== undefined;
  }

  start(psn: number): void {
    this.#queue.nextPsn = psn;
  }

  /** Software has put the QP into another state. */
  enter(state: QpStateName): void {
    const recovers = state === 'RTS' && this.state === 'SQE';
    this.state = state;
    if (state === 'RESET' || recovers) {
      this.#queue.clear();
      this.failed = false;
    }
    if (state === 'RESET') this.#queue.forget();
    if (recovers) this.#queue.nextPsn = -1;
    if (state === 'RTS') for (const item of this.#queue.items) item.stopped = false;
    // what was under way may have left, or not
    if (state === 'ERR' || state === 'SQD') for (const item of this.#queue.items) item.doubtful = true;
  }

  post(send: PostedSend, mtu: number | undefined): void {
    if (this.lost) return;
    if (this.state === 'RESET' || this.state === 'INIT' || this.state === 'RTR')
      return this.loseSight('a send work request that was taken before RTS');
    const item = sendItem(this.qp, send, mtu);
    item.stopped = this.state !== 'RTS';
    this.#queue.items.push(item);
    this.#posted = true;
  }

  /** Software has written to memory: what waits to be sent may have either content. */
  written(): void {
    for (const item of this.#queue.items) if (item.inline === undefined) item.payloadOpen = true;
  }

  /** Software is about to deregister memory: what waits to be sent may fail. */
  uncertain(): void {
    for (const item of this.#queue.items) if (item.inline === undefined) item.doubtful = true;
  }

  /** A packet that the device sent. */
  sent(packet: Packet, { address, memory }: Around, when: When): void {
    if (this.lost) return;
    this.#sent = true;
    const queue = this.#queue;
    queue.skipVanished(packet);
    const item = queue.next();
    if (this.failed && this.#skewed && (item === undefined || item.stopped)) return;
    const place = queue.placeOf(packet, item);
    const [order] = this.#book.decide('uc-ud-requester-place', { workPlace: place });
    if (ruleWord(order, 'sends') === 'forbidden') {
      const wanted =
        item === undefined || place === 'stopped' ? 'no packet' : `the next packet, PSN ${queue.nextPsn}`;
      this.#book.violate(order, when, wanted, describe(packet));
      this.lost = true;
      return;
    }
    if (item === undefined) return;
    const facts = { workService: this.qp.kind, requestKind: item.kind };
    const found = { qp: this.qp, item, packet, address: address(item.wr.ah), memory };
    for (const { rule, expected, observed } of unmetOf(
      this.#book.decide('uc-ud-requester-packet', facts),
      found,
    ))
      this.#book.violate(rule, when, expected, observed);
    queue.sent(item, packet);
    if (item.sent === item.count) this.#pass();
  }

  #pass(): void {
    for (const item of this.#queue.pass()) this.#doneQuietly(item);
  }

  #doneQuietly(item: SendItem): void {
    this.#book.decide('uc-ud-requester-completion', { workEnd: 'unasked' });
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
      if (item.doubtful && item.sent < item.count) queue.nextPsn = -1;
      this.#succeeded(item, wc, when);
      return this.#pass();
    }
    // what stands behind it does not leave any more; of it, and of what was flushed, nobody can tell what has left
    const at = queue.items.indexOf(item);
    if (wc.status !== 'IBV_WC_WR_FLUSH_ERR') {
      this.failed = true;
      this.state = this.state === 'ERR' ? 'ERR' : 'SQE';
      for (const later of queue.items.slice(at + 1)) later.stopped = true;
    }
    item.doubtful = true;
    if (!queue.items.slice(0, at).some(({ sent, count }) => sent < count)) queue.nextPsn = -1;
  }

  #succeeded(item: SendItem, wc: Wc, when: When): void {
    const workEnd = item.signaled ? 'sent' : 'unasked';
    const rules = this.#book.decide('uc-ud-requester-completion', { workEnd });
    const seen = `${wc.status} of work request ${wc.wr_id}`;
    this.#book.violate(demanding(rules, 'mustCome', 'never'), when, 'no completion of success', seen);
    const want = completionOpcodeOf(item);
    if (wc.opcode !== undefined && wc.opcode !== want)
      this.#book.violate(demanding(rules, 'mustOpcodeOf', 'request'), when, want, wc.opcode);
  }

  /** Everything due has had its time. `open`: the QP may have failed for a reason of the other side. */
  settle(open: boolean, t: number): void {
    if (this.lost) return;
    const queue = this.#queue;
    const running = this.state === 'RTS' && !this.failed && !open;
    if (this.unsettled)
      this.#book.decide('uc-ud-requester-standing', { owedWork: running ? 'unsent' : 'done' });
    if (this.#sent)
      for (const workPlace of ['repeated', 'skips', 'unposted'])
        this.#book.decide('uc-ud-requester-place', { workPlace });
    if (queue.items.some(({ stopped }) => stopped))
      this.#book.decide('uc-ud-requester-place', { workPlace: 'stopped' });
    for (const item of open ? [] : queue.left()) {
      if (!settled(this.#book, item, running, t)) return void (this.lost = true);
      if (!item.doubtful && item.sent === item.count && !item.signaled) this.#doneQuietly(item);
    }
    queue.settle();
    this.#posted = false;
    this.#sent = false;
  }

  loseSight(why: string): void {
    if (this.lost) return;
    this.#book.doubt(why);
    this.lost = true;
  }
}
