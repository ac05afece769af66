import { psnDiff } from '../../wire/psn.ts';
import type { Packet } from '../../wire/packet.ts';
import type { RuleSet } from '../rules.ts';
import type { Qp } from '../device/qp.ts';
import { FactRow } from '../rulebook/fact-row.ts';
import { headerFacts, samePartition } from '../device/header.ts';
import { inside, scatter, totalLength } from '../device/memory.ts';
import type { Region } from '../device/memory.ts';
import { arrivalOver, migrationTables } from '../path-migration/migration.ts';
import { responderMachine } from './machine.ts';
import type { RequestShape } from '../device/opcode-shape.ts';
import type { ExecutedRecord, ResponderState } from './state.ts';
import { requiredTable } from '../rulebook/outcome.ts';

/** A request as the responder of `connection` in `state` sees it. */
export interface RequestView {
  connection: Qp;
  state: ResponderState;
  packet: Packet;
  shape: RequestShape;
}

/** Fills in the facts of one table for one request. */
export type FactFiller = { row: FactRow; fill: (request: RequestView) => void };

const maxDmaLength = 0x80000000;
const rightOf = {
  write: 'IBV_ACCESS_REMOTE_WRITE',
  read: 'IBV_ACCESS_REMOTE_READ',
  atomic: 'IBV_ACCESS_REMOTE_ATOMIC',
} as const;

/** Fact fillers of the tables that a request passes, by table id. */
export function responderFacts(rules: RuleSet): ReadonlyMap<string, FactFiller> {
  const fillers = [admission, psn, sequence, operation, execute, duplicate].map((make) => make(rules));
  return new Map(fillers.map((filler) => [filler.row.table.id, filler]));
}

function admission(rules: RuleSet): FactFiller {
  const row = new FactRow(requiredTable(rules, 'rc-responder-admission'));
  const paths = migrationTables(rules);
  const destination = row.slot('destination');
  const icrc = row.slot('icrc');
  const tver = row.slot('transportVersion');
  const service = row.slot('service');
  const source = row.slot('source');
  const pkey = row.slot('pkey');
  const qpState = row.slot('qpState');
  return {
    row,
    fill: ({ connection, state, packet }) => {
      destination.set(connection.qpNumber >= 0 ? 'known' : 'unknown');
      const header = headerFacts(packet);
      icrc.set(header.icrc);
      tver.set(header.transportVersion);
      service.set(header.service);
      source.set(arrivalOver(paths, connection, state.migration, packet).source);
      if (samePartition(connection, packet)) pkey.set('match');
      else if (connection.verbs) pkey.set('mismatch');
      else pkey.any('mismatch');
      if (connection.verbs) qpState.set(state.qpState);
      else if (state.qpState === 'ERR') qpState.unsure('ERR', 'RTS');
      else qpState.set('RTS');
    },
  };
}

function psn(rules: RuleSet): FactFiller {
  const row = new FactRow(requiredTable(rules, 'rc-responder-psn'));
  const machine = responderMachine(rules);
  const region = machine.filler(row, 'psn');
  const nakState = machine.filler(row, 'nakState');
  return {
    row,
    fill: ({ state, packet }) => {
      region({ packet }, state);
      nakState({}, state);
    },
  };
}

function sequence(rules: RuleSet): FactFiller {
  const row = new FactRow(requiredTable(rules, 'rc-responder-sequence'));
  const inProgress = row.slot('inProgress');
  const position = row.slot('position');
  const family = row.slot('family');
  return {
    row,
    fill: ({ state, shape }) => {
      position.set(shape.position);
      family.set(shape.family);
      if (state.message !== 'unknown') inProgress.set(state.message);
      else if (shape.position === 'first' || shape.position === 'only') inProgress.any('none');
      else inProgress.any(shape.family === 'write' ? 'write' : 'send');
    },
  };
}

function operation(rules: RuleSet): FactFiller {
  const row = new FactRow(requiredTable(rules, 'rc-responder-operation'));
  const support = row.slot('support');
  const receive = row.slot('receive');
  const otherReason = row.slot('otherReason');
  const slots = row.slot('slots');
  const access = row.slot('access');
  const alignment = row.slot('alignment');
  const length = row.slot('length');
  const localMemory = row.slot('localMemory');
  return {
    row,
    fill: (request) => {
      const { connection, state, packet, shape } = request;
      const { family } = shape;
      if (family === 'other') {
        // an operation of an annex may exist on this device if nobody declared what it can do
        if (shape.info === undefined || connection.capabilities !== undefined) support.set('unsupported');
        else support.unsure('unsupported', 'supported');
      } else if (shape.capability !== undefined && connection.capabilities?.has(shape.capability) === false)
        support.set('unsupported');
      else if (family === 'send') support.set('supported');
      else if (connection.access === undefined) support.unsure('supported', 'disabled');
      else support.set(connection.access.includes(rightOf[family]) ? 'supported' : 'disabled');

      const needs = takesReceive(request);
      if (!needs) receive.set('not-needed');
      else if (connection.verbs) receive.set(state.rqHead < state.rqTail ? 'available' : 'none');
      else receive.unsure('available', 'none');

      otherReason.set(connection.capabilities?.has('rnr-any-request') === true ? 'possible' : 'none');

      if (family !== 'read' && family !== 'atomic') slots.set('not-needed');
      else if (connection.maxDestRdAtomic === undefined) slots.unsure('free', 'contended');
      else if (connection.maxDestRdAtomic === 0) slots.set('absent');
      else {
        const waiting = state.replies.filter((r) => r.kind === 'read' || r.kind === 'atomic').length;
        slots.set(waiting < connection.maxDestRdAtomic ? 'free' : 'contended');
      }

      const range = memoryRange(request);
      if (range === undefined) access.set('not-needed');
      else if (connection.verbs) access.set(accessOf(connection, range));
      else access.unsure('granted', family === 'read' ? 'partly' : 'later', 'denied');

      if (family !== 'atomic') alignment.set('not-needed');
      else alignment.set((packet.atomicEth?.va ?? 0n) % 8n === 0n ? 'aligned' : 'misaligned');

      fillLength(request, length);
      const local = localMemoryOf(request);
      if (local === 'unknown') localMemory.unsure('sound', 'faulty');
      else localMemory.set(local);
    },
  };
}

function execute(rules: RuleSet): FactFiller {
  const row = new FactRow(requiredTable(rules, 'rc-responder-execute'));
  const operationSlot = row.slot('operation');
  const ends = row.slot('ends');
  const ackReq = row.slot('ackReq');
  return {
    row,
    fill: ({ packet, shape }) => {
      const { family } = shape;
      if (family === 'write') operationSlot.set(shape.immediate ? 'write-immediate' : 'write');
      else operationSlot.set(family === 'other' ? 'send' : family);
      ends.set(shape.position === 'last' || shape.position === 'only' ? 'last' : 'more');
      ackReq.set(packet.ackReq ? 'set' : 'clear');
    },
  };
}

function duplicate(rules: RuleSet): FactFiller {
  const row = new FactRow(requiredTable(rules, 'rc-responder-duplicate'));
  const family = row.slot('family');
  const record = row.slot('record');
  const access = row.slot('access');
  const ackReq = row.slot('ackReq');
  return {
    row,
    fill: (request) => {
      const { connection, state, packet, shape } = request;
      family.set(shape.family);
      if (shape.family !== 'read' && shape.family !== 'atomic') record.set('not-needed');
      else if (!connection.verbs && recordOf(state, packet) === undefined)
        record.unsure('evicted', 'mismatch', 'kept');
      else record.set(recordFact(request));
      const range = memoryRange(request);
      if (range === undefined || shape.family === 'write') access.set('not-needed');
      else if (!connection.verbs) access.unsure('granted', 'denied');
      else access.set(accessOf(connection, range));
      ackReq.set(packet.ackReq ? 'set' : 'clear');
    },
  };
}

/** Whether the packet needs a receive WQE that its message does not hold yet. */
export function takesReceive({ state, shape }: RequestView): boolean {
  if (shape.family === 'send')
    return (
      shape.position === 'first' || shape.position === 'only' || (state.message === 'send' && !state.wqe)
    );
  return shape.family === 'write' && shape.immediate;
}

interface AccessRange {
  right: (typeof rightOf)[keyof typeof rightOf];
  rkey: number;
  /** bytes that this packet touches; of a READ, those without which it cannot begin */
  va: bigint;
  length: number;
  /** bytes that the message announces from `va` on */
  announced: number;
}

/** Memory that a WRITE, READ or ATOMIC packet names; `undefined` for SENDs, zero length, and where the start was not seen. */
export function memoryRange({ state, packet, shape }: RequestView): AccessRange | undefined {
  const right = shape.family === 'send' || shape.family === 'other' ? undefined : rightOf[shape.family];
  if (right === undefined) return undefined;
  if (shape.family === 'atomic') {
    const eth = packet.atomicEth;
    return eth && { right, rkey: eth.rkey, va: eth.va, length: 8, announced: 8 };
  }
  const reth = packet.reth;
  if (reth?.dmaLen === 0) return undefined;
  if (shape.family === 'read')
    return reth && { right, rkey: reth.rkey, va: reth.va, length: 1, announced: reth.dmaLen };
  if (reth)
    return {
      right,
      rkey: reth.rkey,
      va: reth.va,
      length: packet.payloadLength,
      announced: reth.dmaLen,
    };
  const open = state.reth;
  if (open === undefined || open.dmaLen === 0) return undefined;
  const announced = Math.max(0, open.dmaLen - state.received);
  return {
    right,
    rkey: open.rkey,
    va: open.va + BigInt(state.received),
    length: packet.payloadLength,
    announced,
  };
}

/** The region that grants the range, if one does. */
export function grantingRegion(
  connection: Qp,
  range: { right: AccessRange['right']; rkey: number; va: bigint },
  length: number,
): Region | undefined {
  const region = connection.memory.byRkey(range.rkey);
  if (region === undefined || !region.alive || region.pd !== connection.pd) return undefined;
  if (!region.access.includes(range.right) || !inside(region, range.va, length)) return undefined;
  return region;
}

function accessOf(connection: Qp, range: AccessRange): 'granted' | 'later' | 'partly' | 'denied' {
  if (grantingRegion(connection, range, range.length) === undefined) return 'denied';
  if (grantingRegion(connection, range, range.announced) !== undefined) return 'granted';
  return range.right === rightOf.read ? 'partly' : 'later';
}

interface LengthSlot {
  set(value: string): void;
  unsure(assumed: string, ...others: string[]): void;
}

function fillLength(request: RequestView, slot: LengthSlot): void {
  const { connection, state, packet, shape } = request;
  const payload = packet.payloadLength;
  const { family, position } = shape;
  if (family === 'atomic' || family === 'other') return slot.set('sound');
  if (family === 'read') return slot.set((packet.reth?.dmaLen ?? 0) > maxDmaLength ? 'wrong' : 'sound');
  const pmtu = state.pmtu;
  const misfit =
    pmtu > 0 &&
    (position === 'first' || position === 'middle'
      ? payload !== pmtu
      : payload > pmtu || (position === 'last' && payload === 0));
  if (misfit) return slot.set('wrong');
  if (family === 'send') {
    if (!connection.verbs) return slot.unsure('sound', 'too-long', ...(pmtu > 0 ? [] : ['wrong']));
    const wqe = state.wqe ?? (state.rqHead < state.rqTail ? connection.posted.at(state.rqHead) : undefined);
    if (wqe === undefined) return slot.set('sound');
    const room = totalLength(wqe.sg_list);
    const before = position === 'first' || position === 'only' ? 0 : state.received;
    return slot.set(before + payload > room ? 'too-long' : 'sound');
  }
  const announced = packet.reth?.dmaLen ?? state.reth?.dmaLen;
  const before = packet.reth ? 0 : state.received;
  if (announced === undefined || before < 0) return slot.unsure('sound', 'wrong', 'doomed');
  const total = before + payload;
  if (announced > maxDmaLength || total > announced) return slot.set('wrong');
  const done = position === 'last' || position === 'only';
  if (done) return slot.set(total === announced ? 'sound' : 'wrong');
  if (total === announced) return slot.set('doomed');
  return pmtu > 0 ? slot.set('sound') : slot.unsure('sound', 'wrong');
}

function localMemoryOf(request: RequestView): 'not-needed' | 'sound' | 'faulty' | 'unknown' {
  const { connection, state, packet, shape } = request;
  if (shape.family !== 'send' || packet.payloadLength === 0) return 'not-needed';
  if (!connection.verbs) return 'unknown';
  const wqe = state.wqe ?? connection.posted.at(state.rqHead);
  if (wqe === undefined || (state.wqe === undefined && state.rqHead >= state.rqTail)) return 'not-needed';
  const start = shape.position === 'first' || shape.position === 'only' ? 0 : state.received;
  const usable = (sge: { addr: bigint; length: number; lkey: number }): boolean => {
    const region = connection.memory.byLkey(sge.lkey);
    return (
      region !== undefined &&
      region.alive &&
      region.pd === connection.pd &&
      region.access.includes('IBV_ACCESS_LOCAL_WRITE') &&
      inside(region, sge.addr, sge.length)
    );
  };
  if (scatter(connection.memory, wqe.sg_list, start, packet.payloadLength).some(({ sge }) => !usable(sge)))
    return 'faulty';
  // a device may look at the whole list before it places the first byte
  return wqe.sg_list.every(usable) ? 'sound' : 'unknown';
}

/** The executed READ or ATOMIC that owns the PSN. */
export function recordOf(state: ResponderState, packet: Packet): ExecutedRecord | undefined {
  return state.records.find((r) => {
    const d = psnDiff(packet.psn, r.psn);
    return d >= 0 && (r.count < 0 ? d === 0 : d < r.count);
  });
}

function recordFact({ connection, state, packet, shape }: RequestView): 'kept' | 'evicted' | 'mismatch' {
  const record = recordOf(state, packet);
  if (record === undefined || record.family !== shape.family) return 'mismatch';
  const newestFirst = state.records.toReversed();
  const age = newestFirst.indexOf(record);
  if (connection.maxDestRdAtomic !== undefined && age >= connection.maxDestRdAtomic) return 'evicted';
  if (record.family === 'atomic') {
    const eth = packet.atomicEth;
    return eth?.va === record.va && eth.rkey === record.rkey && packet.opcode === record.opcode
      ? 'kept'
      : 'mismatch';
  }
  const reth = packet.reth;
  if (reth === undefined || reth.rkey !== record.rkey) return 'mismatch';
  const skipped = BigInt(psnDiff(packet.psn, record.psn)) * BigInt(state.pmtu);
  const begin = record.va + skipped;
  // a READ repeated because bytes are missing asks for some
  if (reth.dmaLen === 0 && record.length > 0) return 'mismatch';
  return reth.va === begin && reth.va + BigInt(reth.dmaLen) <= record.va + BigInt(record.length)
    ? 'kept'
    : 'mismatch';
}
