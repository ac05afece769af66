import type { Timer } from '../../adapter.ts';
import type { Place } from '../device/memory/memory.ts';
import type { RecvWqe } from '../device/receive-queue.ts';
import { makeHeld, type HeldResponses } from './held.ts';

/** A request of several packets that is under way. */
export type Message =
  | { kind: 'send'; wqe: RecvWqe; received: number }
  | {
      kind: 'write';
      va: bigint;
      length: number;
      place: Place | undefined;
      changes: number;
      received: number;
    };

export interface ReadResource {
  kind: 'read';
  psn: number;
  packets: number;
  va: bigint;
  rkey: number;
  length: number;
}

export interface AtomicResource {
  kind: 'atomic';
  psn: number;
  packets: 1;
  opcode: number;
  va: bigint;
  rkey: number;
  /** value from before the operation */
  original: bigint;
}

/** A READ or ATOMIC that can be answered again. */
export type Resource = ReadResource | AtomicResource;

export interface ResponderState {
  epsn: number;
  msn: number;
  /** a NAK is out that the packet with the expected PSN has to answer */
  waiting: 'sequence' | 'rnr' | undefined;
  message: Message | undefined;
  /** newest last, at most max_dest_rd_atomic of them */
  resources: Resource[];
  /** requests with the expected PSN so far, where the device is busy now and then */
  looked: number;
  /** ACKs asked for and not yet sent */
  owedAcks: number;
  ackTimer: Timer | undefined;
  held: HeldResponses;
}

export function makeResponder(): ResponderState {
  return {
    epsn: 0,
    msn: 0,
    waiting: undefined,
    message: undefined,
    resources: [],
    looked: 0,
    owedAcks: 0,
    ackTimer: undefined,
    held: makeHeld(),
  };
}
