import type { EventType, RecvWr, WcStatus } from '../../spec/verbs.ts';
import { psnAdd, psnDiff } from '../../wire/psn.ts';
import type { Rule, RuleSet } from '../rules.ts';
import { grantingRegion, memoryRange } from './facts.ts';
import { responderMachine } from './machine.ts';
import type { RequestView } from './facts.ts';
import { changed, offsetIn, readMemory, scatter } from '../device/memory.ts';
import type { ByteClass, Region } from '../device/memory.ts';
import type { Qp } from '../device/qp.ts';
import { arrivalOver, migrationTables, moved } from '../path-migration/migration.ts';
import { isRepeat, replyOf, replyToFrame } from './reply.ts';
import { lookupOf } from '../rulebook/lookup.ts';
import type { ExecutedRecord, PendingCompletion, PendingReply, ResponderState } from './state.ts';
import { outcomeWord, outcomeWords, wordOnTheWay } from '../rulebook/outcome.ts';
import type { Branch } from '../rulebook/outcome.ts';

/** Carries out what the rules say about requests. */
export interface Effects {
  /** Moves `request.state` by one branch of the rules. `event` is the index of the request in the trace. */
  apply(request: RequestView, branch: Branch, event: number): void;
  /** What a frame that is no packet calls for. */
  frame(state: ResponderState, branch: Branch, event: number): void;
  /** Receive WQEs still posted complete as flushed. */
  flushReceives(connection: Qp, state: ResponderState, event: number): void;
}

const maxRecords = 64;

export function createEffects(rules: RuleSet): Effects {
  const reportRules = lookupOf(rules, 'rc-responder-report');
  const completionRules = lookupOf(rules, 'rc-responder-completion');
  const paths = migrationTables(rules);
  const machine = responderMachine(rules);
  const countMessage = machine.effect('msn');
  const noteNak = machine.effect('nakState');
  const owed = (kind: string): Rule => ruleThatSays(completionRules({ completionKind: kind }), 'mustCome');

  function flushReceives(connection: Qp, state: ResponderState, event: number): void {
    if (connection.srq !== undefined) return;
    const rule = owed('flush');
    const waiting = connection.posted.between(state.rqHead, state.rqTail);
    const held = state.wqe && state.message !== 'none' ? [state.wqe] : [];
    state.completions = [
      ...state.completions,
      ...[...held, ...waiting].map((wr) => completionOf('flush', rule, event, wr, ['IBV_WC_WR_FLUSH_ERR'])),
    ];
    state.wqe = undefined;
    state.rqHead = state.rqTail;
  }

  function fatal(request: RequestView, fault: string, event: number): void {
    const { connection, state, shape } = request;
    const waiting = state.rqHead < state.rqTail ? connection.posted.at(state.rqHead) : undefined;
    const sendWqe = state.message === 'send' ? state.wqe : shape.family === 'send' ? waiting : undefined;
    const startsOrOpen = state.message === 'send' || shape.position === 'first' || shape.position === 'only';
    let bound: 'none' | 'send' | 'immediate' = 'none';
    let wqe: RecvWr | undefined;
    if (sendWqe !== undefined && startsOrOpen && fault !== 'resources' && fault !== 'misaligned') {
      bound = 'send';
      wqe = sendWqe;
    } else if (shape.immediate && shape.family === 'write' && waiting !== undefined) {
      bound = 'immediate';
      wqe = waiting;
    }
    if (fault === 'too-long' || fault === 'local-memory') bound = 'send';
    state.faulted = true;
    const rule = reportRules({ fault, boundWqe: bound })[0];
    const outcome = rule?.outcomes[0];
    if (rule === undefined || outcome === undefined) return;
    const mode = outcomeWord(outcome, 'report');
    const events = outcomeWords(outcome, 'event') as readonly EventType[];
    const statuses = outcomeWords(outcome, 'status') as readonly WcStatus[];
    if (connection.verbs && (mode === 'completion' || mode === 'event' || mode === 'either'))
      state.report = { rule, event, mode, events, sawCompletion: false, sawEvent: false };
    if (outcomeWord(outcome, 'qp') === 'error') state.qpState = 'ERR';
    if (wqe !== undefined && mode !== 'event') {
      if (wqe === waiting && state.wqe === undefined) state.rqHead++;
      const allowed: WcStatus[] = mode === 'either' ? [...statuses, 'IBV_WC_WR_FLUSH_ERR'] : [...statuses];
      const due = completionOf('fault', rule, event, wqe, allowed);
      due.optional =
        mode === 'either' && connection.srq !== undefined && wqe === waiting && state.wqe === undefined;
      state.completions = [...state.completions, due];
      markScatter(connection, state, wqe, 0, Number.MAX_SAFE_INTEGER, 'undefined');
      state.wqe = undefined;
    }
    if (outcomeWord(outcome, 'flush') === 'all') flushReceives(connection, state, event);
    state.message = 'none';
  }

  function apply(request: RequestView, branch: Branch, event: number): void {
    const { state, packet } = request;
    const { outcome } = branch;
    if (state.migration.alternate !== undefined) applyPath(request, branch);
    const accepted = outcomeWord(outcome, 'expectedPsn') === 'advance';
    const rewritten = outcomeWord(outcome, 'memory') ?? 'untouched';
    const atomicBefore = request.shape.family === 'atomic' ? atomicValue(request) : undefined;
    if (state.qpState === 'RTR' && isTaken(branch)) noteFirstPacket(state, accepted, event);
    const msnBefore = state.msn;
    countMessage(outcome, {}, state);
    if (outcomeWord(outcome, 'pendingReplies') === 'release') release(state, packet.psn);
    if (accepted) learn(request);
    const memoryBefore = state.memory;
    if (rewritten === 'modify') modify(request, atomicBefore);
    else if (rewritten === 'undefined') markNamed(request, 'undefined');
    else if (rewritten === 'untouched' && !accepted)
      markNamed(request, isRepeat(branch) ? 'repeated' : 'refused');

    const reply = replyOf(request, branch, event, msnBefore, atomicBefore, memoryBefore);
    if (reply !== undefined) state.replies = [...state.replies, reply];
    if (rewritten === 'write') writePayload(request);
    if (accepted) {
      receive(request, outcome, event);
      advance(request, reply, atomicBefore);
    }
    noteNak(outcome, {}, state);
    const fault = outcomeWord(outcome, 'fault');
    if (fault !== undefined) fatal(request, fault, event);
  }

  /** A packet with a sound header may move the QP to its alternate path; what it calls for goes there already. */
  function applyPath({ connection, state, packet }: RequestView, branch: Branch): void {
    const { move } = arrivalOver(paths, connection, state.migration, packet);
    if (move !== undefined && isTaken(branch)) state.migration = moved(state.migration, move);
  }

  function frame(state: ResponderState, branch: Branch, event: number): void {
    const reply = replyToFrame(state, branch, event);
    if (reply !== undefined) state.replies = [...state.replies, reply];
  }

  function receive(request: RequestView, outcome: Branch['outcome'], event: number): void {
    const { connection, state, packet, shape } = request;
    const queue = outcomeWord(outcome, 'receiveQueue');
    const start = shape.position === 'first' || shape.position === 'only';
    if (queue === 'fill') {
      if (start) state.received = 0;
      if (connection.verbs && state.wqe === undefined) state.wqe = connection.posted.at(state.rqHead++);
      if (state.wqe !== undefined)
        writeScatter(connection, state, state.wqe, Math.max(0, state.received), packet.payload);
    } else if (queue === 'take' && connection.verbs) state.wqe = connection.posted.at(state.rqHead++);
    if (start && queue !== 'fill') state.received = 0;
    if (state.received >= 0) state.received += packet.payloadLength;
    if (outcomeWord(outcome, 'completion') !== 'message' || state.wqe === undefined) return;
    const completion = completionOf('message', owed('message'), event, state.wqe, ['IBV_WC_SUCCESS']);
    completion.byteLen = state.received;
    completion.immediate = packet.immediate;
    if (shape.family === 'write') completion.opcode = 'IBV_WC_RECV_RDMA_WITH_IMM';
    state.completions = [...state.completions, completion];
    state.wqe = undefined;
  }

  return { apply, frame, flushReceives };
}

/** The first of the rules that gives the key; the tables of demands have one rule for each. */
export function ruleThatSays(found: readonly Rule[], key: string): Rule {
  const rule = found.find((r) => r.outcomes.some((o) => o[key] !== undefined));
  if (rule === undefined) throw new RangeError(`no rule says ${key}`);
  return rule;
}

function completionOf(
  kind: PendingCompletion['kind'],
  rule: Rule,
  event: number,
  wr: RecvWr,
  statuses: readonly WcStatus[],
): PendingCompletion {
  return {
    kind,
    rule,
    event,
    wr,
    byteLen: 0,
    immediate: undefined,
    opcode: 'IBV_WC_RECV',
    statuses,
    optional: false,
  };
}

/** A packet that passed header validation in RTR. */
function noteFirstPacket(state: ResponderState, carriedOut: boolean, event: number): void {
  if (state.established === 'seen' || state.established === 'due') return;
  if (carriedOut) {
    state.established = 'due';
    state.establishedBy = event;
  } else if (state.established === 'none') state.established = 'possible';
}

function release(state: ResponderState, psn: number): void {
  if (state.replies.every((r) => psnDiff(r.psnTo, psn) < 0)) return;
  state.replies = state.replies.map((r) => (psnDiff(r.psnTo, psn) >= 0 ? { ...r, optional: true } : r));
}

/** First and Middle packets tell the path MTU where no verbs call did. */
function learn({ connection, state, packet, shape }: RequestView): void {
  if (connection.verbs || state.pmtu > 0) return;
  const length = packet.payloadLength;
  const whole = shape.position === 'first' || shape.position === 'middle';
  if (
    whole &&
    (shape.family === 'send' || shape.family === 'write') &&
    [256, 512, 1024, 2048, 4096].includes(length)
  )
    state.pmtu = length;
}

function atomicValue({ connection, state, packet }: RequestView): bigint | undefined {
  const eth = packet.atomicEth;
  const region = eth && grantingRegion(connection, { right: 'IBV_ACCESS_REMOTE_ATOMIC', ...eth }, 8);
  if (!eth || !region) return undefined;
  const view = readMemory(state.memory, region, offsetIn(region, eth.va), 8);
  for (let i = 0; i < 8; i++) if (view.classAt(i) === 'undefined') return undefined;
  return Buffer.from(view.bytes.buffer, view.bytes.byteOffset, 8).readBigUInt64LE();
}

function modify({ connection, state, packet }: RequestView, before: bigint | undefined): void {
  const eth = packet.atomicEth;
  const region = eth && grantingRegion(connection, { right: 'IBV_ACCESS_REMOTE_ATOMIC', ...eth }, 8);
  if (!eth || !region) return;
  const offset = offsetIn(region, eth.va);
  if (before === undefined) return addNode(state, region, offset, 8, undefined, 'undefined');
  const swaps = requestOperation(packet.opcode) === 'swap';
  const after = swaps
    ? before === eth.compare
      ? eth.swapOrAdd
      : before
    : BigInt.asUintN(64, before + eth.swapOrAdd);
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(after);
  addNode(state, region, offset, 8, bytes, 'written');
}

const fetchAdd = 0x14;
function requestOperation(opcode: number): 'swap' | 'add' {
  return (opcode & 0x1f) === fetchAdd ? 'add' : 'swap';
}

function addNode(
  state: ResponderState,
  region: Region,
  offset: number,
  length: number,
  bytes: Uint8Array | undefined,
  byteClass: ByteClass,
): void {
  const from = Math.max(0, offset);
  const to = Math.min(region.length, offset + length);
  if (from >= to) return;
  state.memory = changed(state.memory, {
    region,
    offset: from,
    length: to - from,
    bytes: bytes?.subarray(from - offset, to - offset),
    byteClass,
  });
}

/** The packet has passed header validation. */
function isTaken(branch: Branch): boolean {
  return wordOnTheWay(branch, 'packet') === 'taken';
}

/** Notes what happened to the memory that a WRITE or ATOMIC names, without a change of its content. */
function markNamed(request: RequestView, byteClass: ByteClass): void {
  const { connection, state, packet, shape } = request;
  if (!connection.verbs || shape.family === 'read') return;
  if (shape.family === 'send') {
    const wqe = state.wqe ?? (state.rqHead < state.rqTail ? connection.posted.at(state.rqHead) : undefined);
    if (wqe !== undefined && byteClass === 'undefined')
      markScatter(connection, state, wqe, Math.max(0, state.received), packet.payloadLength, byteClass);
    return;
  }
  const range = memoryRange(request);
  const region = range && connection.memory.byRkey(range.rkey);
  if (!range || !region) return;
  const offset = range.va - region.addr;
  if (offset < -BigInt(Number.MAX_SAFE_INTEGER) || offset > BigInt(region.length)) return;
  addNode(state, region, Number(offset), Math.max(range.length, 0), undefined, byteClass);
}

function writePayload(request: RequestView): void {
  const { connection, state, packet, shape } = request;
  if (shape.position === 'first' || shape.position === 'only') {
    state.reth = packet.reth;
    state.received = 0;
  }
  const range = memoryRange(request);
  const region = range && grantingRegion(connection, range, range.length);
  if (range && region && range.length > 0)
    addNode(state, region, offsetIn(region, range.va), range.length, packet.payload, 'written');
}

function writeScatter(
  connection: Qp,
  state: ResponderState,
  wqe: RecvWr,
  at: number,
  payload: Uint8Array,
): void {
  let done = 0;
  for (const { region, offset, length } of scatter(connection.memory, wqe.sg_list, at, payload.length)) {
    if (region) addNode(state, region, offset, length, payload.subarray(done, done + length), 'written');
    done += length;
  }
}

function markScatter(
  connection: Qp,
  state: ResponderState,
  wqe: RecvWr,
  at: number,
  length: number,
  byteClass: ByteClass,
): void {
  for (const part of scatter(connection.memory, wqe.sg_list, at, length))
    if (part.region) addNode(state, part.region, part.offset, part.length, undefined, byteClass);
}

function advance(request: RequestView, reply: PendingReply | undefined, value: bigint | undefined): void {
  const { state, packet, shape } = request;
  const { family, position } = shape;
  const count = family === 'read' ? (reply?.read?.count ?? 1) : 1;
  state.ePsn = count < 0 ? -1 : psnAdd(packet.psn, count);
  if (family === 'send' || family === 'write')
    state.message = position === 'first' || position === 'middle' ? family : 'none';
  else state.message = 'none';
  if (state.message === 'none') state.wqe = undefined;
  if (family !== 'read' && family !== 'atomic') return;
  const target = family === 'read' ? packet.reth : packet.atomicEth;
  const record: ExecutedRecord = {
    family,
    opcode: packet.opcode,
    psn: packet.psn,
    count,
    va: target?.va ?? 0n,
    rkey: target?.rkey ?? 0,
    length: family === 'read' ? (packet.reth?.dmaLen ?? 0) : 8,
    value,
    msn: state.msn,
  };
  state.records = [...state.records.slice(-(maxRecords - 1)), record];
}
