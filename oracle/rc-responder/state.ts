import type { Rule } from '../rules.ts';
import type { RecvWr, WcStatus, EventType } from '../../spec/verbs.ts';
import type { ChoiceNode } from '../rulebook/choices.ts';
import type { MemoryNode, Region } from '../device/memory.ts';
import { migrationKey, unmoved } from '../path-migration/migration.ts';
import type { Migration } from '../path-migration/migration.ts';
import type { QpStateName } from '../device/qp-state.ts';

export type NakState = 'none' | 'sequence' | 'rnr';
/** `unknown`: the trace starts in the middle of a connection */
export type OpenMessage = 'none' | 'send' | 'write' | 'unknown';

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
  /** completed messages, relative to `ResponderState.msnBase`: before the request, and with it */
  msnBefore: number;
  msn: number;
  /** cursor of the receive queue when the request was looked at */
  rqHead: number;
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
  wr: RecvWr;
  byteLen: number;
  immediate: number | undefined;
  opcode: 'IBV_WC_RECV' | 'IBV_WC_RECV_RDMA_WITH_IMM';
  statuses: readonly WcStatus[];
  /** the WQE may as well stay on its SRQ, if the fault is reported by an event */
  optional: boolean;
}

/** Report of a fatal fault to software. */
export interface FaultReport {
  rule: Rule;
  event: number;
  mode: 'completion' | 'event' | 'either';
  events: readonly EventType[];
  sawCompletion: boolean;
  sawEvent: boolean;
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

/** Everything that the oracle holds to be true of one RC responder. Arrays are replaced, not changed. */
export class ResponderState {
  /** expected PSN; -1 unknown */
  ePsn = -1;
  /** messages completed since the start of the trace */
  msn = 0;
  /** MSN on the wire minus `msn`; -1 unknown */
  msnBase = -1;
  nakState: NakState = 'none';
  qpState: QpStateName = 'RESET';
  faulted = false;
  /** state that software last asked for */
  softwareState: QpStateName = 'RESET';
  message: OpenMessage = 'none';
  /** receive WQE of the open message */
  wqe: RecvWr | undefined;
  /** payload bytes of the open message so far; -1 unknown */
  received = 0;
  reth: { va: bigint; rkey: number; dmaLen: number } | undefined;
  /** cursor and end of the receive queue in the endpoint's list of posted WQEs */
  rqHead = 0;
  rqTail = 0;
  records: readonly ExecutedRecord[] = [];
  replies: readonly PendingReply[] = [];
  completions: readonly PendingCompletion[] = [];
  report: FaultReport | undefined;
  /** of IBV_EVENT_COMM_EST: no packet yet in RTR; one that may raise it; one that must; it was raised */
  established: 'none' | 'possible' | 'due' | 'seen' = 'none';
  /** index in the trace of the first request carried out in RTR */
  establishedBy = 0;
  /** choices made since the last certain point; no part of what the responder is */
  choices: ChoiceNode | undefined;
  memory: MemoryNode | undefined;
  /** PSN of the newest positive response seen; -1 none */
  lastAck = -1;
  /** verbs calls of the window already applied, for those that race with packets */
  callsApplied = 0;
  pmtu = 0;
  migration: Migration = unmoved;

  clone(): ResponderState {
    const copy = new ResponderState();
    copy.ePsn = this.ePsn;
    copy.msn = this.msn;
    copy.msnBase = this.msnBase;
    copy.nakState = this.nakState;
    copy.qpState = this.qpState;
    copy.faulted = this.faulted;
    copy.softwareState = this.softwareState;
    copy.message = this.message;
    copy.wqe = this.wqe;
    copy.received = this.received;
    copy.reth = this.reth;
    copy.rqHead = this.rqHead;
    copy.rqTail = this.rqTail;
    copy.records = this.records;
    copy.replies = this.replies;
    copy.completions = this.completions;
    copy.report = this.report;
    copy.established = this.established;
    copy.establishedBy = this.establishedBy;
    copy.choices = this.choices;
    copy.memory = this.memory;
    copy.lastAck = this.lastAck;
    copy.callsApplied = this.callsApplied;
    copy.pmtu = this.pmtu;
    copy.migration = this.migration;
    return copy;
  }

  /** Two states with equal keys behave alike from now on. */
  key(): string {
    const replies = this.replies
      .map(
        (r) =>
          `${r.kind}${r.psnFrom}-${r.psnTo}/${r.msn}/${r.optional ? 'o' : 'm'}${r.read?.index ?? ''}/${r.rule.id}`,
      )
      .join(',');
    const completions = this.completions
      .map((c) => `${c.kind}${c.wr.wr_id}/${c.byteLen}/${c.rule.id}`)
      .join(',');
    const report = this.report;
    const reportKey = report ? `${report.rule.id}${report.sawCompletion}${report.sawEvent}` : '';
    return [
      this.ePsn,
      this.msn,
      this.msnBase,
      this.nakState,
      this.qpState,
      this.message,
      this.received,
      this.rqHead,
      this.rqTail,
      this.records.map((r) => r.psn).join('.'),
      replies,
      completions,
      reportKey,
      this.established,
      this.lastAck,
      this.callsApplied,
      memoryKey(this.memory),
      migrationKey(this.migration),
    ].join('|');
  }
}

/** State at the start of a capture: the connection has been running for an unknown time. */
export function unknownState(): ResponderState {
  const state = new ResponderState();
  state.qpState = 'RTS';
  state.message = 'unknown';
  state.received = -1;
  return state;
}

const nodeNumbers = new WeakMap<MemoryNode, number>();
let nextNodeNumber = 1;

function memoryKey(node: MemoryNode | undefined): number {
  if (node === undefined) return 0;
  let number = nodeNumbers.get(node);
  if (number === undefined) nodeNumbers.set(node, (number = nextNodeNumber++));
  return number;
}
