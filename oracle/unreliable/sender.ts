import type { Wc } from '../../spec/verbs.ts';
import type { PostedSend } from '../device/posted-send.ts';
import { describe } from '../../wire/index.ts';
import type { Packet } from '../../wire/packet.ts';
import { psnAdd } from '../../wire/psn.ts';
import type { MemoryNode } from '../device/memory.ts';
import type { QpStateName } from '../device/qp-state.ts';
import { outcomeWord, ruleWord } from '../rulebook/outcome.ts';
import { unmetOf } from './demands.ts';
import { completionOpcodeOf, opcodeName, operationOf, samePacket, sendItem } from './send.ts';
import type { SendItem } from './send.ts';
import type { UnreliableQp } from './qp.ts';
import type { UnreliableBook } from './tables.ts';
import type { Rule } from '../rules.ts';
import { keep } from '../device/keep.ts';

/** Packets kept to know one again that is sent twice, and work requests that are done without a completion. */
const rememberedPackets = 64;
const rememberedWork = 256;

type Place = 'next' | 'repeated' | 'skips' | 'unposted' | 'stopped';

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
  #items: SendItem[] = [];
  /** everything before it is sent and complete */
  #first = 0;
  /** -1 where nobody can tell, as after a failure */
  #nextPsn = -1;
  #remembered: Packet[] = [];
  #quiet: SendItem[] = [];
  #posted = false;
  #sent = false;

  constructor(qp: UnreliableQp, book: UnreliableBook, skewed: boolean) {
    this.qp = qp;
    this.#skewed = skewed;
    this.#book = book;
  }

  /** Work was posted or packets were sent since the device last had time to settle. */
  get unsettled(): boolean {
    return this.#posted || this.#sent;
  }

  has(wrId: number): boolean {
    return this.#outstanding(wrId) !== undefined;
  }

  #outstanding(wrId: number): SendItem | undefined {
    for (let at = this.#first; at < this.#items.length; at++) {
      const item = this.#items[at];
      if (item?.completed === false && item.wr.wr_id === wrId) return item;
    }
    return undefined;
  }

  start(psn: number): void {
    this.#nextPsn = psn;
  }

  /** Software has put the QP into another state. */
  enter(state: QpStateName): void {
    const before = this.state;
    this.state = state;
    if (state === 'RESET') {
      this.#clear();
      this.#remembered = [];
    }
    if (state === 'RTS' && before === 'SQE') {
      this.#clear();
      this.#nextPsn = -1;
    }
    if (state === 'RTS') for (const item of this.#items) item.stopped = false;
    // what was under way may have left, or not
    if (state === 'ERR' || state === 'SQD') for (const item of this.#items) item.doubtful = true;
  }

  #clear(): void {
    this.#items = [];
    this.#first = 0;
    this.failed = false;
  }

  post(send: PostedSend, mtu: number | undefined): void {
    if (this.lost) return;
    if (this.state === 'RESET' || this.state === 'INIT' || this.state === 'RTR')
      return this.loseSight('a send work request that was taken before RTS');
    const item = sendItem(this.qp, send, mtu);
    item.stopped = this.state !== 'RTS';
    this.#items.push(item);
    this.#posted = true;
  }

  /** Software has written to memory: what waits to be sent may have either content. */
  written(): void {
    for (const item of this.#items) if (item.inline === undefined) item.payloadOpen = true;
  }

  /** Software is about to deregister memory: what waits to be sent may fail. */
  uncertain(): void {
    for (const item of this.#items) if (item.inline === undefined) item.doubtful = true;
  }

  /** A packet that the device sent. */
  sent(packet: Packet, { address, memory }: Around, event: number, t: number): void {
    if (this.lost) return;
    this.#sent = true;
    // a datagram too long vanishes without a trace, which leaves the PSN open
    while (this.#next()?.doubtful === true && this.qp.kind === 'UD' && !this.#fits(packet)) {
      (this.#next() as SendItem).sent = 1;
      this.#nextPsn = -1;
    }
    const item = this.#next();
    if (this.failed && this.#skewed && (item === undefined || item.stopped)) return;
    const place = this.#placeOf(packet, item);
    const rules = this.#book.decide('uc-ud-requester-place', { workPlace: place });
    const [order] = rules;
    if (ruleWord(order, 'sends') === 'forbidden') {
      const wanted =
        item === undefined || place === 'stopped' ? 'no packet' : `the next packet, PSN ${this.#nextPsn}`;
      this.#book.violate(order, { event, t }, wanted, describe(packet));
      this.lost = true;
      return;
    }
    if (item === undefined) return;
    const demands = this.#book.decide('uc-ud-requester-packet', {
      workService: this.qp.kind,
      requestKind: item.kind,
    });
    const found = { qp: this.qp, item, packet, address: address(item.wr.ah), memory };
    for (const { rule, expected, observed } of unmetOf(demands, found))
      this.#book.violate(rule, { event, t }, expected, observed);
    item.sent++;
    this.#nextPsn = psnAdd(packet.psn, 1);
    keep(this.#remembered, packet, rememberedPackets);
    if (item.sent === item.count) this.#pass();
  }

  #next(): SendItem | undefined {
    for (let at = this.#first; at < this.#items.length; at++) {
      const item = this.#items[at];
      if (item && item.sent < item.count && !(item.completed && item.doubtful)) return item;
    }
    return undefined;
  }

  /** Leaves behind what nothing more can be said of. */
  #pass(): void {
    for (let item = this.#items[this.#first]; item !== undefined; item = this.#items[this.#first]) {
      if (item.sent < item.count || item.completed !== item.signaled) return;
      if (!item.signaled) this.#done(item);
      this.#first++;
      if (this.#first < 256) continue;
      this.#items.splice(0, this.#first);
      this.#first = 0;
    }
  }

  #fits(packet: Packet): boolean {
    return packet.payloadLength === this.#next()?.length && this.#nextPsn === packet.psn;
  }

  #done(item: SendItem): void {
    this.#book.decide('uc-ud-requester-completion', { workEnd: 'unasked' });
    keep(this.#quiet, item, rememberedWork);
  }

  /** Whether the packet looks like the next one of the item. */
  #looksLike(packet: Packet, item: SendItem): boolean {
    const { pmtu, kind: service } = this.qp;
    const last = item.sent === item.count - 1;
    const length = last && item.count > 1 ? item.length - item.sent * pmtu : last ? item.length : pmtu;
    return opcodeName(packet.opcode) === `${service}_${operationOf(item)}` && packet.payloadLength === length;
  }

  /** Whether the packet leaves behind a work request that has not been sent, as nothing but a failure could. */
  #passesOver(packet: Packet, item: SendItem): boolean {
    if (!item.doubtful || item.sent > 0 || this.#looksLike(packet, item)) return false;
    const at = this.#items.indexOf(item);
    return this.#items.slice(at + 1).some((later) => later.sent === 0 && this.#looksLike(packet, later));
  }

  #placeOf(packet: Packet, item: SendItem | undefined): Place {
    const known = this.#nextPsn < 0 || packet.psn === this.#nextPsn;
    if (!known && this.#remembered.some((earlier) => samePacket(earlier, packet))) return 'repeated';
    if (item === undefined) return 'unposted';
    if (item.stopped || this.#passesOver(packet, item)) return 'stopped';
    return known ? 'next' : 'skips';
  }

  /** A completion of the send queue. */
  completion(wc: Wc, event: number, t: number): void {
    if (this.lost) return;
    const success = wc.status === 'IBV_WC_SUCCESS';
    const quiet = success ? this.#quiet.find((i) => i.wr.wr_id === wc.wr_id) : undefined;
    const item = this.#outstanding(wc.wr_id) ?? quiet;
    if (item === undefined) return;
    item.completed = true;
    if (success) {
      // a datagram too long has vanished, and nobody can tell whether with a PSN
      if (item.doubtful && item.sent < item.count) this.#nextPsn = -1;
      this.#succeeded(item, wc, event, t);
      return this.#pass();
    }
    // what stands behind it does not leave any more; of it, and of what was flushed, nobody can tell what has left
    const at = this.#items.indexOf(item);
    if (wc.status !== 'IBV_WC_WR_FLUSH_ERR') {
      this.failed = true;
      this.state = this.state === 'ERR' ? 'ERR' : 'SQE';
      for (const later of this.#items.slice(at + 1)) later.stopped = true;
    }
    item.doubtful = true;
    this.#nextPsn = this.#items.slice(0, at).some((i) => i.sent < i.count) ? this.#nextPsn : -1;
  }

  #succeeded(item: SendItem, wc: Wc, event: number, t: number): void {
    const rules = this.#book.decide('uc-ud-requester-completion', {
      workEnd: item.signaled ? 'sent' : 'unasked',
    });
    for (const rule of rules) {
      const outcome = rule.outcomes[0] ?? {};
      const seen = `${wc.status} of work request ${wc.wr_id}`;
      if (outcomeWord(outcome, 'mustCome') === 'never')
        this.#book.violate(rule, { event, t }, 'no completion of success', seen);
      const want = completionOpcodeOf(item);
      if (outcomeWord(outcome, 'mustOpcodeOf') === 'request' && wc.opcode !== undefined && wc.opcode !== want)
        this.#book.violate(rule, { event, t }, want, wc.opcode);
    }
  }

  /** Everything due has had its time. `open`: the QP may have failed for a reason of the other side. */
  settle(open: boolean, t: number): void {
    if (this.lost) return;
    const active = this.#posted || this.#sent;
    const running = this.state === 'RTS' && !this.failed && !open;
    if (active) this.#book.decide('uc-ud-requester-standing', { owedWork: running ? 'unsent' : 'done' });
    if (this.#sent)
      for (const workPlace of ['repeated', 'skips', 'unposted'])
        this.#book.decide('uc-ud-requester-place', { workPlace });
    if (this.#items.some(({ stopped }) => stopped))
      this.#book.decide('uc-ud-requester-place', { workPlace: 'stopped' });
    if (!open)
      for (const item of this.#items.slice(this.#first))
        if (!this.#settled(item, running, t)) return void (this.lost = true);
    this.#items = this.#items.filter((item) => !item.completed && item.sent < item.count);
    this.#first = 0;
    this.#posted = false;
    this.#sent = false;
  }

  /** Whether nothing is owed for the item; notes what is. */
  #settled(item: SendItem, running: boolean, t: number): boolean {
    const whole = item.sent === item.count;
    const what = `work request ${item.wr.wr_id}`;
    const violated = (
      rules: readonly Rule[],
      key: string,
      value: string,
      expected: string,
      observed: string,
    ): false => {
      const rule = rules.find((r) => ruleWord(r, key) === value);
      this.#book.violate(rule, { event: item.event, t }, expected, observed);
      return false;
    };
    if (item.doubtful) return true;
    if (whole && item.completed !== item.signaled) {
      const rules = this.#book.ask('uc-ud-requester-completion', { workEnd: 'sent' });
      if (item.signaled) return violated(rules, 'mustCome', 'once', `success of ${what}`, 'no completion');
    }
    if (whole && !item.signaled) this.#done(item);
    if (whole) return true;
    const unsent = this.#book.ask('uc-ud-requester-completion', { workEnd: 'unsent' });
    if (item.completed && !item.stopped)
      return violated(
        unsent,
        'mustCome',
        'never',
        `all ${item.count} packets of ${what} before its completion`,
        `${item.sent} of them`,
      );
    if (!running || item.stopped) {
      this.#book.exercise(unsent);
      return true;
    }
    const standing = this.#book.ask('uc-ud-requester-standing', { owedWork: 'unsent' });
    return violated(standing, 'expiry', 'owed', `${item.count} packets of ${what}`, `${item.sent} of them`);
  }

  loseSight(why: string): void {
    if (this.lost) return;
    this.#book.doubt(why);
    this.lost = true;
  }
}
