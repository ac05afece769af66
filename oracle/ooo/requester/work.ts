import { opcodes } from '../../../spec/constants.ts';
import type { Packet } from '../../../wire/packet.ts';
import { usable } from '../../device/memory.ts';
import type { PostedSend } from '../../device/posted-send.ts';
import type { PlacedWork } from '../packet.ts';
import type { Qp } from '../../device/qp.ts';

/** One work request of the send queue of an out-of-order QP, with the numbers that are its own. Counted PSNs do not wrap. */
export interface SentWork extends PostedSend {
  immediate: boolean;
  /** request packets, and the first one's counted PSN */
  count: number;
  first: number;
  /** messages up to this one, as the MSN counts them */
  msn: number;
  /** SENDs and WRITEs with immediate before it, and READs and ATOMICs */
  receiveNumber: number;
  readNumber: number;
  /** it fails, or may */
  doubtful: boolean;
  /** software has changed the memory since, so that the payload may be either */
  payloadOpen: boolean;
  /** of a READ or ATOMIC: bytes of data that have come, and whether all have */
  got: Uint8Array;
  answered: boolean;
  completed: boolean;
}

/** Numbers that a send queue counts. */
export interface SendCounts {
  psn: number;
  msn: number;
  receives: number;
  reads: number;
}

/** The work request with its numbers; `counts` goes on behind it. */
export function sentWork(qp: Qp, send: PostedSend, counts: SendCounts): SentWork {
  const { wr, kind, inline } = send;
  const length = kind === 'atomic' ? 8 : send.length;
  const immediate = wr.opcode.endsWith('_WITH_IMM');
  const fetches = kind === 'read' || kind === 'atomic';
  const usableNow = wr.sg_list.every((sge) => usable(qp.memory.byLkey(sge.lkey), qp.pd, sge, fetches));
  const work: SentWork = {
    ...send,
    length,
    immediate,
    count: fetches || qp.pmtu <= 0 ? 1 : Math.max(1, Math.ceil(length / qp.pmtu)),
    first: counts.psn,
    msn: counts.msn + 1,
    receiveNumber: counts.receives,
    readNumber: counts.reads,
    doubtful: wr.raw_opcode !== undefined || (inline === undefined && !usableNow),
    payloadOpen: false,
    got: new Uint8Array(fetches ? length : 0),
    answered: false,
    completed: false,
  };
  if (kind === 'send' || immediate) counts.receives++;
  if (fetches) counts.reads++;
  counts.psn += work.count;
  counts.msn++;
  return work;
}

/** What the n-th packet of the work request is a part of, in the words of the rules. */
export function placedWorkOf(work: SentWork, n: number): PlacedWork {
  return work.kind === 'write' && work.immediate && n === work.count - 1 ? 'write-immediate' : work.kind;
}

/** Operation name of the constants of its n-th packet. */
export function operationOf({ kind, wr, immediate, count }: SentWork, n: number): string {
  if (kind === 'read') return 'RDMA_READ_REQUEST';
  if (kind === 'atomic') return wr.opcode === 'IBV_WR_ATOMIC_CMP_AND_SWP' ? 'COMPARE_SWAP' : 'FETCH_ADD';
  const last = n === count - 1;
  const place = count === 1 ? 'ONLY' : n === 0 ? 'FIRST' : last ? 'LAST' : 'MIDDLE';
  const tail = !last
    ? ''
    : immediate
      ? '_WITH_IMMEDIATE'
      : wr.opcode === 'IBV_WR_SEND_WITH_INV'
        ? '_WITH_INVALIDATE'
        : '';
  return `${kind === 'send' ? 'SEND' : 'RDMA_WRITE'}_${place}${tail}`;
}

/** Whether two work requests name some of the same remote memory, and one of them changes it. */
export function sameTarget(a: SentWork, b: SentWork): boolean {
  if (a.wr.rkey !== b.wr.rkey || (a.kind === 'read' && b.kind === 'read')) return false;
  return overlapping(a, b);
}

/** Whether the two name some of the same remote addresses, were it only to read them. */
export function overlapping(a: SentWork, b: SentWork): boolean {
  const range = ({ wr, kind, length }: SentWork): [bigint, bigint] | undefined =>
    kind === 'send' || length === 0 || wr.remote_addr === undefined
      ? undefined
      : [wr.remote_addr, wr.remote_addr + BigInt(length)];
  const one = range(a);
  const other = range(b);
  if (one === undefined || other === undefined) return false;
  return one[0] < other[1] && other[0] < one[1];
}

/** Service and operation by the opcode byte, for people. */
export function opcodeName(packet: Packet): string {
  return opcodes[packet.opcode]?.name ?? `opcode 0x${packet.opcode.toString(16)}`;
}
