import { opcodes } from '../../../spec/constants.ts';
import type { Position } from '../../../spec/constants.ts';
import { requestShape } from '../../device/packet/opcode-shape.ts';
import type { Family } from '../../device/packet/opcode-shape.ts';
import * as layout from './row-layout.ts';
import type { More, RowStore } from './row-layout.ts';
import type { SeenMessage, SeenRequest } from './seen-request.ts';

const { flag } = layout;
const mostSights = 0xffff;

/** A request that is kept as a row of numbers: reads and changes them there. It is of use until another one is added. */
export class RecordedRequest implements SeenRequest {
  readonly #rows: RowStore;
  readonly #at: number;

  constructor(rows: RowStore, index: number) {
    this.#rows = rows;
    this.#at = index * layout.wordsOf;
  }

  get psn(): number {
    return this.#word(layout.psnOpcodeAt) & 0xffffff;
  }

  get opcode(): number {
    return this.#word(layout.psnOpcodeAt) >>> 24;
  }

  get name(): string {
    return nameOf(this.opcode);
  }

  get family(): Family {
    return requestShape(this.opcode).family;
  }

  get position(): Position {
    return requestShape(this.opcode).position;
  }

  get length(): number {
    return this.#word(layout.lengthPkeyAt) & 0xffff;
  }

  get pad(): number {
    return this.#word(layout.flagsSightsAt) & 3;
  }

  get pkey(): number {
    return this.#word(layout.lengthPkeyAt) >>> 16;
  }

  get solicited(): boolean {
    return this.#has(flag.solicited);
  }

  get migReq(): boolean {
    return this.#has(flag.migReq);
  }

  get immediate(): number | undefined {
    return this.#has(flag.immediate) ? this.#word(layout.immediateAt) >>> 0 : undefined;
  }

  get invalidates(): number | undefined {
    return this.#has(flag.invalidates) ? this.#word(layout.immediateAt) >>> 0 : undefined;
  }

  get reth(): SeenRequest['reth'] {
    if (!this.#has(flag.reth)) return undefined;
    const other = this.#more?.reth;
    if (other !== undefined) return other;
    const va = layout.joined(this.#word(layout.vaAt), this.#word(layout.vaAt + 1));
    return {
      va,
      rkey: this.#word(layout.rkeyAt) >>> 0,
      dmaLen: this.#word(layout.messageBytesAt) >>> 0,
    };
  }

  get atomicEth(): SeenRequest['atomicEth'] {
    return this.#more?.atomicEth;
  }

  get message(): SeenMessage | undefined {
    if (!this.#has(flag.message)) return undefined;
    const bytes = this.#has(flag.messageBytes) ? this.#word(layout.messageBytesAt) >>> 0 : undefined;
    return { psn: this.#word(layout.messagePsnAt), bytes };
  }

  get ipId(): number | undefined {
    return this.#has(flag.ipId) ? this.#word(layout.ipIdBeforeAt) & 0xffff : undefined;
  }

  set ipId(id: number | undefined) {
    const before = this.#word(layout.ipIdBeforeAt) & ~0xffff;
    this.#put(layout.ipIdBeforeAt, before | (id ?? 0));
    this.#mark(flag.ipId, id !== undefined);
  }

  get lastSeen(): number {
    return this.#rows.times[this.#at / 2] ?? 0;
  }

  set lastSeen(t: number) {
    this.#rows.times[this.#at / 2] = t;
  }

  get sights(): number {
    return this.#word(layout.flagsSightsAt) >>> 16;
  }

  set sights(times: number) {
    const flags = this.#word(layout.flagsSightsAt) & 0xffff;
    this.#put(layout.flagsSightsAt, flags | (Math.min(times, mostSights) << 16));
  }

  get disputed(): boolean {
    return this.#has(flag.disputed);
  }

  set disputed(is: boolean) {
    this.#mark(flag.disputed, is);
  }

  get original(): bigint | undefined {
    return this.#more?.original;
  }

  set original(value: bigint | undefined) {
    const more = this.#more;
    if (more !== undefined) more.original = value;
    else this.#rows.more.set(this.psn, { atomicEth: undefined, reth: undefined, original: value });
    this.#mark(flag.more, true);
  }

  get #more(): More | undefined {
    return this.#has(flag.more) ? this.#rows.more.get(this.psn) : undefined;
  }

  #word(place: number): number {
    return this.#rows.words[this.#at + place] ?? 0;
  }

  #put(place: number, word: number): void {
    this.#rows.words[this.#at + place] = word;
  }

  #has(bit: number): boolean {
    return (this.#word(layout.flagsSightsAt) & bit) !== 0;
  }

  #mark(bit: number, is: boolean): void {
    const word = this.#word(layout.flagsSightsAt);
    this.#put(layout.flagsSightsAt, is ? word | bit : word & ~bit);
  }
}

/** What a request is called. */
export function nameOf(opcode: number): string {
  return opcodes[opcode]?.name ?? `opcode ${opcode}`;
}
