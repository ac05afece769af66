import type { Migration } from '../path-migration/migration.ts';
import type { RcResponderInputs } from './variables.ts';
import type { MemoryNode, Region } from '../device/memory.ts';
import type { Rule } from '../rules.ts';
import type { Wqe } from './unbound.ts';

/** A response that a request called for and that has not been seen yet. Replaced, never changed, when it moves. */
export interface PendingReply {
  kind: 'ack' | 'nak' | 'rnr-nak' | 'read' | 'atomic';
  rule: Rule;
  /** index of the request in the trace */
  event: number;
  optional: boolean;
  /** it answers a request that was carried out before */
  repeat: boolean;
  /** an Acknowledge of a repeated SEND or WRITE, which may acknowledge anything up to the newest request */
  duplicate: boolean;
  /** PSNs the reply may carry; equal but for duplicates of SEND and WRITE; -1: any before the request, for a NAK */
  psnFrom: number;
  psnTo: number;
  /** syndrome byte of a NAK, also of one that ends READ responses; -1: any RNR timer */
  syndrome: number;
  /** request in the trace whose answer stands for this one as well: it had not begun when the same was asked for again */
  merges: number | undefined;
  /** completed messages, relative to `ResponderState.msnBase`: before the request, and with it */
  msnBefore: number;
  msn: number;
  /** cursor of the receive queue when the request was looked at */
  rqHead: number;
  /** the path then: the answer may have been addressed before a later request moved the QP to the other one */
  migration: Migration;
  read: PendingRead | undefined;
  atomic: { value: bigint | undefined } | undefined;
}

/** READ responses: `index` of `count` comes next. */
export interface PendingRead {
  index: number;
  /** -1: unknown, because the path MTU is */
  count: number;
  length: number;
  region: Region | undefined;
  offset: number;
  /** responses that can be sent before a NAK must end them; `undefined`: all */
  readable: number | undefined;
  /** memory when the request was accepted; a response may show it, or what is there later */
  memory: MemoryNode | undefined;
}

/** A receive completion that is due. */
export interface PendingCompletion {
  kind: 'message' | 'flush' | 'fault';
  rule: Rule;
  event: number;
  wr: Wqe;
  byteLen: number;
  immediate: number | undefined;
  /** R_Key that it tells as invalidated */
  invalidated: number | undefined;
  opcode: 'receive' | 'receive-write';
  statuses: readonly string[];
  /** the WQE may as well stay on its SRQ, if the fault is reported by an event */
  optional: boolean;
}

/** A fatal fault that is reported to software; how, and what of it has come, the variables of the machine tell. */
export interface FaultReport {
  rule: Rule;
  event: number;
  fault: RcResponderInputs['fault'];
  events: readonly string[];
}

/** A READ or ATOMIC that the responder carried out and must be able to answer again. */
export interface ExecutedRecord {
  family: 'read' | 'atomic';
  opcode: number;
  psn: number;
  /** PSNs of its responses; -1 unknown */
  count: number;
  va: bigint;
  rkey: number;
  length: number;
  value: bigint | undefined;
  /** messages completed with it, relative to `ResponderState.msnBase` */
  msn: number;
}
