import type { ObservedReply } from '../device/packet/observed-reply.ts';
import { RowIndex } from './requests/row-index.ts';

/** Responses that are remembered at least. */
const kept = 256;
/** Numbers of each: opcode and PSN mixed with the other two, what its AETH says, IPv4 identification or -1. */
const stride = 3;
const least = 4;
const none = new Int32Array(0);

/**
 * The newest responses of a connection. One that says the same once more may be a copy that a mirror or the network has made,
 * however late it comes, and shows nothing about its sender.
 */
export class Answered {
  #words = none;
  readonly #index = new RowIndex(stride, 0, -1);
  #count = 0;

  /** Whether the same was said before; from now on it was. */
  again({ packet, psn, syndrome, msn }: ObservedReply): boolean {
    const word = (syndrome << 24) | (msn & 0xffffff);
    const id = packet.ipId ?? -1;
    // so that a NAK and the ACK behind it, or two MSNs, do not take each other's place
    const key = ((packet.opcode << 24) | psn) ^ Math.imul(word, 0x9e3779b1) ^ Math.imul(id, 0x85ebca6b);
    let row = this.#index.find(this.#words, key);
    if (row >= 0 && this.#words[row * stride + 1] === word && this.#words[row * stride + 2] === id)
      return true;
    const known = row >= 0;
    if (!known) row = this.#add();
    this.#words[row * stride] = key;
    this.#words[row * stride + 1] = word;
    this.#words[row * stride + 2] = id;
    if (!known) this.#index.add(this.#words, row);
    return false;
  }

  clear(): void {
    this.#words = none;
    this.#index.clear(0);
    this.#count = 0;
  }

  #add(): number {
    const room = this.#words.length / stride;
    if (this.#count === room) {
      if (room < 2 * kept) this.#grow(Math.min(2 * kept, Math.max(least, room + (room >> 2) + 1)));
      else this.#dropOldest();
    }
    return this.#count++;
  }

  #grow(room: number): void {
    const words = new Int32Array(room * stride);
    words.set(this.#words);
    this.#words = words;
    this.#find(room);
  }

  #dropOldest(): void {
    this.#words.copyWithin(0, (this.#count - kept) * stride);
    this.#count = kept;
    this.#find(2 * kept);
  }

  #find(room: number): void {
    this.#index.clear(room);
    for (let row = 0; row < this.#count; row++) this.#index.add(this.#words, row);
  }
}
