import { atomicBytes } from '../../../spec/constants.ts';
import { psnAdd } from '../../../wire/psn.ts';
import type { SendWr } from '../../../spec/verbs.ts';
import { workRequests } from '../../../spec/work-requests.ts';
import type { Carried } from '../../../spec/work-requests.ts';
import { usable } from '../../device/memory.ts';
import type { PostedSend } from '../../device/queues/posted-send.ts';
import type { Qp } from '../../device/qp.ts';
import { attributesOf } from '../event.ts';
import type { OooRegisters } from '../registers.ts';
import type { OooInputs } from '../variables.ts';

/** The send queue that a work request is in. */
interface Queue {
  readonly qp: Qp;
  readonly registers: OooRegisters;
  readonly works: readonly SentWork[];
}

/** One work request of the send queue of an out-of-order QP, with the numbers that are its own. */
export class SentWork implements Readonly<OooInputs['work']> {
  readonly #queue: Queue;
  readonly posted: PostedSend;
  readonly wr: SendWr;
  readonly kind: PostedSend['kind'];
  readonly carries: Carried;
  readonly swaps: boolean;
  /** as an expression has it, beside `wr` */
  readonly imm_data: number;
  readonly signaled: boolean;
  readonly immediate: boolean;
  readonly solicited: boolean;
  readonly invalidates: number | undefined;
  readonly length: number;
  readonly psn: number;
  readonly msn: number;
  readonly receiveNumber: number;
  readonly readNumber: number;
  readonly packets: number;
  /** it fails, or may */
  readonly doubtful: boolean;
  /** software has changed the memory since, so that the payload may be either */
  payloadOpen = false;
  /** of a READ or ATOMIC: bytes of data that have come, and whether all have */
  readonly got: Uint8Array;
  answered: boolean;
  completed = false;

  constructor(queue: Queue, posted: PostedSend) {
    const { wr, kind, inline } = posted;
    const { qp, registers } = queue;
    this.#queue = queue;
    this.posted = posted;
    this.wr = wr;
    this.kind = kind;
    this.signaled = posted.signaled;
    this.carries = workRequests[wr.opcode].carries;
    this.immediate = this.carries === 'immediate';
    this.imm_data = (wr.imm_data ?? 0) >>> 0;
    this.swaps = wr.opcode === 'IBV_WR_ATOMIC_CMP_AND_SWP';
    this.solicited = posted.solicited;
    this.invalidates = wr.opcode === 'IBV_WR_SEND_WITH_INV' ? (wr.invalidate_rkey ?? 0) : undefined;
    this.length = kind === 'atomic' ? atomicBytes : posted.length;
    this.psn = registers.postedEnd;
    this.msn = psnAdd(registers.postedMsn, 1);
    this.receiveNumber = registers.postedReceives;
    this.readNumber = registers.postedReads;
    this.answered = !this.fetches;
    this.packets = 1;
    this.packets = registers.number('packets', { work: this, attr: attributesOf(qp) });
    const sound = wr.sg_list.every((sge) => usable(qp.memory.byLkey(sge.lkey), qp.pd, sge, this.fetches));
    this.doubtful = wr.raw_opcode !== undefined || (inline === undefined && !sound);
    this.got = new Uint8Array(this.fetches ? this.length : 0);
  }

  /** It is a READ or ATOMIC. */
  get fetches(): boolean {
    return this.kind === 'read' || this.kind === 'atomic';
  }

  /** Whether everything that it waits for has come. */
  get retired(): boolean {
    return this.#queue.registers.is('retired', { work: this });
  }

  /** Likewise, by PSN or by MSN. */
  get mayRetire(): boolean {
    return this.#queue.registers.is('mayRetire', { work: this });
  }

  get earlier(): readonly SentWork[] {
    const { works } = this.#queue;
    return works.slice(0, works.indexOf(this));
  }

  get before(): 'retired' | 'pending' | 'unreported' {
    const { earlier } = this;
    if (earlier.some((one) => !one.mayRetire)) return 'pending';
    return earlier.some(({ signaled, completed }) => signaled && !completed) ? 'unreported' : 'retired';
  }

  get readsBefore(): number {
    const { earlier } = this;
    const oldest = earlier.findIndex(({ answered }) => !answered);
    return oldest < 0 ? 0 : earlier.slice(oldest).filter(({ fetches }) => fetches).length;
  }

  get unansweredBefore(): number {
    return this.earlier.filter(({ fetches, answered }) => fetches && !answered).length;
  }

  get pendingBefore(): number {
    return this.earlier.filter(({ mayRetire }) => !mayRetire).length;
  }

  get overlapsBefore(): number {
    return this.earlier.filter((one) => !one.mayRetire && sameTarget(one, this)).length;
  }
}

/** Whether two work requests name some of the same remote memory, and one of them changes it. */
export function sameTarget(a: SentWork, b: SentWork): boolean {
  return a.wr.rkey === b.wr.rkey && (a.kind !== 'read' || b.kind !== 'read') && overlapping(a, b);
}

/** Whether the two name some of the same remote addresses, were it only to read them. */
export function overlapping(a: SentWork, b: SentWork): boolean {
  const range = ({ wr, kind, length }: SentWork): [bigint, bigint] | undefined =>
    kind === 'send' || length === 0 || wr.remote_addr === undefined
      ? undefined
      : [wr.remote_addr, wr.remote_addr + BigInt(length)];
  const one = range(a);
  const other = range(b);
  return one !== undefined && other !== undefined && one[0] < other[1] && other[0] < one[1];
}
