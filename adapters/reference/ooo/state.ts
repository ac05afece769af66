import type { WcStatus } from '../../../spec/verbs.ts';
import type { Packet } from '../../../wire/index.ts';
import type { Timer } from '../../adapter.ts';
import type { RecvWqe } from '../device/receive-queue.ts';
import type { SendWqe } from '../rc-requester/state.ts';
import type { Request } from '../rc-responder/request.ts';

/** What an out-of-order QP keeps beyond what every RC QP has. */
export interface OutOfOrderState {
  readonly requester: OooRequester;
  readonly responder: OooResponder;
}

/** A request on its way: its numbers, and what is known of each of its packets. */
export interface Outgoing {
  readonly wqe: SendWqe;
  /** MSN that says that it is complete */
  readonly msn: number;
  readonly recvWqeSn: number | undefined;
  readonly readWqeSn: number | undefined;
  /** by packet, those that have been sent */
  readonly flights: Flight[];
  /** READ: response packets that are here; ATOMIC: the one answer */
  readonly answers: boolean[];
  /** answers still missing; 0 for SEND and WRITE */
  missing: number;
}

/** One request packet that has been sent. */
export interface Flight {
  readonly psn: number;
  acknowledged: boolean;
  /** sent again in this recovery */
  again: boolean;
  /** to be sent again whatever is known of later ones */
  due: boolean;
}

export interface OooRequester {
  /** launched and not completed, oldest first; the head of the send queue */
  readonly outgoing: Outgoing[];
  /** messages launched so far, receive WQEs they consume, READs and ATOMICs among them: modulo 2^24 */
  launched: number;
  recvWqes: number;
  readWqes: number;
  /** newest MSN that the responder sent */
  msn: number;
  /** highest PSN acknowledged selectively */
  selected: number | undefined;
  /** a recovery ends when everything before this PSN is acknowledged */
  recovery: number | undefined;
  timer: Timer | undefined;
  /** the responder refused the request with this PSN; it fails when all before are complete */
  refused: { psn: number; status: WcStatus } | undefined;
}

/** A packet of the window that has arrived. */
export interface Arrival {
  readonly request: Request;
  readonly packet: Packet;
}

/** A receive WQE that has its number. */
export interface Numbered {
  readonly sn: number;
  readonly wqe: RecvWqe;
}

/** A READ or ATOMIC that can be answered again. */
export interface Answered {
  readonly sn: number;
  readonly packet: Packet;
  /** value that an ATOMIC found; absent for a READ */
  readonly original?: bigint;
}

export interface OooResponder {
  /** by PSN: packets from the expected one on that are here */
  readonly arrived: Map<number, Arrival>;
  /** receive WQEs taken and not completed, oldest first */
  readonly taken: Numbered[];
  /** number of the receive WQE that the next message consumes, and of the next to be taken */
  recvWqeSn: number;
  nextTaken: number;
  /** number of the next READ or ATOMIC to be executed */
  readWqeSn: number;
  /** by PSN: packets put aside until their turn, whose buffer an older message still fills */
  readonly aside: Map<number, { wqe: RecvWqe; offset: number }>;
  /** newest last, at most max_dest_rd_atomic of them */
  readonly answered: Answered[];
  /** message under way among the packets in front of the expected PSN */
  message: { kind: 'send' | 'write'; received: number } | undefined;
  /** PSN of the packet that is being answered */
  trigger: number;
}

export function makeOutOfOrder(): OutOfOrderState {
  return {
    requester: {
      outgoing: [],
      launched: 0,
      recvWqes: 0,
      readWqes: 0,
      msn: 0,
      selected: undefined,
      recovery: undefined,
      timer: undefined,
      refused: undefined,
    },
    responder: {
      arrived: new Map(),
      taken: [],
      recvWqeSn: 0,
      nextTaken: 0,
      readWqeSn: 0,
      aside: new Map(),
      answered: [],
      message: undefined,
      trigger: 0,
    },
  };
}
