import type { RecvWr } from '../../spec/verbs.ts';
import type { Objects } from '../device/objects.ts';
import type { PostedSend } from '../device/queues/posted-send.ts';
import type { Qp, Service, Srq } from '../device/qp.ts';
import type { EffectsBook } from './tables.ts';
import { End, hasFailed } from './end.ts';
import type { OpenSend, Seen } from './end.ts';
import type { EndToEndMachine } from './machine.ts';
import { gathered } from './memory.ts';

/** A work request that is not decided yet. */
export interface Open {
  from: End;
  send: OpenSend;
}

/** The QPs of a device whose packets nobody sees, and the work between them that is under way. */
export class Ends {
  readonly #machine: EndToEndMachine;
  readonly #book: EffectsBook;
  readonly #objects: Objects;
  readonly #ends = new Map<Qp, End>();
  /** receive WQEs that wait on an SRQ */
  readonly #shared = new WeakMap<Srq, End['receives']>();
  /** posted and not yet decided, in order */
  readonly open: Open[] = [];
  #linkUp = true;
  /** work of QPs that are judged no further may have changed the memory of the device */
  memoryOpen = false;

  constructor(machine: EndToEndMachine, book: EffectsBook, objects: Objects) {
    this.#machine = machine;
    this.#book = book;
    this.#objects = objects;
  }

  all(): IterableIterator<End> {
    return this.#ends.values();
  }

  of(qp: Qp): End | undefined {
    return this.#ends.get(qp);
  }

  byNumber(number: number | undefined): End | undefined {
    const qp = number === undefined ? undefined : this.#objects.byNumber(number);
    return qp && this.#ends.get(qp);
  }

  add(qp: Qp, service: Service): void {
    const receives = qp.srq === undefined ? { waiting: [] } : this.#waitingOn(qp.srq);
    const end = new End(qp, service, receives);
    this.#machine.start({}, end);
    end.front = this.#machine.number('grh')({ own: { service } }, end);
    this.#ends.set(qp, end);
  }

  /** Whether the QP carries out what it is given to send. */
  works(end: End): boolean {
    return this.#machine.flag('works')({}, end);
  }

  remove(qp: Qp): void {
    this.#ends.delete(qp);
  }

  #waitingOn(srq: Srq): End['receives'] {
    let receives = this.#shared.get(srq);
    if (receives === undefined) this.#shared.set(srq, (receives = { waiting: [] }));
    return receives;
  }

  sharedPosted(srq: Srq, wr: RecvWr): void {
    this.disturbed('a receive posted while work was under way');
    this.#waitingOn(srq).waiting.push(wr);
  }

  receivePosted(end: End, wr: RecvWr): void {
    this.disturbed('a receive posted while work was under way');
    end.receives.waiting.push(wr);
    if (this.#machine.flag('receivesFlushed')({}, end) && !end.muted)
      this.lose(end, 'work posted to a QP in ERR');
  }

  /** The link has gone down or come up: what was under way may be lost, or not. */
  linked(up: boolean): void {
    this.#linkUp = up;
    this.disturbed('the link going down or up while work was under way');
  }

  sendPosted(end: End, posted: PostedSend): void {
    if (!this.#linkUp) return this.#loseBoth(end, posted, 'work posted without a link');
    if (!this.works(end)) return this.lose(end, 'work posted to a QP that is not in RTS');
    const send = { ...posted, data: this.#data(end, posted) };
    end.sends.push(send);
    this.open.push({ from: end, send });
  }

  /** The message as it stands; none of one that is too long for the port, which is never sent. */
  #data(end: End, { wr, length }: PostedSend): Uint8Array | undefined {
    const { memory, port = {} } = this.#objects;
    const most = this.#machine.number('most')({ own: { service: end.service }, port }, end);
    return length > most ? undefined : gathered(memory, wr.sg_list);
  }

  completed(seen: Seen): void {
    const end = this.byNumber(seen.wc.qp_num);
    if (end === undefined || end.muted) return;
    const sends = end.sends.some(({ wr }) => wr.wr_id === seen.wc.wr_id);
    (sends ? end.sendsSeen : end.receivesSeen).push(seen);
  }

  addressee(from: End, { wr }: PostedSend): End | undefined {
    return this.byNumber(from.service === 'UD' ? wr.remote_qpn : from.qp.peerQpNumber);
  }

  /** Something changes that the order of unseen packets against it would decide on. */
  disturbed(why: string): void {
    for (const { from, send } of this.open) this.#loseBoth(from, send, why);
    this.open.length = 0;
  }

  /** Nothing more is said of the QP that was given work, nor of the one that the work is for. */
  #loseBoth(from: End, send: PostedSend, why: string): void {
    this.lose(from, why);
    const to = this.addressee(from, send);
    if (to !== undefined) this.lose(to, why);
  }

  /** Where both ends have sent since everything was last at rest, and something has failed, it is unknown which was first. */
  crossed(): void {
    for (const { from, send } of this.open) {
      const to = this.addressee(from, send);
      if (to === undefined || to === from || !(hasFailed(from) || hasFailed(to))) continue;
      if (!to.sends.some((other) => this.addressee(to, other) === from)) continue;
      for (const end of [from, to]) this.lose(end, 'a failure where both ends had sent');
    }
  }

  /** Nothing more is said of a QP, nor of the memory that its work may change. */
  lose(end: End, why: string): void {
    this.loseState(end, why);
    this.memoryOpen = true;
  }

  /** Nothing more is said of a QP, but what it has done to memory until now is known. */
  loseState(end: End, why: string): void {
    if (!end.lost) this.#book.skip(why);
    end.lost = true;
  }

  /** A QP has broken a rule: nothing more is said of it, and nothing is doubtful. */
  broken(end: End): void {
    end.lost = true;
    this.memoryOpen = true;
  }
}
