import type { Packet } from '../../wire/packet.ts';
import { psnAdd } from '../../wire/psn.ts';
import { keep } from '../device/keep.ts';
import { opcodeName, operationOf, samePacket } from './send.ts';
import type { SendItem } from './send.ts';
import type { UnreliableQp } from './qp.ts';

/** Packets kept to know one again that is sent twice, and work requests that are done without a completion. */
const rememberedPackets = 64;
const rememberedWork = 256;

export type Place = 'next' | 'repeated' | 'skips' | 'unposted' | 'stopped';

/** The send queue of a UC or UD QP: what is posted, what has been sent of it, and what comes next. */
export class UnreliableSendQueue {
  readonly #qp: UnreliableQp;
  /** posted and not yet left behind, in order */
  items: SendItem[] = [];
  /** everything before it is sent and complete */
  #first = 0;
  /** -1 where nobody can tell, as after a failure */
  nextPsn = -1;
  #remembered: Packet[] = [];
  #quiet: SendItem[] = [];

  constructor(qp: UnreliableQp) {
    this.#qp = qp;
  }

  clear(): void {
    this.items = [];
    this.#first = 0;
  }

  /** Nothing that was sent counts any more. */
  forget(): void {
    this.#remembered = [];
  }

  outstanding(wrId: number): SendItem | undefined {
    for (let at = this.#first; at < this.items.length; at++) {
      const item = this.items[at];
      if (item?.completed === false && item.wr.wr_id === wrId) return item;
    }
    return undefined;
  }

  /** A work request with this id that was done without a completion. */
  quiet(wrId: number): SendItem | undefined {
    return this.#quiet.find(({ wr }) => wr.wr_id === wrId);
  }

  doneQuietly(item: SendItem): void {
    keep(this.#quiet, item, rememberedWork);
  }

  /** The work request that goes on sending. */
  next(): SendItem | undefined {
    for (let at = this.#first; at < this.items.length; at++) {
      const item = this.items[at];
      if (item && item.sent < item.count && !(item.completed && item.doubtful)) return item;
    }
    return undefined;
  }

  sent(item: SendItem, packet: Packet): void {
    item.sent++;
    this.nextPsn = psnAdd(packet.psn, 1);
    keep(this.#remembered, packet, rememberedPackets);
  }

  /** Leaves behind what nothing more can be said of; gives those of it that have no completion. */
  pass(): SendItem[] {
    const quiet: SendItem[] = [];
    for (let item = this.items[this.#first]; item !== undefined; item = this.items[this.#first]) {
      if (item.sent < item.count || item.completed !== item.signaled) break;
      if (!item.signaled) quiet.push(item);
      this.#first++;
      if (this.#first < 256) continue;
      this.items.splice(0, this.#first);
      this.#first = 0;
    }
    return quiet;
  }

  /** Those not left behind. */
  left(): SendItem[] {
    return this.items.slice(this.#first);
  }

  /** At rest: what is complete, or sent, is done with. */
  settle(): void {
    this.items = this.items.filter((item) => !item.completed && item.sent < item.count);
    this.#first = 0;
  }

  /** A datagram too long vanishes without a trace, which leaves the PSN open. */
  skipVanished(packet: Packet): void {
    if (this.#qp.kind !== 'UD') return;
    for (let item = this.next(); item?.doubtful === true; item = this.next()) {
      if (packet.payloadLength === item.length && this.nextPsn === packet.psn) return;
      item.sent = 1;
      this.nextPsn = -1;
    }
  }

  placeOf(packet: Packet, item: SendItem | undefined): Place {
    const known = this.nextPsn < 0 || packet.psn === this.nextPsn;
    if (!known && this.#remembered.some((earlier) => samePacket(earlier, packet))) return 'repeated';
    if (item === undefined) return 'unposted';
    if (item.stopped || this.#passesOver(packet, item)) return 'stopped';
    return known ? 'next' : 'skips';
  }

  /** Whether the packet leaves behind a work request that has not been sent, as nothing but a failure could. */
  #passesOver(packet: Packet, item: SendItem): boolean {
    if (!item.doubtful || item.sent > 0 || this.#looksLike(packet, item)) return false;
    const at = this.items.indexOf(item);
    return this.items.slice(at + 1).some((later) => later.sent === 0 && this.#looksLike(packet, later));
  }

  /** Whether the packet looks like the next one of the item. */
  #looksLike(packet: Packet, item: SendItem): boolean {
    const { pmtu, kind: service } = this.#qp;
    const last = item.sent === item.count - 1;
    const length = last && item.count > 1 ? item.length - item.sent * pmtu : last ? item.length : pmtu;
    return opcodeName(packet.opcode) === `${service}_${operationOf(item)}` && packet.payloadLength === length;
  }
}
