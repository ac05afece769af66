import type { Packet } from '../../../wire/packet.ts';
import { keep } from '../../device/keep.ts';
import type { UnreliableMachine } from '../tables.ts';
import type { UnreliableQp } from '../qp.ts';
import { SentPacket } from './sent-packet.ts';
import type { UnreliableVariables } from '../variables.ts';
import type { Work } from './work.ts';

/** Packets kept to know one again that is sent twice, and work requests that are done without a completion. */
const rememberedPackets = 64;
const rememberedWork = 256;

/** The send queue of a UC or UD QP: what is posted, what has been sent of it, and what comes next. */
export class UnreliableSendQueue {
  readonly qp: UnreliableQp;
  readonly #machine: UnreliableMachine;
  readonly #sending: UnreliableVariables;
  /** posted and not yet left behind, in order */
  items: Work[] = [];
  /** everything before it is sent and complete */
  #first = 0;
  #remembered: Packet[] = [];
  #quiet: Work[] = [];

  constructor(qp: UnreliableQp, machine: UnreliableMachine, sending: UnreliableVariables) {
    this.qp = qp;
    this.#machine = machine;
    this.#sending = sending;
  }

  clear(): void {
    this.items = [];
    this.#first = 0;
  }

  /** Nothing that was sent counts any more. */
  forget(): void {
    this.#remembered = [];
  }

  outstanding(wrId: number): Work | undefined {
    for (let at = this.#first; at < this.items.length; at++) {
      const item = this.items[at];
      if (item?.completed === false && item.wr.wr_id === wrId) return item;
    }
    return undefined;
  }

  /** A work request with this id that was done without a completion. */
  quiet(wrId: number): Work | undefined {
    return this.#quiet.find(({ wr }) => wr.wr_id === wrId);
  }

  doneQuietly(item: Work): void {
    keep(this.#quiet, item, rememberedWork);
  }

  /** Whether something is so of a work request, as the machine says. */
  #is(what: 'sendsNext' | 'leftBehind' | 'doubtful', work: Work): boolean {
    return this.#machine.flag(what)({ qp: this.qp, work }, this.#sending);
  }

  /** Whether the work request may fail, or may not have been sent. */
  doubtful(work: Work): boolean {
    return this.#is('doubtful', work);
  }

  /** The work request that goes on sending. */
  next(): Work | undefined {
    for (let at = this.#first; at < this.items.length; at++) {
      const item = this.items[at];
      if (item && this.#is('sendsNext', item)) return item;
    }
    return undefined;
  }

  sent(item: Work, packet: Packet): void {
    item.sent++;
    keep(this.#remembered, packet, rememberedPackets);
  }

  /** A datagram too long vanishes without a trace, which leaves the PSN open. */
  skipVanished(packet: Packet): void {
    const vanishes = this.#machine.flag('vanishes');
    for (const item of this.left()) {
      if (!this.#is('sendsNext', item)) continue;
      if (!vanishes({ qp: this.qp, packet, work: item }, this.#sending)) return;
      item.sent = item.packets;
      this.#machine.step('vanished')({}, this.#sending);
    }
  }

  /** Leaves behind what nothing more can be said of; gives those of it that have no completion. */
  pass(): Work[] {
    const quiet: Work[] = [];
    for (let item = this.items[this.#first]; item !== undefined; item = this.items[this.#first]) {
      if (!this.#is('leftBehind', item)) break;
      if (!item.signaled) quiet.push(item);
      this.#first++;
      if (this.#first < 256) continue;
      this.items.splice(0, this.#first);
      this.#first = 0;
    }
    return quiet;
  }

  /** Those not left behind. */
  left(): Work[] {
    return this.items.slice(this.#first);
  }

  /** Whether packets are missing of what is in front of the work request. */
  lacksBefore(item: Work): boolean {
    const at = this.items.indexOf(item);
    return this.items.slice(0, at).some(({ sent, packets }) => sent < packets);
  }

  /** What may fail, has had its time in RTS and has not been sent, never is. */
  leaveDoubtful(): void {
    const gone = (item: Work): boolean =>
      item.overdue && !item.completed && item.sent === 0 && this.doubtful(item);
    const left = this.left().filter((item) => !gone(item));
    this.items = left;
    this.#first = 0;
  }

  /** At rest: what is complete, or sent, is done with. `processed`: the QP is in RTS. */
  settle(processed: boolean): void {
    this.items = this.items.filter((item) => !item.completed && item.sent < item.packets);
    if (processed) for (const item of this.items) item.overdue = true;
    this.#first = 0;
  }

  /** The packet says the same as one that was sent before: opcode, PSN, addressee and payload. */
  hasSent(packet: Packet): boolean {
    return this.#remembered.some((earlier) => samePacket(earlier, packet));
  }

  /** Whether the packet leaves behind a work request that has not been sent, as nothing but a failure could. */
  passesOver(packet: Packet, item: Work): boolean {
    if (!this.#of('mayBePassed', packet, item)) return false;
    const at = this.items.indexOf(item);
    return this.items
      .slice(at + 1)
      .some((later) => later.sent === 0 && this.#of('looksAsNext', packet, later));
  }

  /** Whether something is so of the packet as one of the item, as the machine says. */
  #of(what: 'mayBePassed' | 'looksAsNext', packet: Packet, item: Work): boolean {
    const sent = new SentPacket(this, packet, item, { address: () => undefined, memory: undefined });
    return this.#machine.flag(what)(sent, this.#sending);
  }
}

function samePacket(a: Packet, b: Packet): boolean {
  return (
    a.opcode === b.opcode &&
    a.psn === b.psn &&
    a.destQp === b.destQp &&
    a.payloadLength === b.payloadLength &&
    Buffer.compare(a.payload, b.payload) === 0
  );
}
