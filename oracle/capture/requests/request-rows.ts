import { RecordedRequest } from './recorded-request.ts';
import { RowIndex } from './row-index.ts';
import {
  flag,
  flagsSightsAt,
  immediateAt,
  ipIdBeforeAt,
  lengthPkeyAt,
  messageBytesAt,
  messagePsnAt,
  psnOpcodeAt,
  rkeyAt,
  split,
  vaAt,
  wordsOf,
} from './row-layout.ts';
import type { More, RowStore } from './row-layout.ts';
import type { SeenRequest } from './seen-request.ts';

const least = 8;
const noWords = new Int32Array(0);
const noTimes = new Float64Array(0);
/** no entry */
export const none = -1;

/** Requests in the order in which they came, as rows of numbers, found by PSN. A row's index stays what it is until some are dropped. */
export class RequestRows implements RowStore {
  words = noWords;
  times = noTimes;
  #more: Map<number, More> | undefined;
  readonly #index = new RowIndex(wordsOf, psnOpcodeAt, 0xffffff);
  length = 0;

  /** What few of them have, by PSN. */
  get more(): Map<number, More> {
    return (this.#more ??= new Map());
  }

  /** Index of the request with the PSN; -1: none. */
  find(psn: number): number {
    return this.#index.find(this.words, psn);
  }

  at(index: number): RecordedRequest {
    return new RecordedRequest(this, index);
  }

  psn(index: number): number {
    return (this.words[index * wordsOf + psnOpcodeAt] ?? 0) & 0xffffff;
  }

  isHidden(index: number): boolean {
    return ((this.words[index * wordsOf + flagsSightsAt] ?? 0) & flag.hidden) !== 0;
  }

  /** Index of the READ that came before this one, as it was noted; -1: none. */
  readBefore(index: number): number {
    return ((this.words[index * wordsOf + ipIdBeforeAt] ?? 0) >>> 16) - 1;
  }

  /** Adds one; `readBefore`: the index of the READ before it. Gives its index. */
  add(request: SeenRequest, readBefore: number): number {
    if (this.length * wordsOf === this.words.length)
      this.#resize(Math.max(least, this.length + (this.length >> 2)));
    const index = this.length++;
    const { words } = this;
    const { psn, message, ipId, immediate, invalidates, reth, atomicEth, original } = request;
    const at = index * wordsOf;
    this.times[at / 2] = request.lastSeen;
    words[at + psnOpcodeAt] = psn | (request.opcode << 24);
    words[at + lengthPkeyAt] = request.length | (request.pkey << 16);
    words[at + flagsSightsAt] = flagsOf(request) | (request.sights << 16);
    words[at + ipIdBeforeAt] = (ipId ?? 0) | ((readBefore + 1) << 16);
    words[at + messagePsnAt] = message?.psn ?? 0;
    words[at + messageBytesAt] = message?.bytes ?? reth?.dmaLen ?? 0;
    words[at + immediateAt] = immediate ?? invalidates ?? 0;
    words[at + rkeyAt] = reth?.rkey ?? 0;
    if (reth !== undefined) words.set(split(reth.va), at + vaAt);
    if (hasMore(request)) {
      const other = reth?.dmaLen === message?.bytes ? undefined : reth;
      this.more.set(psn, { atomicEth, reth: other, original });
    }
    this.#index.add(words, index);
    return index;
  }

  /** Keeps those of which `keep` says so, as `hidden` or not. Gives for each index where it is now. */
  drop(keep: (index: number) => 'visible' | 'hidden' | 'no'): Int32Array {
    const { words, length } = this;
    const moved = new Int32Array(length).fill(none);
    let kept = 0;
    for (let index = 0; index < length; index++) {
      const how = keep(index);
      if (how === 'no') {
        if (((words[index * wordsOf + flagsSightsAt] ?? 0) & flag.more) !== 0)
          this.more.delete(this.psn(index));
        continue;
      }
      const from = index * wordsOf;
      const to = kept * wordsOf;
      words.copyWithin(to, from, from + wordsOf);
      if (how === 'hidden') words[to + flagsSightsAt] = (words[to + flagsSightsAt] ?? 0) | flag.hidden;
      moved[index] = kept++;
    }
    this.length = kept;
    for (let index = 0; index < kept; index++) {
      const at = index * wordsOf + ipIdBeforeAt;
      const word = words[at] ?? 0;
      const before = (word >>> 16) - 1;
      words[at] = (word & 0xffff) | (((before < 0 ? none : (moved[before] ?? none)) + 1) << 16);
    }
    this.#find();
    return moved;
  }

  clear(): void {
    if (this.length === 0) return;
    this.length = 0;
    this.words = noWords;
    this.times = noTimes;
    this.#index.clear(0);
    this.#more = undefined;
  }

  #resize(rows: number): void {
    const words = new Int32Array((rows + (rows & 1)) * wordsOf);
    words.set(this.words);
    this.words = words;
    this.times = new Float64Array(words.buffer);
    this.#find();
  }

  /** Those that are not hidden can be found. */
  #find(): void {
    this.#index.clear(this.words.length / wordsOf);
    for (let row = 0; row < this.length; row++) if (!this.isHidden(row)) this.#index.add(this.words, row);
  }
}

function flagsOf(request: SeenRequest): number {
  const { message, immediate, invalidates } = request;
  let flags = request.pad;
  if (request.solicited) flags |= flag.solicited;
  if (request.migReq) flags |= flag.migReq;
  if (request.disputed) flags |= flag.disputed;
  if (message !== undefined) flags |= flag.message;
  if (message?.bytes !== undefined) flags |= flag.messageBytes;
  if (request.ipId !== undefined) flags |= flag.ipId;
  if (immediate !== undefined) flags |= flag.immediate;
  if (invalidates !== undefined) flags |= flag.invalidates;
  if (request.reth !== undefined) flags |= flag.reth;
  if (hasMore(request)) flags |= flag.more;
  return flags;
}

function hasMore({ atomicEth, original, reth, message }: SeenRequest): boolean {
  return (
    atomicEth !== undefined ||
    original !== undefined ||
    (reth !== undefined && reth.dmaLen !== message?.bytes)
  );
}
