import type { Rule } from '../../rules.ts';
import type { Span } from '../memory.ts';
import type { OooRegisters } from '../registers.ts';
import type { PlacedPacket } from '../packet.ts';
import type { Packet } from '../../../wire/packet.ts';
import { psnAdd, psnDiff } from '../../../wire/psn.ts';

/** A request packet that was kept, and what belongs to it. */
export interface Arrival {
  placed: PlacedPacket;
  psn: number;
  /** place among all packets of the QP */
  count: number;
  /** index of its receive WQE */
  wqe: number | undefined;
  spans: Span[];
  event: number;
}

/** A READ or ATOMIC that was executed. */
export interface Executed {
  arrival: Arrival;
  /** MSN with it counted */
  msn: number;
  /** bytes that it read, and of an ATOMIC its original value; `undefined`: nobody can tell */
  first: Uint8Array | undefined;
  /** its first answer is complete */
  answered: boolean;
  /** answers that are still due or may come */
  answers: Answer[];
}

/** One answer to a READ or ATOMIC. */
export interface Answer {
  /** bytes of it that have been sent; an ATOMIC has 8 */
  sent: number;
  /** what the memory held when it was asked for */
  data: Uint8Array | undefined;
  rule: Rule;
  event: number;
}

/** A receive completion that is due. */
export interface DueReceive {
  wqe: number;
  length: number;
  immediate: number | undefined;
  /** R_Key that a SEND has invalidated */
  invalidated: number | undefined;
  kind: 'receive' | 'receive-write';
  event: number;
}

/** A state that an Acknowledge may tell: everything before `next` has arrived, which makes `msn` whole messages. */
export interface Standing {
  next: number;
  msn: number;
}

/** Lists that a responder keeps of packets; the registers say what is expected. */
export class Arrivals {
  readonly #registers: OooRegisters;
  /** packets from the first of the QP on that have had their turn */
  #passed = 0;
  /** packets that have arrived and wait for one in front of them, by PSN */
  readonly window = new Map<number, Arrival>();
  /** READs and ATOMICs executed, newest last */
  executed: Executed[] = [];
  /** packets since the last one that was complete, in order */
  message: Arrival[] = [];
  /** standings since the last Acknowledge, that one included */
  standings: Standing[] = [];

  constructor(registers: OooRegisters) {
    this.#registers = registers;
    this.stands();
  }

  /** Whether any packet has been kept. */
  get any(): boolean {
    return this.#passed > 0 || this.window.size > 0;
  }

  /** Place of a packet among all of the QP, which does not wrap. */
  count(psn: number): number {
    return this.#passed + psnDiff(psn, this.#registers.ePsn);
  }

  /** The expected packet, if it has arrived: it has its turn. */
  take(): Arrival | undefined {
    const one = this.window.get(this.#registers.ePsn);
    if (one === undefined) return undefined;
    this.window.delete(one.psn);
    this.message.push(one);
    this.#passed++;
    this.#registers.do('arrived', {});
    return one;
  }

  stands(): void {
    const { ePsn: next, msn } = this.#registers;
    const last = this.standings.at(-1);
    if (last?.next !== next || last.msn !== msn) this.standings.push({ next, msn });
  }

  /** MSN that counts nothing from the oldest READ or ATOMIC on that is not answered. */
  get answeredMsn(): number {
    const oldest = this.executed.find(({ answered }) => !answered);
    return oldest === undefined ? this.#registers.msn : psnAdd(oldest.msn, -1);
  }

  find(psn: number): Executed | undefined {
    return this.executed.findLast(({ arrival }) => arrival.psn === psn);
  }

  /** The READ or ATOMIC with this PSN, if it is among the `most` that a device must remember. */
  record(psn: number, most: number): Executed | undefined {
    return this.executed.slice(-Math.max(1, most)).find(({ arrival }) => arrival.psn === psn);
  }
}

/** Where a packet that was dropped would have gone, and by which rule it was dropped. */
export interface Dropped {
  rule: Rule;
  packet: Packet;
  spans: Span[];
}

/** Bytes of the spans, one after the other. */
export function bytesOf(spans: readonly Span[]): Uint8Array {
  return Buffer.concat(
    spans.map(({ region, offset, length }) => region.content.subarray(offset, offset + length)),
  );
}

/** Whether what is seen of a range is what was read there, byte by byte; bytes that nobody can be sure of do not count. */
export function firstWrong(
  seen: Uint8Array,
  data: readonly Uint8Array[],
  from: number,
  unsure: (at: number) => boolean,
): number {
  return seen.findIndex((byte, i) => !unsure(from + i) && !data.some((bytes) => bytes[from + i] === byte));
}
