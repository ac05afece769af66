import type { SendWr, WcOpcode } from '../../../spec/verbs.ts';
import { workRequests } from '../../../spec/work-requests.ts';
import { psnAdd, psnDiff } from '../../../wire/psn.ts';
import { packetsOf } from '../../packets-of.ts';
import type { PostedSend } from './posted-send.ts';

/** One work request of the send queue, with the PSNs that are its own. */
export interface WorkItem extends PostedSend {
  /** place in the send queue since the QP left RESET */
  index: number;
  psn: number;
  /** PSNs that it takes: request packets, or READ responses */
  count: number;
}

const sendOpcodes: ReadonlySet<string> = new Set(
  Object.values(workRequests).map(({ completes }) => completes),
);

/** Whether a completion with this opcode is one of the send queue. */
export function isSendOpcode(opcode: WcOpcode): boolean {
  return sendOpcodes.has(opcode);
}

/** Opcode of the completion of a work request. */
export function completionOpcode({ wr }: { wr: SendWr }): WcOpcode {
  return workRequests[wr.opcode].completes;
}

/** Place of a packet in its message, as operations name it. */
export function placeName(first: boolean, last: boolean): string {
  if (first) return last ? 'ONLY' : 'FIRST';
  return last ? 'LAST' : 'MIDDLE';
}

/** Operation name that the constants have for a packet of a work request, by its place there. */
export function requestOperation({ kind, wr }: PostedSend, first: boolean, last: boolean): string {
  if (kind === 'read') return 'RDMA_READ_REQUEST';
  const { opcode } = wr;
  if (kind === 'atomic') return opcode === 'IBV_WR_ATOMIC_CMP_AND_SWP' ? 'COMPARE_SWAP' : 'FETCH_ADD';
  const base = `${kind === 'send' ? 'SEND' : 'RDMA_WRITE'}_${placeName(first, last)}`;
  const carried = last ? workRequests[opcode].carries : 'nothing';
  return carried === 'nothing' ? base : `${base}_WITH_${carried.toUpperCase()}`;
}

/** Work requests of one send queue in posting order; what is complete may be forgotten. */
export class WorkQueue {
  #items: WorkItem[] = [];
  #first = 0;
  #nextPsn = 0;
  length = 0;

  /** The QP starts anew: the next work request has this PSN. */
  restart(psn: number): void {
    this.#items = [];
    this.#first = this.length;
    this.#nextPsn = psn;
  }

  add(send: PostedSend, pmtu: number): WorkItem {
    const { kind, length } = send;
    const count = kind === 'atomic' ? 1 : packetsOf(length, pmtu);
    const item = { ...send, index: this.length++, psn: this.#nextPsn, count };
    this.#nextPsn = psnAdd(item.psn, count);
    this.#items.push(item);
    return item;
  }

  at(index: number): WorkItem | undefined {
    return this.#items[index - this.#first];
  }

  /** Whether a work request with this id is known. */
  has(wrId: number): boolean {
    return this.#items.some((item) => item.wr.wr_id === wrId);
  }

  /** Items `from .. to`, `to` excluded. */
  *between(from: number, to: number): Generator<WorkItem> {
    for (let index = from; index < to; index++) {
      const item = this.at(index);
      if (item === undefined) return;
      yield item;
    }
  }

  /** The item among `from .. to` that the PSN belongs to. */
  find(psn: number, from: number, to: number): WorkItem | undefined {
    for (const item of this.between(from, to)) {
      const d = psnDiff(psn, item.psn);
      if (d >= 0 && d < item.count) return item;
    }
    return undefined;
  }

  /** The item before `head` that the PSN belongs to, unless it is forgotten. */
  findComplete(psn: number, head: number): WorkItem | undefined {
    return this.find(psn, this.#first, head);
  }

  /** Forgets items before `index`. */
  forget(index: number): void {
    if (index - this.#first < 256) return;
    this.#items.splice(0, index - this.#first);
    this.#first = index;
  }
}

/** First PSN behind those of the item. */
export function endOf(item: WorkItem): number {
  return psnAdd(item.psn, item.count);
}
