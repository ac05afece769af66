import type { Rule } from '../../rules.ts';
import type { Span } from '../memory.ts';
import { Counter } from '../packet.ts';
import type { PlacedPacket } from '../packet.ts';
import type { Packet } from '../../../wire/packet.ts';

/** A request packet that was kept, and what belongs to it. Counted PSNs do not wrap; 0 is the first of the QP. */
export interface Arrival {
  placed: PlacedPacket;
  psn: number;
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

/** A receive completion that is owed. */
export interface DueReceive {
  wqe: number;
  length: number;
  immediate: number | undefined;
  /** R_Key that a SEND has invalidated */
  invalidated: number | undefined;
  opcode: 'IBV_WC_RECV' | 'IBV_WC_RECV_RDMA_WITH_IMM';
  event: number;
}

/** A state that an Acknowledge may tell: everything before `next` has arrived, which makes `msn` whole messages. */
export interface Standing {
  next: number;
  msn: number;
}

/** What a responder knows of packets: the window, what is complete, and what a later look may need. */
export class Arrivals {
  psns: Counter;
  /** counted PSN of the first missing packet */
  next = 0;
  msn = 0;
  /** packets of the window that have arrived */
  readonly window = new Map<number, Arrival>();
  /** READs and ATOMICs executed, newest last */
  executed: Executed[] = [];
  /** number of READs and ATOMICs executed */
  reads = 0;
  /** receive WQEs consumed */
  consumed = 0;
  /** packets since the last one that was complete, in order */
  message: Arrival[] = [];
  /** standings since the last Acknowledge, that one included */
  standings: Standing[] = [{ next: 0, msn: 0 }];

  constructor(firstPsn: number) {
    this.psns = new Counter(firstPsn);
  }

  track(psn: number, window: number): 'missing' | 'arrived' | 'behind' | 'beyond' {
    if (psn < this.next) return 'behind';
    if (psn >= this.next + window) return 'beyond';
    return this.window.has(psn) ? 'arrived' : 'missing';
  }

  stands(): void {
    const last = this.standings.at(-1);
    if (last?.next !== this.next || last.msn !== this.msn)
      this.standings.push({ next: this.next, msn: this.msn });
  }

  find(psn: number): Executed | undefined {
    return this.executed.findLast(({ arrival }) => arrival.psn === psn);
  }

  /** Whether a packet of this message's WQE has arrived though the message is not complete. */
  holds(wqe: number): Arrival | undefined {
    for (const arrival of [...this.message, ...this.window.values()]) if (arrival.wqe === wqe) return arrival;
    return undefined;
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
